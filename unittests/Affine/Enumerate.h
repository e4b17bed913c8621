//===- Enumerate.h - Relations element by element ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the operations are tested against: a set of pieces as the sorted list of
// its pairs of addresses, and pieces to make such lists from, all small ones
// and random ones.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_AFFINE_ENUMERATE_H
#define AOA_UNITTESTS_AFFINE_ENUMERATE_H

#include "aoa/Affine/PieceSet.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace aoa::affine::test {

/// One element.
struct Pair {
  int64_t src, dst;
  PieceSet::Tag tag = 0;
  friend auto operator<=>(const Pair &, const Pair &) = default;
};
std::ostream &operator<<(std::ostream &os, const Pair &pair);
using Pairs = std::vector<Pair>; ///< Sorted; an element seen twice is twice.

Pairs pairsOf(const Piece &piece, PieceSet::Tag tag = 0);
Pairs pairsOf(const PieceSet &set);
/// The addresses of one side, sorted; one seen twice is twice.
std::vector<int64_t> addressesOf(const PieceSet &set, Side side);
/// The pairs (a, c) with a b in both; tags are combined as 1000 · a's + c's.
Pairs composed(const Pairs &aToB, const Pairs &bToC);

std::string text(const Piece &piece);
std::string text(const PieceSet &set); ///< A line a piece, with its tag.

/// Calls `visit` for every shape of `rank` with extents of `least` to `most`.
void forEachShape(unsigned rank, int64_t least, int64_t most,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);
/// Calls `visit` for every order of `rank` dimensions.
void forEachOrder(unsigned rank,
                  llvm::function_ref<void(llvm::ArrayRef<unsigned>)> visit);
/// Returns the dimensions of `piece` in another order.
Piece permuted(const Piece &piece, llvm::ArrayRef<unsigned> order);
/// Returns the strides of a buffer in which the dimensions of `shape` lie in
/// `order`, largest stride first.
Extents stridesInOrder(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<unsigned> order);
/// Calls `visit` with the block shape and the view of every strided sub-view of
/// a row-major tensor: every begin, step and extent a dimension. With
/// `repeats`, also those that see one index twice instead of moving.
void forEachSubview(
    llvm::ArrayRef<int64_t> shape, bool repeats,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, const StridedView &)>
        visit);

/// Random test data. The seed is that of the environment variable
/// AOA_TEST_SEED, or a fixed one; tests print it (SCOPED_TRACE).
class Random {
public:
  Random();
  explicit Random(uint64_t seed) : theSeed(seed), engine(seed) {}
  uint64_t seed() const { return theSeed; }
  std::string trace() const; ///< "AOA_TEST_SEED=7"
  /// In [least, most].
  int64_t number(int64_t least, int64_t most);
  bool chance(int oneIn) { return number(1, oneIn) == 1; }
  template <typename T> void shuffle(std::vector<T> &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[number(0, i - 1)]);
  }

  Extents shape(unsigned maxRank, int64_t maxExtent, bool zeros = false);
  std::vector<unsigned> order(unsigned rank);
  /// Strides of one place an element for dimensions in some order, now and then
  /// with gaps.
  Extents strides(llvm::ArrayRef<int64_t> shape);
  /// A piece whose addresses are each seen once on either side. With `repeats`
  /// src may see some twice.
  Piece piece(unsigned maxRank, int64_t maxExtent, bool repeats = false);
  /// A piece into (or out of, by `side`) a buffer of `shape`: a strided box of
  /// it, its dimensions in any order. The other side is as in `piece`.
  Piece pieceOf(llvm::ArrayRef<int64_t> shape, Side side);
  /// `piece` cut at `numCuts` random planes, shuffled.
  std::vector<Piece> cutAtRandom(const Piece &piece, unsigned numCuts);

private:
  uint64_t theSeed;
  std::mt19937_64 engine;
};

/// How many random cases a test runs: `cases`, or AOA_TEST_CASES where set.
int64_t numRandomCases(int64_t cases);

} // namespace aoa::affine::test

#endif // AOA_UNITTESTS_AFFINE_ENUMERATE_H
