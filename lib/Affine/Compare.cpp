//===- Compare.cpp - Whether two sets are one relation ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tag by tag, a relation is a function of the dst address. Seen as boxes of dst
// digits, every box of the one set meets boxes of the other; where they meet,
// two affine maps agree if they do at one corner and along every dimension. A
// box whose meetings do not add up to its volume has an address that the other
// set lacks.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Compare.h"
#include "BoxJoin.h"

#include "aoa/Affine/Digits.h"
#include "aoa/Affine/Intersect.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

namespace {
using Entries = llvm::ArrayRef<PieceSet::Entry>;

/// Where two boxes of dst digits meet, and their src addresses.
struct Shared {
  llvm::ArrayRef<int64_t> low, extent; ///< Of what they share.
  DigitBox a, b;
};

int64_t otherAt(const DigitBox &box, llvm::ArrayRef<int64_t> digits) {
  int64_t address = box.otherOffset;
  for (unsigned i = 0; i < digits.size(); ++i)
    address += (digits[i] - box.low[i]) * box.otherStrides[i];
  return address;
}

int64_t volumeOf(llvm::ArrayRef<int64_t> extent) {
  int64_t volume = 1;
  for (int64_t side : extent)
    volume *= side;
  return volume;
}

int64_t addressOf(llvm::ArrayRef<int64_t> index, const Digits &digits) {
  int64_t address = 0;
  for (unsigned i = 0; i < index.size(); ++i)
    address += index[i] * digits.stride(i);
  return address;
}

/// Returns an element of what two boxes share on which the maps differ.
std::optional<Extents> differenceOn(const Shared &shared) {
  Extents index(shared.low);
  if (otherAt(shared.a, index) != otherAt(shared.b, index))
    return index;
  for (unsigned i = 0; i < index.size(); ++i)
    if (shared.extent[i] > 1 &&
        shared.a.otherStrides[i] != shared.b.otherStrides[i]) {
      ++index[i];
      return index;
    }
  return std::nullopt;
}

/// Calls `visit(i, j, meeting)` for boxes of pieces a[i] and b[j] that meet;
/// stops when that returns false.
template <typename Visit>
void forEachMeeting(const BoxJoin &join, const Digits &digits,
                    const Visit &visit) {
  if (join.isSweep()) {
    const BoxList &a = join.boxesOfA(), &b = join.boxesOfB();
    BandSweep sweep(a, b);
    llvm::SmallVector<int64_t, 8> lowOfA(digits.size()), lowOfB(lowOfA);
    sweep.visit([] {},
                [&](size_t i, size_t j) {
                  return visit(a.pieceOf(i), b.pieceOf(j),
                               Shared{sweep.commonCorner(),
                                      sweep.commonExtent(), a.box(i, lowOfA),
                                      b.box(j, lowOfB)});
                });
    return;
  }
  llvm::SmallVector<int64_t, 8> low(digits.size()), extent(low);
  bool goOn = true;
  join.visit([&](uint32_t i, const DigitBox &a, uint32_t j, const DigitBox &b) {
    if (!goOn)
      return;
    for (unsigned digit = 0; digit < digits.size(); ++digit) {
      low[digit] = std::max(a.low[digit], b.low[digit]);
      extent[digit] = std::min(a.low[digit] + a.extent[digit],
                               b.low[digit] + b.extent[digit]) -
                      low[digit];
    }
    goOn = visit(i, j, Shared{low, extent, a, b});
  });
}

/// Compares sets of one tag.
class Comparison {
public:
  Comparison(const PieceSet &a, const PieceSet &b, PieceSet::Tag tag)
      : a(a), b(b), digits(Digits::ofViews({{&a, Side::Dst}, {&b, Side::Dst}})),
        tag(tag) {}

