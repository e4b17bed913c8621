//===- NameChain.h - Who binds and who reads a name -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The statements that bind and read each name, once all names are final. Macros
// follow it to the source or to the target to learn in how many parts their
// tensor is cut there.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_NAMECHAIN_H
#define AOA_LIB_EXPAND_NAMECHAIN_H

#include "Expander.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace aoa::expand {

class NameChain {
public:
  /// Requires that `statements` outlives the chain unchanged.
  explicit NameChain(const Statements &statements);

  const Statements &statements() const { return all; }

  /// The last statement before `index` that binds `name`.
  std::optional<size_t> bindingBefore(llvm::StringRef name, size_t index) const;
  /// The first statement behind `index` that binds `name`.
  std::optional<size_t> bindingBehind(llvm::StringRef name, size_t index) const;
  /// The statements that read what statement `index` bound to `name`.
  std::vector<size_t> readersOf(llvm::StringRef name, size_t index) const;

  /// The last statement that binds, and that reads, a name: upstream's view, in
  /// which a name has one meaning in the whole program.
  std::optional<size_t> lastBinding(llvm::StringRef name) const;
  std::optional<size_t> lastReader(llvm::StringRef name) const;

  /// For how many ranks the macro of statement `index` arranged its result.
  void setDegree(size_t index, int64_t degree) { degrees[index] = degree; }
  std::optional<int64_t> degree(size_t index) const;

private:
  struct Uses {
    std::vector<uint32_t> binds, reads; ///< Ascending.
  };
  const Uses *find(llvm::StringRef name) const;
  void index() const;

  const Statements &all;
  /// Made when the first macro asks: most scripts never do.
  mutable bool isIndexed = false;
  mutable llvm::StringMap<Uses> usesOf;
  llvm::DenseMap<size_t, int64_t> degrees;
};

/// Reports a statement without a tag that has several names on both sides.
bool checkSides(Expander &expander, const ast::Statement &statement);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_NAMECHAIN_H
