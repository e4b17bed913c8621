//===- DiagnosticEngine.cpp - Diagnostics, collected and shown --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/DiagnosticEngine.h"

#include "DiagnosticJson.h"
#include "SourceSnippet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace aoa {

namespace {
StringRef severityColor(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "\033[1;36m";
  case Severity::Warning:
    return "\033[1;35m";
  case Severity::Error:
    return "\033[1;31m";
  }
  llvm_unreachable("all severities are listed");
}

/// `11711` as `11,711`.
std::string withSeparators(unsigned number) {
  return llvm::formatv("{0:N}", number).str();
}

/// A message may quote names of any length; what makes it one person's reading
/// is its beginning and its end.
std::string shownMessage(StringRef text) {
  constexpr size_t maxBytes = 2000, headBytes = 1000, tailBytes = 500;
  if (text.size() <= maxBytes)
    return showable(text);
  auto splitsCharacter = [&](size_t at) { return (text[at] & 0xC0) == 0x80; };
  size_t head = headBytes, tail = text.size() - tailBytes;
  for (int step = 0; step < 3 && splitsCharacter(head); ++step)
    --head;
  for (int step = 0; step < 3 && splitsCharacter(tail); ++step)
    ++tail;
  return showable(text.take_front(head)) + "..." +
         showable(text.drop_front(tail));
}

/// Prints `file:line:column: `.
void printPlace(llvm::raw_ostream &os, const SourceManager &sources,
                SourceRange range, bool color) {
  if (color)
    os << "\033[1m";
  if (range.isKnown()) {
    SourceManager::Position at = sources.position(range.file, range.begin);
    os << showable(sources.name(range.file)) << ':' << at.line << ':'
       << at.column << ": ";
  } else {
    os << "aoac: ";
  }
}

/// Prints `file:line:column: error: `.
void printHead(llvm::raw_ostream &os, const SourceManager &sources,
               SourceRange range, Severity severity, bool color) {
  printPlace(os, sources, range, color);
  if (color)
    os << severityColor(severity);
  os << severityName(severity) << ": ";
  if (color)
    os << "\033[0m";
}

/// Prints `file:line:column: fix: replace `a` by `b``.
void printFixIt(llvm::raw_ostream &os, const SourceManager &sources,
                const FixIt &fixIt, bool color) {
  SourceRange range = sources.resolve(fixIt.range);
  if (!range.isKnown())
    return;
  printPlace(os, sources, range, color);
  os << (color ? "\033[1;32mfix: \033[0m" : "fix: ");
  std::string old =
      shownMessage(sources.text(range.file).slice(range.begin, range.end));
  std::string text = shownMessage(fixIt.text);
  if (old.empty() && fixIt.text == "\n")
    os << "begin a new line here\n";
  else if (old.empty())
    os << "insert `" << text << "`\n";
  else if (text.empty())
    os << "remove `" << old << "`\n";
  else
    os << "replace `" << old << "` by `" << text << "`\n";
}

/// Where the statement at fault was expanded, innermost first.
std::vector<SourceRange> placesOf(const Diagnostic &diagnostic) {
  std::vector<SourceRange> places;
  for (const Note &note : diagnostic.notes)
    if (note.isExpansion)
      places.push_back(note.range);
  return places;
}

/// What tells apart the instances of a template and the turns of a loop.
std::string instanceOf(const Diagnostic &diagnostic) {
  std::string instance;
  for (const Note &note : diagnostic.notes)
    if (note.isExpansion)
      instance += note.message + "\n";
  return instance;
}

/// `and in 59 more instances`, or an empty text if there is just one.
std::string describe(const Occurrences &occurrences) {
  unsigned instances = occurrences.instances - 1, like = occurrences.count - 1;
  if (instances != 0)
    return "and in " + withSeparators(instances) + " more instance" +
           (instances == 1 ? "" : "s");
  return like == 0 ? "" : "and " + withSeparators(like) + " more like it";
}
} // namespace

