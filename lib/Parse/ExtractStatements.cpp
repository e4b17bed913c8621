//===- ExtractStatements.cpp - A script within a JSON file ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Parse/Parse.h"
#include "aoa/Parse/ParseDiagnostics.h"
#include "aoa/Support/JsonReader.h"
#include "aoa/Support/NearestName.h"

#include "llvm/Support/ConvertUTF.h"

#include <array>

namespace aoa {

namespace {
constexpr std::array<std::string_view, 3> knownFields = {
    "aoa_statements", "aoa_config_reverse", "enable_traceback"};

class Extraction {
public:
  Extraction(SourceManager &sources, FileId json, bool &isReversed,
             DiagnosticSink &sink)
      : sources(sources), json(json), isReversed(isReversed), sink(sink) {}

  std::optional<FileId> extract() {
    unsigned errorsBefore = sink.numErrors();
    auto document = JsonDocument::parse(sources.text(json));
    if (!document) {
      reportFault(document.error());
      return std::nullopt;
    }
    if (!document->root().isObject()) {
      fault(diag::ScriptJson, document->root(),
            "found " + describeKind(document->root()) +
                ", expected an object with `aoa_statements`");
      return std::nullopt;
    }
    std::optional<JsonValue> statements;
    for (auto [key, value] : document->root().members())
      readField(key, value, statements);
    std::optional<FileId> script = makeScript(statements);
    if (sink.numErrors() != errorsBefore)
      return std::nullopt;
    return script;
  }

private:
  struct Piece {
    uint32_t begin, end;
    SourceRange at;
  };

  static std::string describeKind(JsonValue value) {
    return std::string(describe(value.kind()));
  }

  void fault(const DiagnosticKind &kind, JsonValue at, std::string message) {
    sink.report({.kind = &kind,
                 .range = {json, at.begin(), at.end()},
                 .message = std::move(message),
                 .jsonPath = at.path()});
  }

  void reportFault(const JsonFault &found) {
    Diagnostic error{.kind = &diag::ScriptJson,
                     .range = {json, found.begin, found.end},
                     .message = found.message,
                     .jsonPath = found.path};
    if (found.isDuplicateName())
      error.notes.push_back(
          {{json, found.firstBegin, found.firstEnd}, "the first one"});
    sink.report(std::move(error));
  }

  void readField(JsonValue key, JsonValue value,
                 std::optional<JsonValue> &statements) {
    if (key.str() == "aoa_statements") {
      statements = value;
    } else if (key.str() == "aoa_config_reverse") {
      if (!value.isBool())
        fault(diag::ScriptJson, value,
              "found " + describeKind(value) + ", expected true or false");
      else
        isReversed = value.boolean();
    } else if (key.str() != "enable_traceback") {
      fault(diag::UnknownScriptField, key,
            "unknown field `" + std::string(key.str()) + "`" +
                nearestName(key.str(), knownFields).hint());
    }
  }

  /// Adds the script, one string a line. A missing list is an empty one, as
  /// upstream has it.
  std::optional<FileId> makeScript(std::optional<JsonValue> statements) {
    std::string text;
    std::vector<Piece> pieces;
    if (statements && !statements->isArray()) {
      fault(diag::ScriptJson, *statements,
            "found " + describeKind(*statements) +
                ", expected a list of strings");
      return std::nullopt;
    }
    if (statements) {
      for (JsonValue statement : statements->elements()) {
        if (!statement.isString()) {
          fault(diag::ScriptJson, statement,
                "found " + describeKind(statement) +
                    ", expected a string with a statement");
          continue;
        }
        addPieces(statement, static_cast<uint32_t>(text.size()), pieces);
        text += statement.str();
        text += '\n';
      }
    }
    FileId script = sources.add(sources.name(json).str(), std::move(text));
    for (const Piece &piece : pieces)
      sources.mapRange(script, piece.begin, piece.end, piece.at);
    return script;
  }

  /// Where the characters of a string, which begins at `begin` of the script,
  /// stand in the JSON text: runs without an escape, and each escape.
  void addPieces(JsonValue string, uint32_t begin,
                 std::vector<Piece> &pieces) const {
    uint32_t at = string.begin() + 1;
    std::string_view text = string.str();
    std::string_view raw = string.rawText().substr(1);
    raw.remove_suffix(1);
    auto add = [&](size_t length, size_t rawLength) {
      auto end = static_cast<uint32_t>(begin + length);
      auto atEnd = static_cast<uint32_t>(at + rawLength);
      pieces.push_back({begin, end, {json, at, atEnd}});
      text.remove_prefix(length);
      raw.remove_prefix(rawLength);
      begin = end;
      at = atEnd;
    };
    while (!raw.empty()) {
      if (size_t run = std::min(raw.find('\\'), raw.size()))
        add(run, run);
      if (raw.empty())
        break;
      size_t length = llvm::getNumBytesForUTF8(text.front());
      // Four bytes are a pair of surrogates.
      add(length, raw[1] != 'u' ? 2 : length == 4 ? 12 : 6);
    }
  }

  SourceManager &sources;
  FileId json;
  bool &isReversed;
  DiagnosticSink &sink;
};
} // namespace

bool isJsonScript(llvm::StringRef text) {
  text.consume_front("\xEF\xBB\xBF"); // the JSON reader says what is wrong
  text = text.ltrim();
  return text.starts_with("{") || text.starts_with("[");
}

std::optional<FileId> extractStatements(SourceManager &sources, FileId json,
                                        bool &isReversed,
                                        DiagnosticSink &sink) {
  return Extraction(sources, json, isReversed, sink).extract();
}

} // namespace aoa
