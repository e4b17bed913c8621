//===- NameIndex.h - Names by what they look like ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds the names that a template can fit without looking at all of them: names
// are kept by signature, which is the name with each run of digits replaced by
// `#`. `l.3.e.10.w` and `l.$LAYER_ID.e.*.w` have the signature `l.#.e.#.w`.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_NAMEINDEX_H
#define AOA_LIB_EXPAND_NAMEINDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace aoa::expand {

/// Returns the signature of `name`.
std::string signatureOf(llvm::StringRef name);

class NameIndex {
public:
  /// Adds a name that nothing has read yet.
  void add(llvm::StringRef name);
  void remove(llvm::StringRef name);
  void markRead(llvm::StringRef name);
  bool contains(llvm::StringRef name) const;

  /// The names that have been added and neither read nor removed since. They
  /// live as long as the index. Cost: names that went since the last call, and
  /// what is returned.
  std::vector<llvm::StringRef> unread();

  /// The names with this signature, in the order they were first added. They
  /// live as long as the index.
  std::vector<llvm::StringRef> withSignature(llvm::StringRef signature) const;

  /// Returns a name whose signature is nearest to `signature`, or an empty
  /// text if none is near. Cost: the number of signatures, not of names.
  llvm::StringRef nearest(llvm::StringRef signature) const;

private:
  struct State {
    bool isLive = true; ///< False: removed.
    bool isRead = false;
    bool isListed = true; ///< In unreadNames.
  };
  using Entry = llvm::StringMapEntry<State>;

  llvm::StringMap<State> names;
  llvm::StringMap<std::vector<const Entry *>> bySignature;
  std::vector<Entry *> unreadNames;        ///< And some that are not any more.
  std::vector<llvm::StringRef> signatures; ///< In order of first use.
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_NAMEINDEX_H
