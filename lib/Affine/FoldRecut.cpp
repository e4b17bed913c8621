//===- FoldRecut.cpp - Unions of boxes of one lattice -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A *frame* is the steps of a block, largest first. Blocks whose steps are
// among them and whose offsets are whole steps apart on both sides are boxes of
// one lattice under one affine map, an L or a frame of a tensor cut at any
// planes:
//
//   aaabb      aaaaa    Longest runs along the last dimension; equal runs of
//   aaabb  →   aaaaa    consecutive indexes joined along the one before, and so
//   cc         bb       on: what comes out does not depend on what was given.
//
// Frames of blocks that others contain are left to those.
//===----------------------------------------------------------------------===//

#include "FoldGroup.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace aoa::affine;
using namespace aoa::affine::folding;

namespace {
using Frame = std::vector<Step>; ///< Largest dst first.

/// Low and end of every dimension.
using LatticeBox = llvm::SmallVector<int64_t, 8>;

Frame stepsOf(const PieceSet &set, PieceSet::Form form) {
  Frame steps;
  for (unsigned dim = 0; dim < set.rankOf(form); ++dim)
    steps.push_back(stepOf(set, form, dim));
  return steps; // foldDims sorts so.
}

/// The union of disjoint boxes as boxes that it alone determines.
class Union {
public:
  explicit Union(size_t workLimit) : work(workLimit) {}

  /// Returns nothing if that took more work than is worth it.
  std::optional<std::vector<LatticeBox>> run(std::vector<LatticeBox> boxes) {
    unsigned rank = boxes.front().size() / 2;
    std::vector<LatticeBox> result = sweep(boxes, 0, rank);
    if (work == 0)
      return std::nullopt;
    return result;
  }

private:
  /// Returns the union seen in dimensions `dim` and after, sorted; what stands
  /// in those before is that of some box.
  std::vector<LatticeBox> sweep(std::vector<LatticeBox> &boxes, unsigned dim,
                                unsigned rank) {
    spend(boxes.size());
    llvm::sort(boxes, [&](const LatticeBox &a, const LatticeBox &b) {
      return a[2 * dim] < b[2 * dim];
    });
    if (dim + 1 == rank)
      return joinIntervals(boxes, dim);
    std::vector<int64_t> planes;
    for (const LatticeBox &box : boxes) {
      planes.push_back(box[2 * dim]);
      planes.push_back(box[2 * dim + 1]);
    }
    llvm::sort(planes);
    planes.erase(std::unique(planes.begin(), planes.end()), planes.end());

    std::vector<LatticeBox> done, open, active;
    size_t next = 0;
    for (size_t i = 0; i + 1 < planes.size() && work > 0; ++i) {
      llvm::erase_if(active, [&](const LatticeBox &box) {
        return box[2 * dim + 1] <= planes[i];
      });
      for (; next < boxes.size() && boxes[next][2 * dim] == planes[i]; ++next)
        active.push_back(boxes[next]);
      std::vector<LatticeBox> section;
      if (!active.empty()) {
        std::vector<LatticeBox> copy = active;
        section = sweep(copy, dim + 1, rank);
      }
      for (LatticeBox &box : section) {
        box[2 * dim] = planes[i];
        box[2 * dim + 1] = planes[i + 1];
      }
      extend(open, section, dim, done);
    }
    llvm::append_range(done, open);
    llvm::sort(done, [&](const LatticeBox &a, const LatticeBox &b) {
      return compareFrom(a, b, dim) < 0;
    });
    return done;
  }

  std::vector<LatticeBox> joinIntervals(llvm::ArrayRef<LatticeBox> boxes,
                                        unsigned dim) {
    std::vector<LatticeBox> joined;
    for (const LatticeBox &box : boxes)
      if (!joined.empty() && joined.back()[2 * dim + 1] == box[2 * dim])
        joined.back()[2 * dim + 1] = box[2 * dim + 1];
      else
        joined.push_back(box);
    return joined;
  }

