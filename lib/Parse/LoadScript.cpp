//===- LoadScript.cpp - A script with the files that it includes ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Parse/LoadScript.h"

#include "FindInclude.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Parse/ParseDiagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace aoa;
using namespace aoa::parse;

namespace {

constexpr size_t maxDepth = 100;
constexpr size_t maxFiles = 10'000;
constexpr int64_t maxFileBytes = int64_t{64} << 20;
constexpr int64_t maxBytesTogether = int64_t{256} << 20;

std::string quote(llvm::StringRef name) { return "`" + name.str() + "`"; }

/// Puts the items of files in place of includes; where these come from is the
/// derived class's to say.
class Loader {
public:
  Loader(SourceManager &sources, ast::Dialect dialect, DiagnosticSink &sink)
      : sources(sources), dialect(dialect), sink(sink) {}
  virtual ~Loader() = default;

  ast::Script load(FileId file) {
    ast::Script script = parseScript(sources, file, dialect, sink);
    if (llvm::none_of(script.body, isInclude))
      return script;
    ast::Block written = std::exchange(script.body, {});
    active.push_back({file, {}});
    append(std::move(written), script);
    active.pop_back();
    return script;
  }

protected:
  /// A file that is being read, and the include that it stands for.
  struct Step {
    FileId file;
    SourceRange include;
  };

  /// Adds the file to the sources, or returns nothing: it has been read before,
  /// or a fault has been reported.
  virtual std::optional<FileId> open(const ast::Include &include) = 0;

  void report(const DiagnosticKind &kind, const ast::Include &include,
              std::string message, std::vector<Note> notes = {}) {
    sink.report(
        {&kind, include.pathRange, std::move(message), std::move(notes)});
  }

  FileId add(const ast::Include &include, std::string name, std::string text) {
    FileId file = sources.add(std::move(name), std::move(text));
    sources.setIncludedFrom(file, include.range);
    return file;
  }

  SourceManager &sources;
  std::vector<Step> active; ///< From the script to the file that is being read.

private:
  static bool isInclude(const ast::Item &item) {
    return std::holds_alternative<ast::Include>(item.data);
  }

  void append(ast::Block items, ast::Script &script) {
    for (ast::Item &item : items)
      if (const auto *include = std::get_if<ast::Include>(&item.data))
        appendIncluded(*include, script);
      else
        script.body.push_back(std::move(item));
  }

  void appendIncluded(const ast::Include &include, ast::Script &script) {
    if (active.size() > maxDepth)
      return report(diag::IncludeLimit, include,
                    "includes are nested deeper than " +
                        std::to_string(maxDepth));
    std::optional<FileId> file = open(include);
    if (!file)
      return;
    if (isJsonScript(sources.text(*file)))
      return report(diag::IncludeUnreadable, include,
                    quote(sources.name(*file)) +
                        " is a JSON text, expected a script");
    ast::Script included = parseScript(sources, *file, dialect, sink);
    script.numWritten += included.numWritten;
    active.push_back({*file, include.range});
    append(std::move(included.body), script);
    active.pop_back();
  }

  ast::Dialect dialect;
  DiagnosticSink &sink;
};

/// Takes files from the disk.
class DiskLoader final : public Loader {
public:
  DiskLoader(SourceManager &sources, FileId script, ast::Dialect dialect,
             const IncludeOptions &options, DiagnosticSink &sink,
             IncludedTexts &taken)
      : Loader(sources, dialect, sink),
        places(sources.name(script), options.directories), taken(taken) {
    llvm::StringRef name = sources.name(script);
    std::string real = name == "<stdin>" ? "" : realPathOf(name);
    if (!real.empty())
      loaded.try_emplace(real, Loaded{script, 0});
  }

private:
  struct Loaded {
    FileId file;
    uint32_t index; ///< In `taken`; of no meaning for the script.
  };