void DiagnosticEngine::report(Diagnostic diagnostic) {
  Severity severity = options.warnings.severityOf(*diagnostic.kind);
  if (severity == Severity::Note)
    return;
  errors += severity == Severity::Error;
  warnings += severity == Severity::Warning;

  // Faults without a place have nothing that tells one from another.
  if (!diagnostic.range.isKnown()) {
    entries.push_back({std::move(diagnostic), severity});
    return;
  }
  std::string instance = instanceOf(diagnostic);
  auto [known, isNew] =
      merged.try_emplace({diagnostic.kind, diagnostic.range,
                          diagnostic.jsonPath, placesOf(diagnostic)},
                         entries.size());
  if (isNew || known->second < numFlushed) {
    known->second = entries.size(); // an earlier one has been printed
    addIncludes(diagnostic);
    entries.push_back(
        {std::move(diagnostic), severity, {}, std::move(instance)});
    return;
  }
  // Stages go through the statements in order, so the reports of an instance
  // follow on each other.
  Entry &entry = entries[known->second];
  ++entry.occurrences.count;
  entry.occurrences.instances += instance != entry.lastInstance;
  entry.lastInstance = std::move(instance);
}

/// Shows how the text at fault came into the script, where no note does.
void DiagnosticEngine::addIncludes(Diagnostic &diagnostic) const {
  for (SourceRange at = diagnostic.range; at.isKnown();) {
    at = sources.includedFrom(at.file);
    bool isShown = llvm::any_of(
        diagnostic.notes, [&](const Note &note) { return note.range == at; });
    if (at.isKnown() && !isShown)
      diagnostic.notes.push_back({at, "included from here"});
  }
}

void DiagnosticEngine::print(const Entry &entry, llvm::raw_ostream &os) const {
  const Diagnostic &diagnostic = entry.diagnostic;
  SourceRange range = sources.resolve(diagnostic.range);
  printHead(os, sources, range, entry.severity, options.color);
  os << shownMessage(diagnostic.message);
  if (!diagnostic.jsonPath.empty())
    os << " (at " << shownMessage(diagnostic.jsonPath) << ')';
  os << " [" << diagnostic.kind->name << "]\n";

  llvm::ArrayRef<Note> notes = diagnostic.notes;
  if (range.isKnown()) {
    std::string label;
    if (!notes.empty() && notes.front().range == diagnostic.range) {
      label = shownMessage(notes.front().message);
      notes = notes.drop_front();
    }
    printSnippet(os, sources, range, label, options.color);
  }
  for (const Note &note : notes) {
    printHead(os, sources, sources.resolve(note.range), Severity::Note,
              options.color);
    os << shownMessage(note.message) << '\n';
  }
  for (const FixIt &fixIt : diagnostic.fixIts)
    printFixIt(os, sources, fixIt, options.color);
  if (std::string more = describe(entry.occurrences); !more.empty()) {
    printHead(os, sources, range, Severity::Note, options.color);
    os << more << '\n';
  }
}

void DiagnosticEngine::showFailure(StringRef message, llvm::raw_ostream &os) {
  if (options.document)
    return options.document->addFailure(message);
  os << "aoac: error: " << showable(message) << "\n";
}

void DiagnosticEngine::flush(llvm::raw_ostream &os) {
  if (options.document) {
    for (; numFlushed < entries.size(); ++numFlushed)
      options.document->add(sources, entries[numFlushed].diagnostic,
                            entries[numFlushed].severity,
                            entries[numFlushed].occurrences);
    return;
  }
  unsigned errorsHidden = 0, warningsHidden = 0;
  for (; numFlushed < entries.size(); ++numFlushed) {
    const Entry &entry = entries[numFlushed];
    bool isError = entry.severity == Severity::Error;
    unsigned &shown = isError ? errorsShown : warningsShown;
    if (options.errorLimit && shown >= options.errorLimit) {
      ++(isError ? errorsHidden : warningsHidden);
      continue;
    }
    ++shown;
    print(entry, os);
  }
  auto printRest = [&](unsigned number, Severity severity) {
    if (!number)
      return;
    printHead(os, sources, {}, severity, options.color);
    os << withSeparators(number) << " more " << severityName(severity)
       << (number == 1 ? " is" : "s are") << " not shown\n";
  };
  printRest(warningsHidden, Severity::Warning);
  printRest(errorsHidden, Severity::Error);
}

} // namespace aoa