  static int compareFrom(const LatticeBox &a, const LatticeBox &b,
                         unsigned dim) {
    for (unsigned i = 2 * dim; i < a.size(); ++i)
      if (a[i] != b[i])
        return a[i] < b[i] ? -1 : 1;
    return 0;
  }

  /// Goes on with the boxes of `open` that are in `section` too; the others are
  /// done. Both are sorted by the dimensions after `dim`.
  static void extend(std::vector<LatticeBox> &open,
                     std::vector<LatticeBox> &section, unsigned dim,
                     std::vector<LatticeBox> &done) {
    size_t i = 0;
    for (LatticeBox &box : section) {
      while (i < open.size() && compareFrom(open[i], box, dim + 1) < 0)
        done.push_back(open[i++]);
      if (i < open.size() && compareFrom(open[i], box, dim + 1) == 0)
        box[2 * dim] = open[i++][2 * dim];
    }
    for (; i < open.size(); ++i)
      done.push_back(open[i]);
    open = std::move(section);
  }

  void spend(size_t amount) { work -= std::min(work, amount); }
  size_t work;
};

class Recutter {
public:
  Recutter(PieceSet &set, Blocks &blocks, bool smallStepsFirst)
      : set(set), blocks(blocks), smallStepsFirst(smallStepsFirst) {
    for (const Block &block : blocks)
      if (block.form >= frameOf.size() || !frameOf[block.form]) {
        if (block.form >= frameOf.size())
          frameOf.resize(set.numForms());
        frameOf[block.form] = stepsOf(set, block.form);
      }
    taken.assign(blocks.size(), false);
  }

  void run() {
    for (const Frame &frame : mainFrames())
      recutIn(frame);
    for (size_t i = 0; i < blocks.size(); ++i)
      if (!taken[i])
        result.push_back(blocks[i]);
    blocks = std::move(result);
  }

private:
  /// The frames that no other contains; those of the most elements first.
  std::vector<Frame> mainFrames() const {
    std::map<Frame, int64_t> weights;
    for (const Block &block : blocks)
      weights[*frameOf[block.form]] += set.ref(block).numElements();
    std::vector<std::pair<int64_t, const Frame *>> order;
    for (const auto &[frame, weight] : weights)
      if (isInOrder(frame))
        order.emplace_back(-weight, &frame);
    llvm::sort(order, [](const auto &a, const auto &b) {
      return std::tie(a.first, *a.second) < std::tie(b.first, *b.second);
    });
    std::vector<Frame> frames;
    for (auto [weight, frame] : order) {
      bool isPart = llvm::any_of(weights, [&](const auto &other) {
        return other.first.size() > frame->size() &&
               contains(other.first, *frame) && isInOrder(other.first);
      });
      if (!isPart)
        frames.push_back(*frame);
      if (frames.size() == maxFrames)
        break;
    }
    return frames;
  }
  static bool isInOrder(const Frame &frame) {
    for (size_t i = 0; i < frame.size(); ++i)
      if (frame[i].dst <= (i + 1 < frame.size() ? frame[i + 1].dst : 0))
        return false;
    return !frame.empty();
  }
  static bool contains(const Frame &frame, const Frame &part) {
    return llvm::all_of(
        part, [&](Step step) { return llvm::is_contained(frame, step); });
  }