  std::optional<FileId> open(const ast::Include &include) override {
    llvm::StringRef includer = sources.name(active.back().file);
    auto found = find(include.path, includer);
    if (!found)
      return fault(include, found.error());
    if (auto before = loaded.find(found->realPath); before != loaded.end()) {
      if (isActive(before->second.file))
        reportCycle(include, before->second.file);
      taken.order.push_back(before->second.index);
      return std::nullopt;
    }
    if (taken.files.size() == maxFiles)
      return fault(include, {&diag::IncludeLimit, "more than " +
                                                      std::to_string(maxFiles) +
                                                      " files are included"});
    auto text = readInclude(*found, maxFileBytes);
    if (!text)
      return fault(include, text.error());
    bytesTogether += static_cast<int64_t>(text->size());
    if (bytesTogether > maxBytesTogether)
      return fault(include,
                   {&diag::IncludeLimit,
                    "with " + quote(found->name) + " the included files have " +
                        std::to_string(bytesTogether) +
                        " bytes, together they have at most " +
                        std::to_string(maxBytesTogether)});
    auto index = static_cast<uint32_t>(taken.files.size());
    taken.files.push_back({found->name, *text});
    taken.order.push_back(index);
    FileId file = add(include, found->name, std::move(*text));
    loaded.try_emplace(found->realPath, Loaded{file, index});
    return file;
  }

  /// The same name in the same directory is looked for once.
  const std::expected<FoundInclude, IncludeFault> &
  find(llvm::StringRef path, llvm::StringRef includer) {
    auto [it, isNew] = asked.try_emplace(
        {directoryOf(includer).str(), path.str()}, FoundInclude());
    if (isNew)
      it->second = places.find(path, includer);
    return it->second;
  }

  std::nullopt_t fault(const ast::Include &include, const IncludeFault &fault) {
    report(*fault.kind, include, fault.message);
    return std::nullopt;
  }

  bool isActive(FileId file) const {
    return llvm::any_of(active,
                        [&](const Step &step) { return step.file == file; });
  }

  /// Shows the circle from the include that closes it on.
  void reportCycle(const ast::Include &include, FileId first) {
    size_t begin =
        llvm::find_if(active,
                      [&](const Step &step) { return step.file == first; }) -
        active.begin();
    auto nameOf = [&](size_t i) { return quote(sources.name(active[i].file)); };
    std::string message = nameOf(begin) + " includes itself";
    std::vector<Note> notes = {
        {include.pathRange,
         nameOf(active.size() - 1) + " includes " + nameOf(begin)}};
    for (size_t i = begin + 1; i != active.size(); ++i) {
      message += (i == begin + 1 ? " by way of " : ", ") + nameOf(i);
      notes.push_back(
          {active[i].include, nameOf(i - 1) + " includes " + nameOf(i)});
    }
    report(diag::IncludeCycle, include, std::move(message), std::move(notes));
  }

  IncludePlaces places;
  IncludedTexts &taken;
  llvm::StringMap<Loaded> loaded; ///< By real path.
  std::map<std::pair<std::string, std::string>,
           std::expected<FoundInclude, IncludeFault>>
      asked; ///< By directory and path.
  int64_t bytesTogether = 0;
};

/// Takes files from texts.
class TextLoader final : public Loader {
public:
  TextLoader(SourceManager &sources, ast::Dialect dialect,
             const IncludedTexts &texts, DiagnosticSink &sink)
      : Loader(sources, dialect, sink), texts(texts),
        isLoaded(texts.files.size(), false) {}

private:
  std::optional<FileId> open(const ast::Include &include) override {
    if (next == texts.order.size() || texts.order[next] >= isLoaded.size()) {
      report(diag::IncludeNotFound, include,
             "the text of " + quote(include.path) +
                 " is not kept with that of the script");
      return std::nullopt;
    }
    uint32_t index = texts.order[next++];
    if (isLoaded[index])
      return std::nullopt;
    const IncludedTexts::File &file = texts.files[index];
    if (file.text.size() > static_cast<size_t>(maxFileBytes)) {
      report(diag::IncludeLimit, include,
             tooLarge(file.name, file.text.size(), maxFileBytes));
      return std::nullopt;
    }
    isLoaded[index] = true;
    return add(include, file.name, file.text);
  }

  const IncludedTexts &texts;
  std::vector<bool> isLoaded;
  size_t next = 0;
};

} // namespace

ast::Script aoa::loadScript(SourceManager &sources, FileId file,
                            ast::Dialect dialect, const IncludeOptions &options,
                            DiagnosticSink &sink, IncludedTexts *taken) {
  IncludedTexts own;
  return DiskLoader(sources, file, dialect, options, sink, taken ? *taken : own)
      .load(file);
}

ast::Script aoa::reloadScript(SourceManager &sources, FileId file,
                              ast::Dialect dialect, const IncludedTexts &texts,
                              DiagnosticSink &sink) {
  return TextLoader(sources, dialect, texts, sink).load(file);
}
