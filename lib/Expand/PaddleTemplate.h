//===- PaddleTemplate.h - Upstream's templates ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What upstream's two placeholder passes share: the first name with a
// placeholder (of a reversed script: the first such right name) is the pattern,
// all names must have its placeholders, ids come from the source's names alone,
// and a pattern that fits none makes the statement vanish (reported as a
// warning here).
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_PADDLETEMPLATE_H
#define AOA_LIB_EXPAND_PADDLETEMPLATE_H

#include "Expander.h"
#include "Placeholders.h"

namespace aoa::expand {

class PaddleTemplate {
public:
  /// Requires that `statement` outlives the template.
  PaddleTemplate(Expander &expander, const ast::Statement &statement,
                 PlaceholderRule rule);

  bool isPresent() const { return patternName != nullptr; }
  const ast::Name &name() const { return *patternName; }
  const NameTemplate &shape() const { return patternShape; }
  unsigned numPlaceholders() const { return placeholders.size(); }
  llvm::StringRef placeholder(unsigned p) const { return placeholders[p]; }
  /// The ids of placeholder p, ascending, without leading zeros.
  llvm::ArrayRef<std::string> ids(unsigned p) const { return idsOf[p]; }

  /// Reports the first name that lacks a placeholder, or that has one twice.
  bool isInAllNames();
  /// Fills `ids`; reports a pattern that fits nothing.
  bool findIds(bool seesTransposed);
  /// The statement with these ids on the two sides.
  ast::Statement instance(llvm::ArrayRef<std::string> leftIds,
                          llvm::ArrayRef<std::string> rightIds);

private:
  Expander &expander;
  const ast::Statement &statement;
  PlaceholderRule rule;
  const ast::Name *patternName = nullptr;
  NameTemplate patternShape;
  PlaceholderNames placeholders;
  std::vector<std::vector<std::string>> idsOf;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_PADDLETEMPLATE_H
