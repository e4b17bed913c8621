//===- FoldStack.cpp - Runs of equal steps ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements or blocks in a row, and the step from each to the next. A run is a
// maximal stretch of equal steps; neighbouring runs share the element at which
// the step changes. It goes to the longer run, to the first of equal ones: so
// the end of a long run never makes a pair with what happens to stand next to
// it.
//
//   src of dst 0…6:  0 1 2 3 13 23 24   steps 1 1 1 10 10 1
//   runs             0…3, 3…5, 5…6      taken 0 1 2 3 | 13 23 | 24
//===----------------------------------------------------------------------===//

#include "FoldGroup.h"

#include "aoa/Affine/Extents.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace aoa::affine;
using namespace aoa::affine::folding;

namespace {
/// Elements first … last of a row, one step apart.
struct Run {
  int64_t first, last;
  Step step;
  bool taken = false;

  int64_t numElements() const { return last - first + 1; }
};

/// How often each step is made.
llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t>
countSteps(llvm::ArrayRef<Run> runs) {
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> counts;
  for (const Run &run : runs)
    counts[{run.step.dst, run.step.src}] += run.last - run.first;
  return counts;
}

/// Settles who gets the shared ends of `runs`, which are in order: clips them,
/// and marks as taken those that keep at least `minElements`.
void settle(std::vector<Run> &runs, int64_t minElements) {
  std::vector<uint32_t> byLength;
  for (uint32_t i = 0; i < runs.size(); ++i)
    if (runs[i].numElements() >= minElements)
      byLength.push_back(i);
  if (minElements == 2) {
    // Pairs are many, and most of them chance: those whose step is made often
    // come first.
    auto counts = countSteps(runs);
    auto count = [&](uint32_t i) {
      return counts.lookup({runs[i].step.dst, runs[i].step.src});
    };
    llvm::sort(byLength, [&](uint32_t a, uint32_t b) {
      return std::tuple(-runs[a].numElements(), -count(a), a) <
             std::tuple(-runs[b].numElements(), -count(b), b);
    });
  } else {
    llvm::sort(byLength, [&](uint32_t a, uint32_t b) {
      return std::tuple(-runs[a].numElements(), a) <
             std::tuple(-runs[b].numElements(), b);
    });
  }
  for (uint32_t i : byLength) {
    Run &run = runs[i];
    if (i > 0 && runs[i - 1].taken && runs[i - 1].last == run.first)
      ++run.first;
    if (i + 1 < runs.size() && runs[i + 1].taken &&
        runs[i + 1].first == run.last)
      --run.last;
    run.taken = run.numElements() >= minElements;
  }
}

/// Calls `visit(i, count, step)` for the runs of `row` and the elements between
/// them (count 1), in order.
template <typename Visit>
void forEachRun(llvm::ArrayRef<Block> row, int64_t minElements,
                const Visit &visit) {
  std::vector<Run> runs;
  for (size_t i = 1; i < row.size(); ++i) {
    Step step{row[i].dstOffset - row[i - 1].dstOffset,
              row[i].srcOffset - row[i - 1].srcOffset};
    // Strides are never negative, and a dst address is written once.
    if (step.dst <= 0 || step.src < 0)
      continue;
    int64_t at = static_cast<int64_t>(i);
    if (!runs.empty() && runs.back().last == at - 1 && runs.back().step == step)
      runs.back().last = at;
    else
      runs.push_back({at - 1, at, step});
  }
  settle(runs, minElements);
  size_t next = 0;
  for (const Run &run : runs) {
    if (!run.taken)
      continue;
    for (; next < static_cast<size_t>(run.first); ++next)
      visit(next, 1, Step{});
    visit(next, run.numElements(), run.step);
    next = run.last + 1;
  }
  for (; next < row.size(); ++next)
    visit(next, 1, Step{});
}

size_t countRuns(llvm::ArrayRef<Block> row, int64_t minElements) {
  size_t count = 0;
  forEachRun(row, minElements, [&](size_t, int64_t, Step) { ++count; });
  return count;
}

bool byDst(const Block &a, const Block &b) {
  return std::tie(a.dstOffset, a.srcOffset) <
         std::tie(b.dstOffset, b.srcOffset);
}
bool bySrc(const Block &a, const Block &b) {
  return std::tie(a.srcOffset, a.dstOffset) <
         std::tie(b.srcOffset, b.dstOffset);
}
} // namespace

