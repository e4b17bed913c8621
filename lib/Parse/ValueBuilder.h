//===- ValueBuilder.h - What stands behind `=` and in `${…}` ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_VALUEBUILDER_H
#define AOA_PARSE_VALUEBUILDER_H

#include "TreeReader.h"

namespace aoa::parse {

/// Builds values and expressions. ANTLR knows where an expression ends, the
/// parser of expressions what it is.
class ValueBuilder : protected TreeReader {
protected:
  using TreeReader::TreeReader;

  /// The value of an attribute. Recursive; checkNesting bounds the depth.
  ast::Value buildValue(Node &node);
  /// A number, or an expression: words are variables here.
  ast::Value buildBound(Node &node);
  /// An expression whatever it is: numbers and words, too.
  ast::ExprRef buildExpr(Node &node);
  /// A name or the inside of a string with `${…}`.
  ast::ExprRef buildText(Node &composed);
  /// A string, with or without `${…}`, as a Text.
  ast::ExprRef buildString(antlr4::tree::ParseTree *node);

  bool isString(const Node &composed) const;

private:
  std::optional<bool> signOf(const Node &node) const;
  ast::Value buildList(Node &node, SourceRange range);
  std::string textOfString(llvm::StringRef text) const;
  int64_t integerOf(SourceRange range, llvm::StringRef digits,
                    llvm::StringRef sign);
  double floatOf(SourceRange range, llvm::StringRef digits, bool isNegative);
  ast::ExprRef keep(ExprResult<Expr> parsed, std::string written);
};

} // namespace aoa::parse

#endif // AOA_PARSE_VALUEBUILDER_H
