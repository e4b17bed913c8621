//===- MacroTable.h - The macros that tags name -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Those of the prelude, and those that the script has defined so far. Macros of
// one tag differ in their numbers of names.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_MACROTABLE_H
#define AOA_LIB_EXPAND_MACROTABLE_H

#include "aoa/AST/Script.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace aoa::expand {

/// A macro as calls use it.
struct KnownMacro {
  const ast::MacroDefinition *definition = nullptr;
  ast::Block body; ///< With tags told apart from names.
  bool isBuiltIn = false;
  bool isFaulty = false; ///< Which has been reported.
  /// Whether the body itself asks in how many parts tensors are cut: its calls
  /// wait until all statements have their names.
  bool asksDegrees = false;
  size_t numGlobals = 0; ///< Variables of the top level that the body sees.
  /// How many macros the script had defined before it. Bodies call those only.
  size_t number = 0;

  bool takes(size_t numLeft, size_t numRight) const {
    return definition->left.size() == numLeft &&
           definition->right.size() == numRight;
  }
};

class MacroTable {
public:
  /// Whether a word names a macro by now.
  bool isTag(llvm::StringRef word) const { return known.contains(word); }
  /// The tags there are by now, in order of definition.
  llvm::ArrayRef<std::string> tags() const { return allTags; }

  using Overloads = std::vector<std::unique_ptr<KnownMacro>>;
  /// The macros of a tag; empty for what is none.
  const Overloads &overloads(llvm::StringRef tag) const;
  const KnownMacro *find(llvm::StringRef tag, size_t numLeft,
                         size_t numRight) const;

  void define(KnownMacro macro);

  MacroTable();

private:
  void addTag(llvm::StringRef tag);

  std::vector<std::string> allTags;
  llvm::StringSet<> known; ///< The same.
  size_t numDefined = 0;
  /// The overloads of built-in tags are made when they are asked for.
  mutable llvm::StringMap<Overloads> macros;
};

/// The macros that are built in, parsed once.
const ast::Script &prelude();

/// Whether `block` asks `src_degree` or `dst_degree`.
bool asksDegrees(const ast::Block &block);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_MACROTABLE_H
