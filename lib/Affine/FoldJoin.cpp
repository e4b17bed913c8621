//===- FoldJoin.cpp - Blocks that continue each other -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Along one step, blocks of one cross-section (what a block is without that
// dimension) that can meet lie in one lane: their offsets differ by a multiple
// of the step on both sides. Sorted by lane and position, what continues stands
// side by side. Blocks of one index look like their cross-section and have lost
// the step: they are found by looking up what would continue a block.
//===----------------------------------------------------------------------===//

#include "FoldGroup.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace aoa::affine;
using namespace aoa::affine::folding;

namespace {
/// A block seen along one of its dimensions.
struct Part {
  PieceSet::Form crossSection;
  Step lane;        ///< Remainders of the offsets.
  int64_t position; ///< In steps.
  int64_t extent;
  int64_t srcOffset, dstOffset;
  uint32_t block;
};

class Joiner {
public:
  Joiner(PieceSet &set, Blocks &blocks) : set(set), blocks(blocks) {
    alive.assign(blocks.size(), true);
    at.reserve(blocks.size());
    for (uint32_t i = 0; i < blocks.size(); ++i)
      enter(i);
  }

  bool joinAlongAll(bool smallStepsFirst) {
    std::vector<Step> steps;
    for (const auto &[step, forms] : formsWith)
      steps.push_back(step);
    if (!smallStepsFirst)
      std::reverse(steps.begin(), steps.end());
    for (Step step : steps)
      joinAlong(step, partsAlong(step));
    return finish();
  }

  void joinSinglesAlong(llvm::ArrayRef<Step> steps) {
    for (Step step : steps) {
      std::vector<Part> parts = partsAlong(step);
      addSingles(step, parts);
      joinAlong(step, std::move(parts));
    }
    finish();
  }

private:
  using Place = std::tuple<PieceSet::Form, int64_t, int64_t>;

  void enter(uint32_t i) {
    const Block &block = blocks[i];
    at[{block.form, block.dstOffset, block.srcOffset}] = i;
    std::vector<uint32_t> &members = membersOf[block.form];
    if (members.empty())
      for (unsigned dim = 0; dim < set.rankOf(block.form); ++dim)
        if (Step step = stepOf(set, block.form, dim); step.dst > 0)
          formsWith[step].push_back(block.form);
    members.push_back(i);
  }

  PieceSet::Form crossSectionOf(PieceSet::Form form, unsigned dim) {
    Extents shape(set.shapeOf(form)), src(set.stridesOf(form, Side::Src)),
        dst(set.stridesOf(form, Side::Dst));
    shape.erase(shape.begin() + dim);
    src.erase(src.begin() + dim);
    dst.erase(dst.begin() + dim);
    return set.internForm(shape, src, dst);
  }

  Part partOf(uint32_t i, PieceSet::Form crossSection, Step step,
              int64_t extent) {
    const Block &block = blocks[i];
    int64_t position = block.dstOffset / step.dst;
    return {crossSection,
            {block.dstOffset - position * step.dst,
             block.srcOffset - position * step.src},
            position,
            extent,
            block.srcOffset,
            block.dstOffset,
            i};
  }

  std::vector<Part> partsAlong(Step step) {
    std::vector<Part> parts;
    // Forms may be entered twice under a step, if all their blocks were joined
    // meanwhile.
    std::vector<PieceSet::Form> forms = formsWith[step];
    llvm::sort(forms);
    forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
    for (PieceSet::Form form : forms)
      for (unsigned dim = 0; dim < set.rankOf(form); ++dim) {
        if (stepOf(set, form, dim) != step)
          continue;
        PieceSet::Form crossSection = crossSectionOf(form, dim);
        int64_t extent = set.shapeOf(form)[dim];
        for (uint32_t i : membersOf[form]) {
          if (alive[i] && blocks[i].form == form)
            parts.push_back(partOf(i, crossSection, step, extent));
        }
        break;
      }
    return parts;
  }

  /// Adds the blocks that do not have `step`.
  void addSingles(Step step, std::vector<Part> &parts) {
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      PieceSet::Form form = blocks[i].form;
      bool hasStep = false;
      for (unsigned dim = 0; dim < set.rankOf(form); ++dim)
        hasStep |= stepOf(set, form, dim) == step;
      if (alive[i] && !hasStep)
        parts.push_back(partOf(i, form, step, 1));
    }
  }

  /// Takes the single block of `crossSection` at an address, if there is one.
  bool takeSingle(PieceSet::Form crossSection, int64_t dst, int64_t src) {
    auto found = at.find({crossSection, dst, src});
    if (found == at.end() || !alive[found->second] ||
        blocks[found->second].form != crossSection)
      return false;
    alive[found->second] = false;
    return true;
  }

  void joinAlong(Step step, std::vector<Part> parts) {
    llvm::sort(parts, [](const Part &a, const Part &b) {
      return std::tie(a.crossSection, a.lane, a.position, a.extent) <
             std::tie(b.crossSection, b.lane, b.position, b.extent);
    });
    for (size_t i = 0; i < parts.size();) {
      Part part = parts[i];
      if (!alive[part.block]) {
        ++i;
        continue;
      }
      int64_t before = part.extent;
      while (part.dstOffset >= step.dst && part.srcOffset >= step.src &&
             takeSingle(part.crossSection, part.dstOffset - step.dst,
                        part.srcOffset - step.src)) {
        part.dstOffset -= step.dst;
        part.srcOffset -= step.src;
        --part.position;
        ++part.extent;
      }
      for (++i;;) {
        int64_t end = part.position + part.extent;
        if (i < parts.size() && alive[parts[i].block] &&
            parts[i].crossSection == part.crossSection &&
            parts[i].lane == part.lane && parts[i].position == end) {
          alive[parts[i].block] = false;
          part.extent += parts[i++].extent;
        } else if (takeSingle(part.crossSection,
                              part.dstOffset + part.extent * step.dst,
                              part.srcOffset + part.extent * step.src)) {
          ++part.extent;
        } else {
          break;
        }
      }
      if (part.extent == before)
        continue;
      ++numJoined;
      Block &block = blocks[part.block];
      block = stacked(
          set, {part.srcOffset, part.dstOffset, part.crossSection, block.tag},
          part.extent, step);
      enter(part.block);
    }
  }

  bool finish() {
    size_t kept = 0;
    for (uint32_t i = 0; i < blocks.size(); ++i)
      if (alive[i])
        blocks[kept++] = blocks[i];
    blocks.resize(kept);
    return numJoined > 0;
  }

  PieceSet &set;
  Blocks &blocks;
  std::vector<bool> alive;
  llvm::DenseMap<Place, uint32_t> at;
  llvm::DenseMap<PieceSet::Form, std::vector<uint32_t>> membersOf;
  std::map<Step, std::vector<PieceSet::Form>> formsWith;
  size_t numJoined = 0;
};
} // namespace

bool folding::joinBlocks(PieceSet &set, Blocks &blocks, bool smallStepsFirst) {
  if (blocks.size() < 2)
    return false;
  return Joiner(set, blocks).joinAlongAll(smallStepsFirst);
}

void folding::joinSingles(PieceSet &set, Blocks &blocks,
                          llvm::ArrayRef<Step> steps) {
  Joiner(set, blocks).joinSinglesAlong(steps);
}
