//===- LineParser.cpp - The generated parser, a line at a time --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "LineParser.h"

#include "aoa/IRText/IRTextDiagnostics.h"

using aoa::grammar::AoirParser;

namespace aoa::irtext {

namespace {
/// What ANTLR takes for a line grows with its tokens, a few hundred bytes each.
constexpr size_t longestLine = size_t(4) << 20;
constexpr size_t longestQuote = 40; // of a token's text in a message

/// Passes the first fault of a line on to the caller.
class StopAtFault final : public antlr4::DefaultErrorStrategy {
public:
  void reportError(antlr4::Parser *,
                   const antlr4::RecognitionException &) override {}
  void recover(antlr4::Parser *, std::exception_ptr fault) override {
    std::rethrow_exception(fault);
  }
  antlr4::Token *recoverInline(antlr4::Parser *parser) override {
    throw antlr4::InputMismatchException(parser);
  }
  void sync(antlr4::Parser *) override {}
};

/// What a line that begins with `first` looks like.
std::string_view formOf(size_t first) {
  switch (first) {
  case AoirParser::AOIR:
    return "`aoir 1`";
  case AoirParser::SOURCE:
    return "`source NAME : F32 [2, 3]`, with `{` behind it where shards follow";
  case AoirParser::GRAPH:
    return "`graph {`";
  case AoirParser::RESULT:
    return "`result NAME = %1`, or `result NAME = %1 : F32 [2, 3] {`";
  case AoirParser::COMPARE:
    return "`compare %0, %1`, or `compare 0 NAME = %1 : F32 [2, 3] {`";
  case AoirParser::LAYOUT:
    return "`layout NAME {`, or `layout NAME pad 0.5 {`";
  case AoirParser::TRANSFER:
    return "`transfer NAME = F32 [2, 3] {`, or `transfer compare 0 NAME = F32 "
           "[2, "
           "3] {`";
  case AoirParser::SHARD:
    return "`shard 0 on ranks {0..3} [2, 3] {`";
  case AoirParser::BOX:
    return "`box [2, 3] full [0, 0] shard [0, 0]`";
  case AoirParser::BLOCK:
    return "`block [2, 3] full{0 : 3, 1} shard{0 : 3, 1}`";
  case AoirParser::PIECE:
    return "`piece [2, 3] NAME{0 : 3, 1} NAME{0 : 3, 1}`, perhaps with `cast "
           "F32 -> F64` or `by %1` behind it";
  case AoirParser::VALUE:
    return "an operation as `%2 = merge %0, %1 axis=0 : F32 [2, 3] as NAME`";
  default: // a kind of token, not an enumeration of ours
    return "aoir, source, graph, result, compare, layout, transfer, shard, "
           "box, "
           "block, piece, an operation as `remove %0`, or `}`";
  }
}

std::string describe(llvm::StringRef line, const antlr4::Token &token) {
  if (token.getType() == antlr4::Token::EOF)
    return "the end of the line";
  llvm::StringRef text =
      line.slice(token.getStartIndex(), token.getStopIndex() + 1);
  return "`" + text.take_front(longestQuote).str() +
         (text.size() > longestQuote ? "…`" : "`");
}
} // namespace

LineParser::LineParser(FileId file)
    : file(file), bytes(""), lexer(&bytes), tokens(&lexer), parser(&tokens) {
  lexer.removeErrorListeners();
  parser.removeErrorListeners();
  parser.setErrorHandler(std::make_shared<StopAtFault>());
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
}

AoirParser::LineContext *LineParser::parse(llvm::StringRef line, uint32_t begin,
                                           DiagnosticSink &sink) {
  if (line.size() > longestLine) {
    sink.report({&diag::IRSyntax,
                 {file, begin, begin},
                 "a line of " + std::to_string(line.size()) +
                     " bytes, expected at most " +
                     std::to_string(longestLine)});
    return nullptr;
  }
  bytes.setText(line);
  lexer.setInputStream(&bytes);
  tokens.setTokenSource(&lexer);
  parser.setTokenStream(&tokens);
  try {
    return parser.line();
  } catch (const antlr4::RecognitionException &fault) {
    const antlr4::Token &token = *fault.getOffendingToken();
    auto at = static_cast<uint32_t>(
        std::min<size_t>(token.getStartIndex(), line.size()));
    auto end = token.getType() == antlr4::Token::EOF
                   ? at
                   : static_cast<uint32_t>(token.getStopIndex() + 1);
    sink.report({&diag::IRSyntax,
                 {file, begin + at, begin + end},
                 "found " + describe(line, token) + ", expected " +
                     std::string(formOf(tokens.get(0)->getType()))});
    return nullptr;
  }
}

} // namespace aoa::irtext
