//===- FlatRegions.cpp - Who holds which addresses --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/FlatRegions.h"

#include "aoa/Support/CheckedMath.h"

#include <algorithm>

namespace aoa {

namespace {

constexpr size_t maxBoxes = size_t(1) << 22;
/// Of box bounds looked at: some seconds.
constexpr size_t maxWork = size_t(1) << 30;

std::unexpected<Error> tooMany() {
  return fail(ErrorKind::Limit,
              "the pieces are cut in more ways than can be checked");
}

/// A dimension of a view that steps: extent above 1, stride above 0.
struct Step {
  int64_t stride;
  int64_t extent;
};

/// A view as a set of addresses: steps ascending.
struct Steps {
  int64_t offset = 0;
  std::vector<Step> steps;
  bool repeats = false; ///< By a stride of 0.
};

Steps stepsOf(const FlatView &view) {
  Steps result;
  result.offset = view.offset;
  for (size_t dim = 0; dim < view.shape.size(); ++dim) {
    int64_t extent = view.shape[dim], stride = view.strides[dim];
    if (extent <= 1)
      continue;
    if (stride == 0) {
      result.repeats = true;
      continue;
    }
    result.steps.push_back({stride, extent});
  }
  std::ranges::sort(result.steps, {}, &Step::stride);
  return result;
}

/// Boxes of digits. Units divide each other, the first is 1.
class DigitBoxes {
public:
  DigitBoxes(std::span<const Steps> views, int64_t numElements)
      : numElements(numElements) {
    std::vector<int64_t> strides;
    for (const Steps &view : views)
      for (const Step &step : view.steps)
        strides.push_back(step.stride);
    std::ranges::sort(strides);
    units = {1};
    for (int64_t stride : strides)
      if (stride != units.back() && stride % units.back() == 0)
        units.push_back(stride);
    for (size_t k = 0; k + 1 < units.size(); ++k)
      radix.push_back(units[k + 1] / units[k]);
    radix.push_back(ceilDiv(numElements, units.back()));
  }

  /// Adds the boxes of a view. Returns an address that it holds twice, if the
  /// strides alone show one.
  Expected<std::optional<int64_t>> add(const Steps &view, uint32_t holder) {
    std::optional<int64_t> twice;
    if (view.repeats)
      twice = view.offset;
    Extents extents(units.size(), 1);
    if (!unroll(view, holder, 0, view.offset, extents, twice))
      return tooMany();
    return twice;
  }

  /// Adds what the digits can say beyond the last address, as `outside`.
  Expected<void> addOutside() {
    // Units are strides inside the buffer: both are below `elementLimit`.
    int64_t end = units.back() * radix.back();
    if (end == numElements)
      return {};
    Steps rest;
    rest.offset = numElements;
    if (end - numElements > 1)
      rest.steps = {{1, end - numElements}};
    auto added = add(rest, outside);
    if (!added)
      return failWith(std::move(added));
    return {};
  }

  bool visit(
      const std::function<bool(int64_t, std::span<const uint32_t>)> &callback) {
    visitor = &callback;
    std::vector<uint32_t> all(holders.size());
    for (uint32_t i = 0; i < all.size(); ++i)
      all[i] = i;
    Extents begin(units.size(), 0);
    stopped = false;
    work = 0;
    cut(begin, radix, all);
    return work <= maxWork;
  }

  static constexpr uint32_t outside = UINT32_MAX;

private:
  using Extents = std::vector<int64_t>;

  /// Gives each step its digit; a stride that is no unit becomes boxes, one a
  /// step.
  bool unroll(const Steps &view, uint32_t holder, size_t at, int64_t offset,
              Extents &extents, std::optional<int64_t> &twice) {
    if (at == view.steps.size()) {
      Extents copy = extents;
      return fit(holder, 0, offset, copy, twice);
    }
    const Step &step = view.steps[at];
    auto unit = std::ranges::lower_bound(units, step.stride);
    if (unit != units.end() && *unit == step.stride) {
      int64_t &extent = extents[static_cast<size_t>(unit - units.begin())];
      int64_t before = extent;
      extent = widen(before, step.extent, offset, step.stride, twice);
      bool fits = unroll(view, holder, at + 1, offset, extents, twice);
      extent = before;
      return fits;
    }
    if (static_cast<uint64_t>(step.extent) > maxBoxes)
      return false;
    for (int64_t i = 0; i < step.extent; ++i)
      if (!unroll(view, holder, at + 1, offset + i * step.stride, extents,
                  twice))
        return false;
    return true;
  }

  /// The extent of two steps of one stride, which meet if both are steps.
  static int64_t widen(int64_t a, int64_t b, int64_t offset, int64_t stride,
                       std::optional<int64_t> &twice) {
    if (a > 1 && b > 1 && !twice)
      twice = offset + stride;
    return a + b - 1;
  }

  /// Splits from digit `k` on what runs over the end of a digit: the steps up
  /// to it, full turns, and the rest.
  bool fit(uint32_t holder, size_t k, int64_t offset, Extents &extents,
           std::optional<int64_t> &twice) {
    for (; k + 1 < units.size(); ++k) {
      int64_t digit = offset / units[k] % radix[k], extent = extents[k];
      if (digit + extent <= radix[k])
        continue;
      int64_t head = digit == 0 ? 0 : radix[k] - digit;
      int64_t turns = (extent - head) / radix[k];
      int64_t tail = (extent - head) % radix[k];
      auto part = [&](int64_t begin, int64_t count, int64_t upper) {
        if (count == 0 || upper == 0)
          return true;
        Extents some = extents;
        some[k] = count;
        int64_t at = offset + begin * units[k];
        some[k + 1] = widen(some[k + 1], upper, at, units[k + 1], twice);
        return fit(holder, k + 1, at, some, twice);
      };
      return part(0, head, 1) && part(head, radix[k], turns) &&
             part(head + turns * radix[k], tail, 1);
    }
    if (holders.size() == maxBoxes)
      return false;
    holders.push_back(holder);
    for (size_t i = 0; i < units.size(); ++i) {
      int64_t digit = offset / units[i];
      if (i + 1 < units.size())
        digit %= radix[i];
      bounds.push_back(digit);
      bounds.push_back(digit + extents[i]);
    }
    return true;
  }

