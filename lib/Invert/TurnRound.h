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

#include <map>
#include <set>

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

  /// A macro or variable of the script, as it is written, and its item.
  struct Definition {
    size_t item;
    std::string text;
  };

  /// Returns what `text` may need, in the order of the script, but for the
  /// items of `broken`.
  std::vector<Definition> definitionsFor(llvm::StringRef text,
                                         const std::set<size_t> &broken) const;

private:
  /// A statement of the script, and the item of the body that it stands in.
  struct Place {
    const ast::Statement *statement;
    size_t item;
  };
  using Begin = std::pair<FileId, uint32_t>; ///< Of a range.
  static Begin beginOf(SourceRange range) { return {range.file, range.begin}; }
  void index(llvm::ArrayRef<ast::Item> block, size_t item);
  /// Finds what the user wrote that made a statement; null for nothing.
  const Place *find(const ast::Statement &statement) const;

  /// What undoes each written statement.
  using ByStatement = llvm::DenseMap<const ast::Statement *,
                                     std::vector<const FlatStatement *>>;
  static bool undoesAny(llvm::ArrayRef<ast::Item> block,
                        const ByStatement &flat);

  // Nothing where there is no guess of that number.
  std::optional<std::string> turnBlock(llvm::ArrayRef<ast::Item> block,
                                       unsigned guess, const ByStatement &flat,
                                       const std::string &indent) const;
  std::optional<std::string> turn(const ast::Item &item, unsigned guess,
                                  const ByStatement &flat,
                                  const std::string &indent) const;
  std::optional<std::string> turnChoice(const ast::If &choice, unsigned guess,
                                        const ByStatement &flat,
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
  std::map<Begin, Place> written; ///< Statements do not overlap.
  std::vector<size_t> items;
};

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_TURNROUND_H
