//===- NameTable.h - What names stand for, in order -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A left name is looked up among the names bound so far, then among the
// source's tensors. The table remembers for each what was read and removed
// where, which is all that the checks on names need.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_NAMETABLE_H
#define AOA_LIB_SEMA_NAMETABLE_H

#include "Reporter.h"
#include "aoa/Catalog/Catalog.h"
#include "aoa/IR/Program.h"
#include "aoa/Support/NearestName.h"
#include "llvm/ADT/StringMap.h"

namespace aoa::sema {

/// One meaning of a name: a binding, or a tensor of the source.
struct Meaning {
  ir::ValueId value; ///< None after an error in the statement that binds it.
  /// Of the binding; none for a tensor of the source.
  const ast::Statement *statement = nullptr;
  SourceRange range;
  unsigned numReads = 0;
  bool isMoved = false; ///< Read by something that does not copy.
  SourceRange firstRead;
  bool removed = false;
  SourceRange removedAt;

  bool isUntouched() const { return numReads == 0 && !removed; }
  /// Whether the name is a result where nothing is listed.
  bool isKept() const { return !isMoved && !removed; }
};

class NameTable {
public:
  NameTable(const ast::Script &script, const Catalog &source);

  /// The key of a name: `%x` and `"%x"` are two.
  static std::string keyOf(const ast::Name &name);
  /// The key of a tensor of the source or the target.
  static std::string keyOf(llvm::StringRef tensorName);
  static bool isTemporary(llvm::StringRef key) { return key.starts_with("%"); }
  static llvm::StringRef nameOfKey(llvm::StringRef key);

  /// Returns what `name` means now, or null.
  Meaning *find(const ast::Name &name);
  Meaning *findBound(llvm::StringRef key);
  /// Returns the tensor of the source, also if a binding hides it.
  Meaning *findSource(llvm::StringRef tensorName);

  /// Gives `key` a new meaning; the caller has checked the old one.
  void bind(llvm::StringRef key, Meaning meaning);

  /// Meanings of the source's tensors, in the order of the catalog.
  std::vector<Meaning> sources;
  /// Keys in the order in which they were first bound.
  std::vector<llvm::StringRef> boundKeys;

  /// Finds what a name that means nothing is nearest to among the names bound
  /// so far and the source's. The effort of all calls together is bounded: a
  /// script of unknown names stays fast.
  NearestName nearest(llvm::StringRef wanted);
  /// Returns the first binding of `name` in the whole script, or null.
  const ast::Name *findLaterBinding(const ast::Name &name);

private:
  const ast::Script &script;
  const Catalog &source;
  llvm::StringMap<unsigned> sourceIndex;
  llvm::StringMap<Meaning> bound;
  std::optional<llvm::StringMap<const ast::Name *>> allBindings;
  int64_t comparisonsLeft = 4'000'000;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_NAMETABLE_H
