//===- AttributeValues.h - The values of attributes, typed ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads what stands behind `=` as what the attribute wants: a whole number, a
// list of them, a word. What is something else is reported with what was
// expected, and then nothing is returned. A list may stand in quotes, which is
// the only way that the paddle dialect has.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_ATTRIBUTEVALUES_H
#define AOA_LIB_SEMA_ATTRIBUTEVALUES_H

#include "Reporter.h"
#include "aoa/Primitives/Primitives.h"

namespace aoa::sema {

class AttributeValues {
public:
  using Entries = llvm::SmallVector<int64_t, 4>;
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;

  AttributeValues(const ast::Statement &statement, ast::Dialect dialect,
                  Reporter &reporter)
      : statement(statement), dialect(dialect), reporter(reporter) {}

  std::optional<int64_t> wholeNumber(const ast::Attribute &attribute);
  /// A whole number of at least 1.
  std::optional<int64_t> count(const ast::Attribute &attribute);
  std::optional<primitives::Number> number(const ast::Attribute &attribute);
  /// `example` is for the message, without quotes: `[1, 0]`.
  std::optional<Entries> entries(const ast::Attribute &attribute,
                                 llvm::StringRef what, llvm::StringRef example);
  std::optional<Pairs> pairs(const ast::Attribute &attribute);
  /// A quoted text.
  std::optional<std::string> text(const ast::Attribute &attribute,
                                  llvm::StringRef example);
  /// One of `words`, bare or quoted: its index.
  std::optional<size_t> word(const ast::Attribute &attribute,
                             llvm::ArrayRef<llvm::StringLiteral> words);
  std::optional<DType> dtype(const ast::Attribute &attribute);

  /// Reports that the value is not what was expected.
  void fail(const ast::Attribute &attribute, const std::string &expected);

private:
  std::optional<ast::List> list(const ast::Attribute &attribute);

  const ast::Statement &statement;
  ast::Dialect dialect;
  Reporter &reporter;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_ATTRIBUTEVALUES_H
