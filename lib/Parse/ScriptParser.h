//===- ScriptParser.h - The generated parser at work ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the parser of grammar/AoaParser.g4 over a token list and owns what it
// makes. The first try predicts by SLL and stops at the first fault; only a
// text with a fault is read a second time, by LL, reporting. No exception of
// ANTLR's leaves this class.
//===----------------------------------------------------------------------===//
#ifndef AOA_PARSE_SCRIPTPARSER_H
#define AOA_PARSE_SCRIPTPARSER_H

#include "AoaParser.h"
#include "TokenList.h"

#include <memory>

namespace aoa::parse {

class ScriptParser {
public:
  /// Requires that the list passed checkNesting.
  explicit ScriptParser(const TokenList &list);
  ~ScriptParser();

  /// Parses and reports every syntax error. Items and heads of blocks with one
  /// have their `exception` set; a block without a `{` is an error, too. The
  /// tree lives as long as the parser; its tokens carry their index in the
  /// list.
  grammar::AoaParser::ProgramContext *parse(DiagnosticSink &sink);

private:
  class Tokens;
  const TokenList &list;
  std::unique_ptr<Tokens> source;
  std::unique_ptr<antlr4::CommonTokenStream> stream;
  std::unique_ptr<grammar::AoaParser> parser;
};

} // namespace aoa::parse

#endif // AOA_PARSE_SCRIPTPARSER_H
