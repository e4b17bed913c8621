//===- DiagnosticJson.cpp - One diagnostic in our JSON form -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "DiagnosticJson.h"

using llvm::json::Array;
using llvm::json::Object;

namespace aoa {

llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("all severities are listed");
}

std::string jsonText(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

/// Adds `range` and where it lies, if that is known.
static void addPlace(Object &object, const SourceManager &sources,
                     SourceRange range) {
  range = sources.resolve(range);
  if (!range.isKnown())
    return;
  SourceManager::Position begin = sources.position(range.file, range.begin),
                          end = sources.position(range.file, range.end);
  object["file"] = jsonText(sources.name(range.file));
  object["range"] = Object{{"begin", range.begin}, {"end", range.end},
                           {"line", begin.line},   {"column", begin.column},
                           {"endLine", end.line},  {"endColumn", end.column}};
}

llvm::json::Value diagnosticAsJson(const SourceManager &sources,
                                   const Diagnostic &diagnostic,
                                   Severity severity,
                                   const Occurrences &occurrences) {
  Object object{{"kind", llvm::StringRef(diagnostic.kind->name)},
                {"severity", severityName(severity)},
                {"message", jsonText(diagnostic.message)}};
  addPlace(object, sources, diagnostic.range);
  if (!diagnostic.jsonPath.empty())
    object["jsonPath"] = jsonText(diagnostic.jsonPath);
  if (occurrences.count > 1)
    object["count"] = occurrences.count;
  if (occurrences.instances > 1)
    object["instances"] = occurrences.instances;
  Array notes, fixIts;
  for (const Note &note : diagnostic.notes) {
    Object noted{{"message", jsonText(note.message)}};
    addPlace(noted, sources, note.range);
    notes.push_back(std::move(noted));
  }
  for (const FixIt &fixIt : diagnostic.fixIts) {
    Object fix{{"replacement", jsonText(fixIt.text)}};
    addPlace(fix, sources, fixIt.range);
    fixIts.push_back(std::move(fix));
  }
  if (!notes.empty())
    object["notes"] = std::move(notes);
  if (!fixIts.empty())
    object["fixIts"] = std::move(fixIts);
  return object;
}

} // namespace aoa
