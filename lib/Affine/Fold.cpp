//===- Fold.cpp - The fewest pieces of one relation -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Fold.h"
#include "FoldGroup.h"
#include "RadixSort.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;
using namespace aoa::affine::folding;

int folding::compareForms(const PieceSet &set, PieceSet::Form a,
                          PieceSet::Form b) {
  if (a == b)
    return 0;
  if (set.rankOf(a) != set.rankOf(b))
    return set.rankOf(a) < set.rankOf(b) ? -1 : 1;
  auto compare = [](llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> y) {
    for (size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i])
        return x[i] < y[i] ? -1 : 1;
    return 0;
  };
  if (int order = compare(set.shapeOf(a), set.shapeOf(b)))
    return order;
  if (int order =
          compare(set.stridesOf(a, Side::Dst), set.stridesOf(b, Side::Dst)))
    return order;
  return compare(set.stridesOf(a, Side::Src), set.stridesOf(b, Side::Src));
}

bool folding::isBefore(const PieceSet &set, const Block &a, const Block &b) {
  if (a.dstOffset != b.dstOffset)
    return a.dstOffset < b.dstOffset;
  if (a.srcOffset != b.srcOffset)
    return a.srcOffset < b.srcOffset;
  if (int order = compareForms(set, a.form, b.form))
    return order < 0;
  return a.tag < b.tag;
}

bool folding::isFolded(const PieceSet &set, PieceSet::Form form) {
  auto shape = set.shapeOf(form);
  if (shape.empty())
    return true;
  if (llvm::is_contained(shape, 0) || shape.front() == 1)
    return false;
  Step outer = stepOf(set, form, 0);
  for (unsigned dim = 1; dim < shape.size(); ++dim) {
    Step step = stepOf(set, form, dim);
    if (shape[dim] == 1 || step >= outer ||
        Step{step.dst * shape[dim], step.src * shape[dim]} == outer)
      return false;
    outer = step;
  }
  return true;
}

int64_t folding::spanOf(const PieceSet &set, PieceSet::Form form, Side side) {
  int64_t span = 0;
  for (auto [extent, stride] :
       llvm::zip_equal(set.shapeOf(form), set.stridesOf(form, side)))
    span += (extent - 1) * stride;
  return span;
}

bool folding::isInOrder(const PieceSet &set, PieceSet::Form form, Side side) {
  auto shape = set.shapeOf(form), strides = set.stridesOf(form, side);
  llvm::SmallVector<std::pair<int64_t, int64_t>, 8> dims; // Stride, extent.
  for (unsigned dim = shape.size(); dim-- > 0;)
    dims.emplace_back(strides[dim], shape[dim]);
  if (side == Side::Src)
    llvm::sort(dims);
  int64_t span = 0;
  for (auto [stride, extent] : dims) {
    if (stride <= span)
      return false;
    span += (extent - 1) * stride;
  }
  return true;
}

bool folding::isBeforeInTag(const Block &a, const Block &b) {
  return std::tie(a.dstOffset, a.srcOffset) <
         std::tie(b.dstOffset, b.srcOffset);
}

namespace {
/// A group of more blocks than that is not taken apart before it is folded.
constexpr size_t manyBlocks = 4096;

class Folder {
public:
  explicit Folder(PieceSet &set) : set(set), blocks(set.takeEntries()) {}

  void run() {
    foldForms();
    groupByTag();
    foldTags();
    scratch = Blocks();
    putInOrder();
    set.replaceEntries(std::move(blocks));
  }

private:
  /// Folds the dimensions of every form once and drops empty pieces.
  void foldForms() {
    const PieceSet::Form none = UINT32_MAX;
    std::vector<PieceSet::Form> foldedOf;
    bool changed = false;
    for (PieceSet::Form form = 0, end = set.numForms(); form < end; ++form) {
      PieceSet::Form folded = form;
      if (llvm::is_contained(set.shapeOf(form), 0))
        folded = none;
      else if (!isFolded(set, form))
        folded = makeBlock(set, set.ref({0, 0, form, 0}).piece(), 0).form;
      changed |= folded != form;
      foldedOf.push_back(folded);
    }
    if (!changed)
      return;
    for (Block &block : blocks)
      block.form = foldedOf[block.form];
    llvm::erase_if(blocks,
                   [](const Block &block) { return block.form == none; });
  }