  /// Lowest index of `block` along each step of `frame`, its extents, and what
  /// the offsets leave.
  struct Place {
    Step rest;
    LatticeBox box;
    uint32_t block;
  };
  Place placeOf(uint32_t i, const Frame &frame, int64_t base) const {
    const Block &block = blocks[i];
    Place place{{block.dstOffset - base, block.srcOffset}, {}, i};
    auto shape = set.shapeOf(block.form);
    const Frame &own = *frameOf[block.form];
    for (Step step : frame) {
      int64_t low = place.rest.dst / step.dst;
      auto found = llvm::find(own, step);
      int64_t extent = found == own.end() ? 1 : shape[found - own.begin()];
      place.rest.dst -= low * step.dst;
      place.rest.src -= low * step.src;
      place.box.push_back(low);
      place.box.push_back(low + extent);
    }
    return place;
  }
  /// Whether no index reaches into that of a larger step.
  static bool staysInside(const Place &place, const Frame &frame) {
    int64_t end = place.rest.dst;
    for (size_t dim = frame.size(); dim-- > 1;) {
      end += (place.box[2 * dim + 1] - 1) * frame[dim].dst;
      if (end >= frame[dim - 1].dst)
        return false;
    }
    return true;
  }

  void recutIn(const Frame &frame) {
    std::vector<uint32_t> members;
    int64_t base = INT64_MAX;
    for (uint32_t i = 0; i < blocks.size(); ++i)
      if (!taken[i] && contains(frame, *frameOf[blocks[i].form])) {
        members.push_back(i);
        base = std::min(base, blocks[i].dstOffset);
      }
    if (members.size() < 2)
      return;
    std::vector<Place> places;
    for (uint32_t i : members)
      places.push_back(placeOf(i, frame, base));
    llvm::sort(places, [](const Place &a, const Place &b) {
      return std::tie(a.rest, a.box) < std::tie(b.rest, b.box);
    });
    for (size_t begin = 0; begin < places.size();) {
      size_t end = begin + 1;
      while (end < places.size() && places[end].rest == places[begin].rest)
        ++end;
      recutClass(llvm::ArrayRef(places).slice(begin, end - begin), frame, base);
      begin = end;
    }
  }

  void recutClass(llvm::ArrayRef<Place> places, const Frame &frame,
                  int64_t base) {
    if (places.size() < 2 || !llvm::all_of(places, [&](const Place &place) {
          return staysInside(place, frame);
        }))
      return;
    std::vector<LatticeBox> boxes;
    for (const Place &place : places)
      boxes.push_back(turned(place.box));
    auto united = Union(200 * places.size() + 10000).run(std::move(boxes));
    if (!united || united->size() > 2 * places.size())
      return;
    for (const Place &place : places)
      taken[place.block] = true;
    PieceSet::Tag tag = blocks[places.front().block].tag;
    for (const LatticeBox &other : *united) {
      LatticeBox box = turned(other);
      Step rest = places.front().rest;
      Piece piece{{}, {rest.src, {}}, {rest.dst + base, {}}};
      for (size_t dim = 0; dim < frame.size(); ++dim) {
        piece.src.offset += box[2 * dim] * frame[dim].src;
        piece.dst.offset += box[2 * dim] * frame[dim].dst;
        piece.shape.push_back(box[2 * dim + 1] - box[2 * dim]);
        piece.src.strides.push_back(frame[dim].src);
        piece.dst.strides.push_back(frame[dim].dst);
      }
      result.push_back(makeBlock(set, piece, tag));
    }
  }
  /// The dimensions in the order in which the union takes them, or back.
  LatticeBox turned(const LatticeBox &box) const {
    if (smallStepsFirst)
      return box;
    LatticeBox reversed;
    for (size_t dim = box.size() / 2; dim-- > 0;) {
      reversed.push_back(box[2 * dim]);
      reversed.push_back(box[2 * dim + 1]);
    }
    return reversed;
  }

  static constexpr size_t maxFrames = 32;
  PieceSet &set;
  Blocks &blocks;
  bool smallStepsFirst;
  std::vector<std::optional<Frame>> frameOf; ///< By form.
  std::vector<bool> taken;
  Blocks result;
};
} // namespace

void folding::recutBlocks(PieceSet &set, Blocks &blocks, bool smallStepsFirst) {
  if (blocks.size() > 1)
    Recutter(set, blocks, smallStepsFirst).run();
}
