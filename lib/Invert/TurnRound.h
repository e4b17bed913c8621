//===- TurnRound.h - Written statements from right to left ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   $$A.to_q.$$B -> $$A.q_proj.$$B
//     →  $$A.q_proj.$$B -> $$A.to_q.$$B
//   l.$LAYER_ID.gate^T, l.$LAYER_ID.up^T -> l.$LAYER_ID.fc1, fused_ffn, axis=1
//     →  l.$LAYER_ID.fc1^T -> l.$LAYER_ID.gate, l.$LAYER_ID.up, fused_ffn,
//          axis=0
//
// Guesses, which nothing here proves.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_TURNROUND_H
#define AOA_LIB_INVERT_TURNROUND_H

#include "FlatInverse.h"
#include "SameEffect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace aoa::invert {

class TurnRound {
public:
  /// Requires that all three outlive the object.
  TurnRound(const ast::Script &script, const ast::Script &expanded,
            const Forward &forward);

  /// The item of the script's body that each forward statement comes from; the
  /// number of items for one that comes from none.
  size_t itemOf(size_t forwardStatement) const {
    return items[forwardStatement];
  }

  /// The numbers that placeholders `$…_ID` stood for in a forward statement.
  std::vector<std::pair<std::string, int64_t>>
  placeholdersOf(size_t forwardStatement) const;

  /// Returns texts that may do what `flat` does, which undoes item `item`: the
  /// likeliest first, each once.
  std::vector<std::string> guess(size_t item, FlatStatements flat) const;

  /// Returns definitions of macros and variables that `text` may need, as they
  /// are written.
  std::string definitionsFor(const std::string &text) const;

private:
  /// A statement of the script, and the item of the body that it stands in.
  struct Place {
    const ast::Statement *statement;
    size_t item;
  };
  using Key = std::pair<unsigned, unsigned>; ///< File and first byte.
  static Key keyOf(SourceRange range) {
    return {range.isKnown() ? static_cast<unsigned>(range.file.index()) : ~2u,
            range.begin};
  }
  void index(llvm::ArrayRef<ast::Item> block, size_t item);
  /// Finds what the user wrote that made a statement; null for nothing.
  const Place *find(const ast::Statement &statement) const;

  // Nothing where there is no guess of that number.
  std::optional<std::string> turnBlock(llvm::ArrayRef<ast::Item> block,
                                       unsigned guess, FlatStatements flat,
                                       const std::string &indent) const;
  std::optional<std::string> turn(const ast::Item &item, unsigned guess,
                                  FlatStatements flat,
                                  const std::string &indent) const;
  std::optional<ast::Statement> turnStatement(const ast::Statement &statement,
                                              unsigned guess,
                                              FlatStatements flat) const;
  bool turnNames(ast::Statement &turned, bool &isTransposed) const;
  bool useAttributes(const ast::Statement &statement, ast::Statement &turned,
                     unsigned guess, bool isTransposed,
                     FlatStatements flat) const;
  const ir::Op *rearrangeOf(FlatStatements flat) const;
  bool flipAxis(ast::Statement &turned, FlatStatements flat) const;

  const ast::Script &script;
  const Forward &forward;
  const ast::Script &expanded;
  llvm::StringSet<> tags;
  llvm::DenseMap<Key, Place> written;
  std::vector<size_t> items;
};

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_TURNROUND_H