  void groupByTag() {
    auto byTag = [](const Block &a, const Block &b) { return a.tag < b.tag; };
    if (!llvm::is_sorted(blocks, byTag))
      radixSort(
          blocks, scratch, [](const Block &block) { return block.tag; }, byTag);
  }

  void foldTags() {
    size_t kept = 0;
    Blocks more; // What does not fit into the places of its tag.
    for (size_t begin = 0; begin < blocks.size();) {
      size_t end = begin + 1;
      while (end < blocks.size() && blocks[end].tag == blocks[begin].tag)
        ++end;
      if (isAlone(begin, end)) {
        blocks[kept++] = blocks[begin];
      } else if (end - begin == blocks.size()) {
        foldTag(blocks);
        return;
      } else {
        Blocks group(blocks.begin() + begin, blocks.begin() + end);
        foldTag(group);
        for (const Block &block : group)
          if (kept < end)
            blocks[kept++] = block;
          else
            more.push_back(block);
      }
      begin = end;
    }
    blocks.resize(kept);
    llvm::append_range(blocks, more);
  }

  /// Whether a tag has one piece that is as short as it gets.
  bool isAlone(size_t begin, size_t end) const {
    return end - begin == 1 && isInOrder(set, blocks[begin].form, Side::Dst);
  }

  void foldTag(Blocks &group) {
    if (!llvm::is_sorted(group, isBeforeInTag))
      sortInTag(group);
    joinNeighbours(group);
    if (group.size() == 1 ? isInOrder(set, group[0].form, Side::Dst)
                          : stackProgression(group))
      return;
    if (group.size() == 2 && stayApart(group[0], group[1]))
      return;
    if (std::optional<Block> one = joinToOne(set, group)) {
      group.assign(1, *one);
      return;
    }
    if (group.size() > manyBlocks && lieCrosswise(set, group))
      return;
    scratch = Blocks();
    foldGroup(set, group);
  }

  void sortInTag(Blocks &group) {
    radixSort(
        group, scratch, [](const Block &block) { return block.dstOffset; },
        isBeforeInTag);
  }

  /// Joins blocks in order of dst where each continues the one before along
  /// their outermost dimension.
  void joinNeighbours(Blocks &group) {
    size_t kept = 0;
    for (size_t begin = 0; begin < group.size();) {
      int64_t extent = outerExtent(group[begin]);
      size_t end = begin + 1;
      while (end < group.size() && continues(group[begin], extent, group[end]))
        extent += outerExtent(group[end++]);
      Block block = group[begin];
      if (end - begin > 1) {
        Extents shape(set.shapeOf(block.form));
        shape[0] = extent;
        block.form = set.internForm(shape, set.stridesOf(block.form, Side::Src),
                                    set.stridesOf(block.form, Side::Dst));
      }
      group[kept++] = block;
      begin = end;
    }
    group.resize(kept);
  }
  int64_t outerExtent(const Block &block) const {
    return set.rankOf(block.form) == 0 ? 1 : set.shapeOf(block.form)[0];
  }
  /// Whether `next` continues `block`, if that is `extent` long.
  bool continues(const Block &block, int64_t extent, const Block &next) const {
    unsigned rank = set.rankOf(block.form);
    if (rank == 0 || set.rankOf(next.form) != rank)
      return false;
    Step step = stepOf(set, block.form, 0);
    return next.dstOffset == block.dstOffset + extent * step.dst &&
           next.srcOffset == block.srcOffset + extent * step.src &&
           (next.form == block.form ||
            (set.shapeOf(block.form).drop_front() ==
                 set.shapeOf(next.form).drop_front() &&
             set.stridesOf(block.form, Side::Src) ==
                 set.stridesOf(next.form, Side::Src) &&
             set.stridesOf(block.form, Side::Dst) ==
                 set.stridesOf(next.form, Side::Dst)));
  }

