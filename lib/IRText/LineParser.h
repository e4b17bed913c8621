//===- LineParser.h - The generated parser, a line at a time ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs lexer and parser of grammar/Aoir*.g4 over single lines, so that what
// ANTLR keeps is bounded by a line. No exception of ANTLR's leaves this class.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_IRTEXT_LINEPARSER_H
#define AOA_LIB_IRTEXT_LINEPARSER_H

#include "AoirLexer.h"
#include "AoirParser.h"
#include "aoa/Parse/ByteStream.h"
#include "aoa/Support/Diagnostic.h"

namespace aoa::irtext {

class LineParser {
public:
  explicit LineParser(FileId file);

  /// Parses a line that begins at byte `begin` of the file. Reports a syntax
  /// error and returns null then. The tree lives until the next call; the
  /// positions of its tokens are those in the line.
  grammar::AoirParser::LineContext *parse(llvm::StringRef line, uint32_t begin,
                                          DiagnosticSink &sink);

private:
  FileId file;
  parse::ByteStream bytes;
  grammar::AoirLexer lexer;
  antlr4::CommonTokenStream tokens;
  grammar::AoirParser parser;
};

} // namespace aoa::irtext

#endif // AOA_LIB_IRTEXT_LINEPARSER_H
