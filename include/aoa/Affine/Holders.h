//===- Holders.h - Who holds which part of a tensor -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Several ranks may hold an element. A piece is homogeneous when all its
// elements have the same holders; then what is said of the piece (who can be
// asked for it, who must agree about it) holds for each element.
//
//   rank 0 holds rows 0-3 of 6, rank 1 rows 2-5
//     →  rows 0-1 {0}, rows 2-3 {0, 1}, rows 4-5 {1}
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_HOLDERS_H
#define AOA_AFFINE_HOLDERS_H

#include "aoa/Affine/PieceSet.h"
#include "aoa/Support/TypedId.h"

#include <unordered_map>

namespace aoa::affine {

using RankSetId = TypedId<struct RankSetTag>;

/// Sets of ranks (or of other small numbers), each stored once.
class RankSets {
public:
  /// Returns the number of a set: equal numbers, equal sets. Requires ascending
  /// ranks. Cost: linear in the ranks.
  RankSetId intern(llvm::ArrayRef<uint32_t> ranks);
  llvm::ArrayRef<uint32_t> operator[](RankSetId id) const {
    return all[id.index()];
  }
  size_t size() const { return all.size(); }

private:
  std::vector<std::vector<uint32_t>> all;
  std::unordered_multimap<uint64_t, RankSetId> byHash;
};

/// Prints `{0..3, 7}`.
void printRanks(llvm::raw_ostream &os, llvm::ArrayRef<uint32_t> ranks);

/// A set whose pieces are homogeneous.
struct HomogeneousSet {
  PieceSet pieces; ///< Tag and order of the pieces they were cut from.
  std::vector<RankSetId> holders; ///< Of each piece.
};

/// Cuts the pieces of `set` where the holders of their addresses on `side`
/// change. `holdersOf(tag)` says who holds a piece with this tag. Regions that
/// are cut at different boundaries by different holders are cut at all of them.
/// The parts of a piece stand in the order of their address on `side`; a piece
/// that is not cut stays as it is. Cost: near-linear in the result, and linear
/// where no two pieces meet and they are sorted cuts of one axis.
HomogeneousSet splitHomogeneous(
    const PieceSet &set, Side side,
    llvm::function_ref<llvm::ArrayRef<uint32_t>(PieceSet::Tag)> holdersOf,
    RankSets &rankSets);

/// Two pieces that say different holders about one address.
struct HolderConflict {
  int64_t address;
  size_t first, second;
  friend bool operator==(const HolderConflict &,
                         const HolderConflict &) = default;
};
/// Checks the law on pieces that already claim holders: all pieces that meet at
/// an address on `side` claim one set. Cost: near-linear in the pieces.
std::optional<HolderConflict>
checkHomogeneous(const PieceSet &set, Side side,
                 llvm::ArrayRef<RankSetId> holders);

} // namespace aoa::affine

#endif // AOA_AFFINE_HOLDERS_H
