//===- ParsedText.h - A script in a test ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_PARSE_PARSEDTEXT_H
#define AOA_UNITTESTS_PARSE_PARSEDTEXT_H

#include "aoa/Parse/Parse.h"

namespace aoa {

/// A text, what it parses to and what was reported about it.
struct ParsedText {
  explicit ParsedText(std::string text,
                      ast::Dialect dialect = ast::Dialect::Aoa) {
    file = sources.add("t.aoa", std::move(text));
    script = parseScript(sources, file, dialect, found);
  }

  /// The reports as `line:column: message [kind]`, one a line, notes indented.
  std::string reports() const {
    std::string all;
    for (const Diagnostic &report : found.list) {
      all += at(report.range) + ": " + report.message + " [" +
             std::string(report.kind->name) + "]\n";
      for (const Note &note : report.notes)
        all += "  " + at(note.range) + ": " + note.message + "\n";
    }
    return all;
  }
  std::string at(SourceRange range) const {
    range = sources.resolve(range);
    SourceManager::Position position =
        sources.position(range.file, range.begin);
    return std::to_string(position.line) + ":" +
           std::to_string(position.column);
  }
  std::string textOf(SourceRange range) const {
    return sources.text(range.file).slice(range.begin, range.end).str();
  }
  std::string printed() const { return ast::printScript(script); }

  SourceManager sources;
  FileId file;
  DiagnosticList found;
  ast::Script script;
};

/// The canonical text of a script, or its reports if it has any.
inline std::string parsed(std::string text,
                          ast::Dialect dialect = ast::Dialect::Aoa) {
  ParsedText parsed(std::move(text), dialect);
  return parsed.found.list.empty() ? parsed.printed() : parsed.reports();
}
inline std::string paddle(std::string text) {
  return parsed(std::move(text), ast::Dialect::Paddle);
}

} // namespace aoa

#endif // AOA_UNITTESTS_PARSE_PARSEDTEXT_H
