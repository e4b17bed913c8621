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

#include "aoa/Affine/Box.h"
#include "aoa/Affine/Digits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

namespace {
using Entries = llvm::ArrayRef<PieceSet::Entry>;

/// A box of dst digits and the src addresses of its elements.
struct MappedBox {
  Box box;
  int64_t srcOffset;
  Extents srcStrides;

  int64_t srcAt(llvm::ArrayRef<int64_t> digits) const {
    int64_t address = srcOffset;
    for (unsigned i = 0; i < digits.size(); ++i)
      address += (digits[i] - box.offset[i]) * srcStrides[i];
    return address;
  }
};

std::vector<MappedBox> boxesOf(const PieceSet &set, const Digits &digits) {
  std::vector<MappedBox> boxes;
  for (size_t i = 0; i < set.size(); ++i)
    forEachDigitBox(set[i], Side::Dst, digits, [&](const DigitBox &box) {
      assert(box.repeats.empty() && "a dst address is written once");
      boxes.push_back({{Extents(box.low), Extents(box.extent)},
                       box.otherOffset,
                       Extents(box.otherStrides)});
    });
  return boxes;
}

int64_t addressOf(llvm::ArrayRef<int64_t> index, const Digits &digits) {
  int64_t address = 0;
  for (unsigned i = 0; i < index.size(); ++i)
    address += index[i] * digits.stride(i);
  return address;
}

/// Returns an element of `common` on which the maps differ.
std::optional<Extents> differenceOn(const Box &common, const MappedBox &a,
                                    const MappedBox &b) {
  Extents index = common.offset;
  if (a.srcAt(index) != b.srcAt(index))
    return index;
  for (unsigned i = 0; i < index.size(); ++i)
    if (common.shape[i] > 1 && a.srcStrides[i] != b.srcStrides[i]) {
      ++index[i];
      return index;
    }
  return std::nullopt;
}

/// Calls `visit(i, j, common)` for every box i of `a` and j of `b` that meet;
/// stops when that returns false. Those of one i come one after another. Where
/// there is one digit both lists are merged, without an index.
template <typename Visit>
void forEachMeeting(std::vector<MappedBox> &a, std::vector<MappedBox> &b,
                    const Digits &digits, const Visit &visit) {
  if (digits.size() == 1) {
    auto byOffset = [](const MappedBox &x, const MappedBox &y) {
      return x.box.offset[0] < y.box.offset[0];
    };
    auto endOf = [](const MappedBox &x) {
      return x.box.offset[0] + x.box.shape[0];
    };
    for (std::vector<MappedBox> *boxes : {&a, &b})
      if (!llvm::is_sorted(*boxes, byOffset))
        llvm::sort(*boxes, byOffset);
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (std::optional<Box> common = intersect(a[i].box, b[j].box))
        if (!visit(i, j, *common))
          return;
      endOf(a[i]) <= endOf(b[j]) ? ++i : ++j;
    }
    return;
  }
  std::vector<Box> boxes;
  boxes.reserve(b.size());
  for (const MappedBox &mapped : b)
    boxes.push_back(mapped.box);
  BoxIndex index(std::move(boxes));
  bool goOn = true;
  for (size_t i = 0; i < a.size() && goOn; ++i)
    index.visit(a[i].box, [&](unsigned j) {
      if (goOn)
        goOn = visit(i, j, *intersect(a[i].box, b[j].box));
    });
}

/// Compares sets of one tag.
class Comparison {
public:
  Comparison(const PieceSet &a, const PieceSet &b, PieceSet::Tag tag)
      : digits(Digits::ofViews({{&a, Side::Dst}, {&b, Side::Dst}})),
        boxesA(boxesOf(a, digits)), boxesB(boxesOf(b, digits)), tag(tag) {}

  std::optional<RelationDifference> run() {
    std::optional<RelationDifference> difference;
    // How much of each box has been met.
    std::vector<int64_t> metA, metB;
    metA.assign(boxesA.size(), 0);
    metB.assign(boxesB.size(), 0);
    forEachMeeting(boxesA, boxesB, digits,
                   [&](size_t i, size_t j, const Box &common) {
                     if (std::optional<Extents> index =
                             differenceOn(common, boxesA[i], boxesB[j]))
                       difference = at(boxesA[i], *index, true);
                     metA[i] += common.numElements();
                     metB[j] += common.numElements();
                     return !difference;
                   });
    if (!difference)
      difference = findUnmet(boxesA, metA, boxesB, true);
    if (!difference)
      difference = findUnmet(boxesB, metB, boxesA, false);
    return difference;
  }

private:
  RelationDifference at(const MappedBox &mapped, llvm::ArrayRef<int64_t> index,
                        bool inFirst) const {
    return {mapped.srcAt(index), addressOf(index, digits), tag, inFirst};
  }

  /// Finds an element of a box that `others` do not cover.
  std::optional<RelationDifference> findUnmet(llvm::ArrayRef<MappedBox> boxes,
                                              llvm::ArrayRef<int64_t> met,
                                              llvm::ArrayRef<MappedBox> others,
                                              bool inFirst) const {
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (met[i] == boxes[i].box.numElements())
        continue;
      std::vector<Box> covering;
      for (const MappedBox &other : others)
        if (std::optional<Box> common = intersect(boxes[i].box, other.box))
          covering.push_back(std::move(*common));
      CoverResult cover = checkCover(covering, boxes[i].box);
      assert(cover.kind == CoverResult::Kind::Hole &&
             "boxes of one set do not meet");
      return at(boxes[i], cover.index, inFirst);
    }
    return std::nullopt;
  }

  Digits digits;
  std::vector<MappedBox> boxesA, boxesB;
  PieceSet::Tag tag;
};

/// The pieces of a set that are not empty, those of one tag together.
class ByTag {
public:
  explicit ByTag(const PieceSet &set) {
    std::vector<bool> isEmpty;
    for (PieceSet::Form form = 0; form < set.numForms(); ++form)
      isEmpty.push_back(llvm::is_contained(set.shapeOf(form), 0));
    entries.reserve(set.size());
    for (const PieceSet::Entry &entry : set.entries())
      if (!isEmpty[entry.form])
        entries.push_back(entry);
    auto key = [](const PieceSet::Entry &entry) {
      return std::tuple(entry.tag, entry.dstOffset, entry.srcOffset);
    };
    auto isLess = [&](const PieceSet::Entry &a, const PieceSet::Entry &b) {
      return key(a) < key(b);
    };
    if (!llvm::is_sorted(entries, isLess))
      llvm::sort(entries, isLess);
  }

  bool atEnd() const { return begin == entries.size(); }
  PieceSet::Tag tag() const { return entries[begin].tag; }
  /// Returns the group that starts here and moves on to the next.
  Entries next() {
    size_t end = begin + 1;
    while (end < entries.size() && entries[end].tag == entries[begin].tag)
      ++end;
    Entries group = Entries(entries).slice(begin, end - begin);
    begin = end;
    return group;
  }

private:
  std::vector<PieceSet::Entry> entries;
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

/// Copies `entries` into a set of their own, dimensions folded.
PieceSet setOf(const PieceSet &set, Entries entries) {
  PieceSet result;
  result.reserve(entries.size());
  for (const PieceSet::Entry &entry : entries)
    result.add(foldDims(set.ref(entry).piece()), entry.tag);
  return result;
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
    if (!listTheSame(a, partA, b, partB))
      if (auto difference =
              Comparison(setOf(a, partA), setOf(b, partB), tag).run())
        return difference;
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
    if (auto difference = compareTag(a, inA, b, inB, tag))
      return difference;
  }
  return std::nullopt;
}