  /// Makes one block of blocks in order that are one progression.
  bool stackProgression(Blocks &group) {
    auto stepTo = [&](size_t i) {
      return Step{group[i].dstOffset - group[i - 1].dstOffset,
                  group[i].srcOffset - group[i - 1].srcOffset};
    };
    Step step = stepTo(1);
    if (step.dst <= 0 || step.src < 0)
      return false;
    for (size_t i = 1; i < group.size(); ++i)
      if (group[i].form != group[0].form || stepTo(i) != step)
        return false;
    Block block = stacked(set, group[0], group.size(), step);
    if (!isInOrder(set, block.form, Side::Dst))
      return false;
    group.assign(1, block);
    return true;
  }

  /// Whether it is plain that nothing can be made of `a` and `b` but what they
  /// are: they lie apart on both sides, no end of the one meets the other a
  /// step further, and no dimension is so short that its ends might as well
  /// belong to another.
  bool stayApart(const Block &a, const Block &b) const {
    if (a.form == b.form && a.srcOffset <= b.srcOffset)
      return false;
    for (PieceSet::Form form : {a.form, b.form}) {
      auto isShort = [](int64_t extent) { return extent < 3; };
      unsigned rank = set.rankOf(form);
      if (rank == 0 || rank > 4 || llvm::any_of(set.shapeOf(form), isShort) ||
          !isInOrder(set, form, Side::Dst) || !isInOrder(set, form, Side::Src))
        return false;
    }
    auto endOf = [&](const Block &block, Side side) {
      return (side == Side::Src ? block.srcOffset : block.dstOffset) +
             spanOf(set, block.form, side);
    };
    if (endOf(a, Side::Dst) >= b.dstOffset)
      return false;
    if (endOf(b, Side::Src) < a.srcOffset)
      return true;
    return endOf(a, Side::Src) < b.srcOffset && !isNear(a, b);
  }

  /// Whether `b` lies one step, of either, behind an end of `a`.
  bool isNear(const Block &a, const Block &b) const {
    llvm::SmallVector<Step, 8> steps;
    for (PieceSet::Form form : {a.form, b.form})
      for (unsigned dim = 0; dim < set.rankOf(form); ++dim)
        steps.push_back(stepOf(set, form, dim));
    auto shape = set.shapeOf(a.form);
    for (unsigned ends = 0; ends < 1u << shape.size(); ++ends) {
      Step link{b.dstOffset - a.dstOffset, b.srcOffset - a.srcOffset};
      for (unsigned dim = 0; dim < shape.size(); ++dim)
        if (ends >> dim & 1) {
          link.dst -= (shape[dim] - 1) * steps[dim].dst;
          link.src -= (shape[dim] - 1) * steps[dim].src;
        }
      if (llvm::is_contained(steps, link))
        return true;
    }
    return false;
  }

  void putInOrder() {
    auto isLess = [&](const Block &a, const Block &b) {
      return isBefore(set, a, b);
    };
    if (llvm::is_sorted(blocks, isLess))
      return;
    radixSort(
        blocks, scratch, [](const Block &block) { return block.dstOffset; },
        isLess);
    for (size_t begin = 0; begin < blocks.size();) {
      size_t end = begin + 1;
      while (end < blocks.size() &&
             blocks[end].dstOffset == blocks[begin].dstOffset)
        ++end;
      auto first = blocks.begin() + begin, last = blocks.begin() + end;
      if (end - begin > 1 && !std::is_sorted(first, last, isLess))
        std::sort(first, last, isLess);
      begin = end;
    }
  }

  PieceSet &set;
  std::vector<Block> blocks, scratch;
};
} // namespace

void aoa::affine::fold(PieceSet &set) { Folder(set).run(); }