  int64_t low(uint32_t box, size_t k) const {
    return bounds[(box * units.size() + k) * 2];
  }
  int64_t high(uint32_t box, size_t k) const {
    return bounds[(box * units.size() + k) * 2 + 1];
  }

  /// Visits the regions of [begin, end), which all `boxes` meet.
  void cut(const Extents &begin, const Extents &end,
           const std::vector<uint32_t> &boxes) {
    work += 1 + boxes.size() * units.size();
    if (stopped || work > maxWork)
      return;
    // The digit with most bounds inside is split at the median of them.
    size_t best = 0, most = 0;
    std::vector<size_t> counts(units.size(), 0);
    for (uint32_t box : boxes)
      for (size_t k = 0; k < units.size(); ++k)
        counts[k] += (low(box, k) > begin[k]) + (high(box, k) < end[k]);
    for (size_t k = 0; k < units.size(); ++k)
      if (counts[k] > most) {
        most = counts[k];
        best = k;
      }
    if (most == 0)
      return leaf(begin, boxes);
    std::vector<int64_t> inside;
    inside.reserve(most);
    for (uint32_t box : boxes) {
      if (low(box, best) > begin[best])
        inside.push_back(low(box, best));
      if (high(box, best) < end[best])
        inside.push_back(high(box, best));
    }
    auto median = inside.begin() + static_cast<std::ptrdiff_t>(most / 2);
    std::ranges::nth_element(inside, median);
    int64_t at = *median;
    std::vector<uint32_t> side;
    for (uint32_t box : boxes)
      if (low(box, best) < at)
        side.push_back(box);
    Extents middle = end;
    middle[best] = at;
    cut(begin, middle, side);
    side.clear();
    for (uint32_t box : boxes)
      if (high(box, best) > at)
        side.push_back(box);
    middle = begin;
    middle[best] = at;
    cut(middle, end, side);
  }

  void leaf(const Extents &begin, const std::vector<uint32_t> &boxes) {
    found.clear();
    for (uint32_t box : boxes)
      found.push_back(holders[box]);
    std::ranges::sort(found);
    if (!found.empty() && found.back() == outside)
      return;
    int64_t address = 0;
    for (size_t k = 0; k < units.size(); ++k)
      address += begin[k] * units[k];
    stopped = !(*visitor)(address, found);
  }

  int64_t numElements;
  Extents units, radix;
  std::vector<uint32_t> holders; ///< By box.
  std::vector<int64_t> bounds;   ///< By box and digit: first, behind the last.
  const std::function<bool(int64_t, std::span<const uint32_t>)> *visitor =
      nullptr;
  std::vector<uint32_t> found;
  bool stopped = false;
  size_t work = 0;
};

} // namespace

FlatView fullViewOf(const StridedBlock &block) {
  return {block.shape, block.fullOffset, block.fullStrides};
}

FlatView shardViewOf(const StridedBlock &block) {
  return {block.shape, block.shardOffset, block.shardStrides};
}

StridedBlock stridedOf(const Block &block, const Shape &fullShape,
                       const Shape &localShape) {
  StridedBlock strided{block.shape, 0, Shape(block.shape.size()), 0,
                       Shape(block.shape.size())};
  int64_t full = 1, local = 1;
  for (size_t dim = block.shape.size(); dim-- > 0;) {
    strided.fullStrides[dim] = full;
    strided.shardStrides[dim] = local;
    strided.fullOffset += block.fullOffset[dim] * full;
    strided.shardOffset += block.localOffset[dim] * local;
    full *= fullShape[dim];
    local *= localShape[dim];
  }
  return strided;
}

std::optional<int64_t> addressOutside(const FlatView &view,
                                      int64_t numElements) {
  std::optional<int64_t> last = view.offset;
  for (size_t dim = 0; last && dim < view.shape.size(); ++dim) {
    std::optional<int64_t> reach =
        checkedMul(view.shape[dim] - 1, view.strides[dim]);
    last = reach ? checkedAdd(*last, *reach) : std::nullopt;
  }
  if (!last)
    return INT64_MAX;
  return *last >= numElements ? last : std::nullopt;
}

Expected<void> forEachFlatRegion(
    std::span<const FlatView> views, int64_t numElements,
    const std::function<bool(int64_t, std::span<const uint32_t>)> &visit) {
  if (numElements == 0)
    return {};
  std::vector<Steps> steps;
  steps.reserve(views.size());
  for (const FlatView &view : views)
    steps.push_back(stepsOf(view));
  DigitBoxes boxes(steps, numElements);
  for (uint32_t i = 0; i < steps.size(); ++i) {
    auto twice = boxes.add(steps[i], i);
    if (!twice)
      return failWith(std::move(twice));
    uint32_t holders[] = {i, i};
    if (*twice && !visit(**twice, holders))
      return {};
  }
  if (auto added = boxes.addOutside(); !added)
    return failWith(std::move(added));
  if (!boxes.visit(visit))
    return tooMany();
  return {};
}

std::string formatIndexOf(int64_t address, const Shape &shape) {
  Shape index(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 0)
      continue;
    index[dim] = address % shape[dim];
    address /= shape[dim];
  }
  return formatShape(index);
}

} // namespace aoa