  std::optional<RelationDifference> run() {
    std::optional<RelationDifference> difference;
    // How much of each piece has not been met.
    std::vector<int64_t> leftOfA = sizesOf(a), leftOfB = sizesOf(b);
    {
      BoxJoin join(a, Side::Dst, b, Side::Dst, digits);
      forEachMeeting(join, digits,
                     [&](uint32_t i, uint32_t j, const Shared &shared) {
                       if (std::optional<Extents> index = differenceOn(shared))
                         difference = at(shared.a, *index, true);
                       int64_t volume = volumeOf(shared.extent);
                       leftOfA[i] -= volume;
                       leftOfB[j] -= volume;
                       return !difference;
                     });
    }
    if (!difference)
      difference = findUnmet(a, leftOfA, b, true);
    if (!difference)
      difference = findUnmet(b, leftOfB, a, false);
    return difference;
  }

private:
  static std::vector<int64_t> sizesOf(const PieceSet &set) {
    std::vector<int64_t> sizes;
    sizes.reserve(set.size());
    for (size_t i = 0; i < set.size(); ++i)
      sizes.push_back(set[i].numElements());
    return sizes;
  }

  RelationDifference at(const DigitBox &box, llvm::ArrayRef<int64_t> index,
                        bool inFirst) const {
    return {otherAt(box, index), addressOf(index, digits), tag, inFirst};
  }

  /// Finds an element of a piece that `others` do not cover.
  std::optional<RelationDifference> findUnmet(const PieceSet &set,
                                              llvm::ArrayRef<int64_t> left,
                                              const PieceSet &others,
                                              bool inFirst) const {
    const int64_t *first =
        llvm::find_if(left, [](int64_t size) { return size != 0; });
    if (first == left.end())
      return std::nullopt;
    PieceSet unmet;
    unmet.add(set[first - left.begin()]);
    unmet = subtract(unmet, Side::Dst, others, Side::Dst);
    assert(!unmet.empty() && "boxes of one set do not meet");
    return RelationDifference{unmet[0].srcOffset, unmet[0].dstOffset, tag,
                              inFirst};
  }

  const PieceSet &a, &b;
  Digits digits;
  PieceSet::Tag tag;
};

/// The pieces of a set that are not empty, dimensions folded, those of one tag
/// together.
class ByTag {
public:
  explicit ByTag(const PieceSet &set) {
    constexpr PieceSet::Form none = UINT32_MAX;
    std::vector<PieceSet::Form> foldedOf;
    foldedOf.reserve(set.numForms());
    for (PieceSet::Form form = 0; form < set.numForms(); ++form) {
      Piece folded = foldDims(set.ref({0, 0, form, 0}).piece());
      foldedOf.push_back(
          folded.isEmpty() ? none
                           : pieces.internForm(folded.shape, folded.src.strides,
                                               folded.dst.strides));
    }
    pieces.reserve(set.size());
    for (PieceSet::Entry entry : set.entries()) {
      entry.form = foldedOf[entry.form];
      if (entry.form != none)
        pieces.add(entry);
    }
    auto isLess = [](const PieceSet::Entry &a, const PieceSet::Entry &b) {
      return std::tie(a.tag, a.dstOffset, a.srcOffset) <
             std::tie(b.tag, b.dstOffset, b.srcOffset);
    };
    if (!llvm::is_sorted(pieces.entries(), isLess))
      llvm::sort(pieces.entries(), isLess);
  }