bool folding::stackBlocks(PieceSet &set, Blocks &blocks, int64_t minElements) {
  llvm::sort(blocks, [](const Block &a, const Block &b) {
    return a.form != b.form ? a.form < b.form : byDst(a, b);
  });
  Blocks result;
  Blocks inSrcOrder;
  for (size_t begin = 0; begin < blocks.size();) {
    size_t end = begin + 1;
    while (end < blocks.size() && blocks[end].form == blocks[begin].form)
      ++end;
    llvm::ArrayRef<Block> row =
        llvm::ArrayRef(blocks).slice(begin, end - begin);
    begin = end;
    if (row.size() > 2) {
      size_t count = countRuns(row, minElements);
      if (count > 1 && !llvm::is_sorted(row, bySrc)) {
        inSrcOrder.assign(row.begin(), row.end());
        llvm::sort(inSrcOrder, bySrc);
        if (countRuns(inSrcOrder, minElements) < count)
          row = inSrcOrder;
      }
    }
    forEachRun(row, minElements, [&](size_t i, int64_t count, Step step) {
      result.push_back(count == 1 ? row[i] : stacked(set, row[i], count, step));
    });
  }
  bool changed = result.size() != blocks.size();
  blocks = std::move(result);
  return changed;
}

namespace {
/// Consecutive dst addresses whose src addresses are `step` apart.
struct Stretch {
  int64_t dst, src, count, step;
};

bool hasStretches(const PieceRef &piece) {
  return piece.rank() > 0 && piece.dstStrides.back() == 1;
}

int64_t countStretches(const PieceRef &piece) {
  int64_t inner = hasStretches(piece) ? piece.shape.back() : 1;
  return piece.numElements() / inner;
}

void addStretches(const PieceRef &piece, bool onlyElements,
                  std::vector<Stretch> &stretches) {
  unsigned rank = piece.rank();
  Stretch stretch{piece.dstOffset, piece.srcOffset, 1, 0};
  if (!onlyElements && hasStretches(piece)) {
    --rank;
    stretch.count = piece.shape.back();
    stretch.step = piece.srcStrides.back();
  }
  Extents index(rank);
  for (;;) {
    stretches.push_back(stretch);
    unsigned dim = rank;
    for (; dim-- > 0;) {
      stretch.dst += piece.dstStrides[dim];
      stretch.src += piece.srcStrides[dim];
      if (++index[dim] < piece.shape[dim])
        break;
      index[dim] = 0;
      stretch.dst -= piece.shape[dim] * piece.dstStrides[dim];
      stretch.src -= piece.shape[dim] * piece.srcStrides[dim];
    }
    if (dim == ~0u)
      return;
  }
}

/// Runs of the elements of all stretches; an element's number is its dst
/// address. Requires sorted stretches.
std::vector<Run> runsOf(llvm::ArrayRef<Stretch> stretches) {
  std::vector<Run> runs;
  auto extend = [&](int64_t first, int64_t last, int64_t srcStep) {
    if (!runs.empty() && runs.back().last == first &&
        runs.back().step.src == srcStep)
      runs.back().last = last;
    else
      runs.push_back({first, last, {1, srcStep}});
  };
  for (size_t i = 0; i < stretches.size(); ++i) {
    const Stretch &stretch = stretches[i];
    if (i > 0) {
      const Stretch &before = stretches[i - 1];
      int64_t end = before.dst + before.count;
      int64_t srcStep =
          stretch.src - (before.src + (before.count - 1) * before.step);
      if (end == stretch.dst && srcStep >= 0)
        extend(end - 1, end, srcStep);
    }
    if (stretch.count > 1)
      extend(stretch.dst, stretch.dst + stretch.count - 1, stretch.step);
  }
  return runs;
}
} // namespace

