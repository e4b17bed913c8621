//===- DiagnosticSarif.cpp - One diagnostic as a SARIF result ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "DiagnosticSarif.h"

#include "DiagnosticJson.h"

#include "llvm/ADT/StringExtras.h"

using llvm::json::Array;
using llvm::json::Object;

namespace aoa {

namespace {

/// A file's name as a URI: bytes that a URI cannot hold as `%20`.
std::string uriOf(llvm::StringRef name) {
  std::string uri;
  for (unsigned char c : name.bytes())
    if (llvm::isAlnum(static_cast<char>(c)) ||
        llvm::StringRef("-._~/").contains(static_cast<char>(c)))
      uri += static_cast<char>(c);
    else
      uri += "%" + llvm::utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
  return uri;
}

Object artifact(const SourceManager &sources, FileId file) {
  return Object{{"uri", uriOf(sources.name(file))}};
}

/// Characters of the line before the position: SARIF's columns are no bytes.
unsigned columnOf(const SourceManager::Position &position) {
  llvm::StringRef before = position.lineText.take_front(position.column - 1);
  return 1 + static_cast<unsigned>(llvm::count_if(
                 before, [](char c) { return (c & 0xC0) != 0x80; }));
}

Object region(const SourceManager &sources, SourceRange range) {
  SourceManager::Position begin = sources.position(range.file, range.begin),
                          end = sources.position(range.file, range.end);
  return Object{
      {"startLine", begin.line},   {"startColumn", columnOf(begin)},
      {"endLine", end.line},       {"endColumn", columnOf(end)},
      {"byteOffset", range.begin}, {"byteLength", range.end - range.begin}};
}

/// Requires a known, resolved range.
Object location(const SourceManager &sources, SourceRange range) {
  return Object{{"physicalLocation",
                 Object{{"artifactLocation", artifact(sources, range.file)},
                        {"region", region(sources, range)}}}};
}

Object message(llvm::StringRef text) {
  return Object{{"text", jsonText(text)}};
}

Array relatedLocations(const SourceManager &sources,
                       llvm::ArrayRef<Note> notes) {
  Array related;
  for (const Note &note : notes) {
    SourceRange range = sources.resolve(note.range);
    Object object = range.isKnown() ? location(sources, range) : Object();
    object["message"] = message(note.message);
    related.push_back(std::move(object));
  }
  return related;
}

Object fix(const SourceManager &sources, const FixIt &fixIt) {
  SourceRange range = sources.resolve(fixIt.range);
  Object replacement{{"deletedRegion", region(sources, range)},
                     {"insertedContent", message(fixIt.text)}};
  Object change{{"artifactLocation", artifact(sources, range.file)},
                {"replacements", Array{std::move(replacement)}}};
  return Object{{"artifactChanges", Array{std::move(change)}}};
}

} // namespace

llvm::json::Value diagnosticAsSarif(const SourceManager &sources,
                                    const Diagnostic &diagnostic,
                                    Severity severity,
                                    const Occurrences &occurrences) {
  std::string text = diagnostic.message;
  if (!diagnostic.jsonPath.empty())
    text += " (at " + diagnostic.jsonPath + ")";
  Object result{{"ruleId", llvm::StringRef(diagnostic.kind->name)},
                {"level", severityName(severity)},
                {"message", message(text)}};
  SourceRange range = sources.resolve(diagnostic.range);
  if (range.isKnown())
    result["locations"] = Array{location(sources, range)};
  if (occurrences.count > 1)
    result["occurrenceCount"] = occurrences.count;
  if (occurrences.instances > 1)
    result["properties"] = Object{{"instances", occurrences.instances}};
  if (!diagnostic.notes.empty())
    result["relatedLocations"] = relatedLocations(sources, diagnostic.notes);
  Array fixes;
  for (const FixIt &fixIt : diagnostic.fixIts)
    if (sources.resolve(fixIt.range).isKnown())
      fixes.push_back(fix(sources, fixIt));
  if (!fixes.empty())
    result["fixes"] = std::move(fixes);
  return result;
}

} // namespace aoa