  const PieceSet &set() const { return pieces; }
  bool atEnd() const { return begin == pieces.size(); }
  PieceSet::Tag tag() const { return pieces.entries()[begin].tag; }
  /// Returns the group that starts here and moves on to the next.
  Entries next() {
    Entries entries = pieces.entries();
    size_t end = begin + 1;
    while (end < entries.size() && entries[end].tag == entries[begin].tag)
      ++end;
    Entries group = entries.slice(begin, end - begin);
    begin = end;
    return group;
  }

private:
  PieceSet pieces;
  size_t begin = 0;
};

bool listTheSame(const PieceSet &a, Entries inA, const PieceSet &b,
                 Entries inB) {
  return inA.size() == inB.size() &&
         llvm::all_of(llvm::zip_equal(inA, inB), [&](auto both) {
           auto &[x, y] = both;
           return x.srcOffset == y.srcOffset && x.dstOffset == y.dstOffset &&
                  a.shapeOf(x.form) == b.shapeOf(y.form) &&
                  a.stridesOf(x.form, Side::Src) ==
                      b.stridesOf(y.form, Side::Src) &&
                  a.stridesOf(x.form, Side::Dst) ==
                      b.stridesOf(y.form, Side::Dst);
         });
}

/// Returns `entries`, which are of `set`, as a set: that itself where they are
/// all, or a copy in `part`.
const PieceSet &setOf(const PieceSet &set, Entries entries, PieceSet &part) {
  if (entries.size() == set.size())
    return set;
  part.reserve(entries.size());
  for (const PieceSet::Entry &entry : entries)
    part.add(set.ref(entry));
  return part;
}

int64_t lastAddress(const PieceSet &set, const PieceSet::Entry &entry) {
  PieceRef piece = set.ref(entry);
  int64_t last = piece.dstOffset;
  for (unsigned dim = 0; dim < piece.rank(); ++dim)
    last += (piece.shape[dim] - 1) * piece.dstStrides[dim];
  return last;
}

/// Compares the pieces of one tag, sorted by dst offset. Where no piece of
/// either reaches over an address, both are cut: regions of other strides have
/// other digits.
std::optional<RelationDifference> compareTag(const PieceSet &a, Entries inA,
                                             const PieceSet &b, Entries inB,
                                             PieceSet::Tag tag) {
  while (!inA.empty() || !inB.empty()) {
    size_t numA = 0, numB = 0;
    int64_t last = 0;
    auto reaches = [&](Entries entries, size_t i) {
      return i < entries.size() && entries[i].dstOffset <= last;
    };
    // Start with the lower of the two.
    bool startA = !inA.empty() && (inB.empty() || inA.front().dstOffset <=
                                                      inB.front().dstOffset);
    if (startA)
      last = lastAddress(a, inA[numA++]);
    else
      last = lastAddress(b, inB[numB++]);
    for (bool grew = true; grew;) {
      grew = false;
      for (; reaches(inA, numA); grew = true)
        last = std::max(last, lastAddress(a, inA[numA++]));
      for (; reaches(inB, numB); grew = true)
        last = std::max(last, lastAddress(b, inB[numB++]));
    }
    Entries partA = inA.take_front(numA), partB = inB.take_front(numB);
    if (!listTheSame(a, partA, b, partB)) {
      PieceSet copyOfA, copyOfB;
      if (auto difference = Comparison(setOf(a, partA, copyOfA),
                                       setOf(b, partB, copyOfB), tag)
                                .run())
        return difference;
    }
    inA = inA.drop_front(numA);
    inB = inB.drop_front(numB);
  }
  return std::nullopt;
}
} // namespace

std::optional<RelationDifference>
aoa::affine::findDifference(const PieceSet &a, const PieceSet &b) {
  auto first = [](Entries group, bool inFirst) {
    return RelationDifference{group.front().srcOffset, group.front().dstOffset,
                              group.front().tag, inFirst};
  };
  ByTag groupsA(a), groupsB(b);
  while (!groupsA.atEnd() || !groupsB.atEnd()) {
    if (groupsB.atEnd() || (!groupsA.atEnd() && groupsA.tag() < groupsB.tag()))
      return first(groupsA.next(), true);
    if (groupsA.atEnd() || groupsB.tag() < groupsA.tag())
      return first(groupsB.next(), false);
    PieceSet::Tag tag = groupsA.tag();
    auto inA = groupsA.next(), inB = groupsB.next();
    if (auto difference =
            compareTag(groupsA.set(), inA, groupsB.set(), inB, tag))
      return difference;
  }
  return std::nullopt;
}