std::optional<Blocks> folding::elementsOf(const PieceSet &set,
                                          llvm::ArrayRef<Block> blocks,
                                          int64_t maxElements, PieceSet &to) {
  std::vector<Stretch> elements;
  for (const Block &block : blocks) {
    PieceRef piece = set.ref(block);
    if (piece.numElements() >
        maxElements - static_cast<int64_t>(elements.size()))
      return std::nullopt;
    addStretches(piece, true, elements);
  }
  PieceSet::Form element = to.internForm({}, {}, {});
  Blocks result;
  for (const Stretch &stretch : elements)
    result.push_back({stretch.src, stretch.dst, element, blocks.front().tag});
  return result;
}

std::optional<Blocks> folding::takeApart(const PieceSet &set,
                                         llvm::ArrayRef<Block> blocks,
                                         int64_t minElements, size_t maxBlocks,
                                         PieceSet &to) {
  // Cuts make more stretches than there are runs in the end.
  int64_t numStretches = 0;
  int64_t limit = static_cast<int64_t>(4 * maxBlocks);
  for (const Block &block : blocks) {
    int64_t count = countStretches(set.ref(block));
    if (count > limit - numStretches)
      return std::nullopt;
    numStretches += count;
  }
  std::vector<Stretch> stretches;
  stretches.reserve(numStretches);
  for (const Block &block : blocks)
    addStretches(set.ref(block), false, stretches);
  llvm::sort(stretches, [](const Stretch &a, const Stretch &b) {
    return std::tie(a.dst, a.src, a.count) < std::tie(b.dst, b.src, b.count);
  });
  std::vector<Run> runs = runsOf(stretches);
  settle(runs, minElements);

  Blocks result;
  PieceSet::Tag tag = blocks.front().tag;
  PieceSet::Form element = to.internForm({}, {}, {});
  const Run *run = runs.data(), *runsEnd = run + runs.size();
  for (const Stretch &stretch : stretches) {
    // What of the stretch lies in runs, and what between.
    for (int64_t i = 0; i < stretch.count;) {
      int64_t dst = stretch.dst + i, src = stretch.src + i * stretch.step;
      while (run != runsEnd && (!run->taken || run->last < dst))
        ++run;
      if (run == runsEnd || dst < run->first) {
        result.push_back({src, dst, element, tag});
        ++i;
        continue;
      }
      if (dst == run->first)
        result.push_back({src, dst,
                          to.internForm({run->numElements()}, {run->step.src},
                                        {run->step.dst}),
                          tag});
      i += run->last - dst + 1;
    }
    if (result.size() > maxBlocks)
      return std::nullopt;
  }
  return result;
}

std::optional<Blocks> folding::cutToCells(PieceSet &set,
                                          llvm::ArrayRef<Block> runs,
                                          size_t maxBlocks) {
  std::map<int64_t, int64_t> cellOf; // By src step.
  for (const Block &run : runs)
    if (set.rankOf(run.form) == 1) {
      int64_t &cell = cellOf[stepOf(set, run.form, 0).src];
      cell = std::gcd(cell, set.shapeOf(run.form)[0]);
    }
  Blocks cells;
  for (const Block &run : runs) {
    if (set.rankOf(run.form) == 0) {
      cells.push_back(run);
      continue;
    }
    Step step = stepOf(set, run.form, 0);
    int64_t extent = set.shapeOf(run.form)[0], cell = cellOf[step.src];
    if (extent / cell > static_cast<int64_t>(maxBlocks - cells.size()))
      return std::nullopt;
    Block block = run;
    block.form = cell == 1 ? set.internForm({}, {}, {})
                           : set.internForm({cell}, {step.src}, {step.dst});
    for (int64_t i = 0; i < extent; i += cell) {
      cells.push_back(block);
      block.srcOffset += cell * step.src;
      block.dstOffset += cell * step.dst;
    }
  }
  if (cells.size() == runs.size())
    return std::nullopt;
  return cells;
}
