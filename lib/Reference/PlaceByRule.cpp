//===- PlaceByRule.cpp - What a rank holds of one tensor ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For every dimension the list of the whole tensor's indexes that the rank
// holds, in local order, made by asking for each index who owns it. A shard is
// then the product of those lists. Nothing here knows boxes.
//===----------------------------------------------------------------------===//
#include "PlaceByRule.h"
#include "Elements.h"
#include "StridedElements.h"
#include "aoa/Support/CheckedMath.h"

#include <bit>
#include <cstring>
#include <numeric>

using namespace aoa;
using namespace aoa::reference;

static std::unexpected<Error> mismatch(const std::string &what) {
  return fail(ErrorKind::Mismatch, what);
}

namespace {

/// The indexes of one dimension that a rank holds; padding is -1.
using Held = std::vector<int64_t>;

/// Which part of a dimension of `extent` index `e` belongs to.
int64_t ownerByChunk(int64_t e, int64_t extent, const Shape &axisSizes,
                     ChunkRule rule) {
  int64_t parts = 1;
  for (int64_t size : axisSizes)
    parts *= size;
  switch (rule) {
  case ChunkRule::Even:
    return e / (extent / parts);
  case ChunkRule::Balanced: {
    int64_t small = extent / parts, numLarge = extent % parts;
    int64_t inLarge = numLarge * (small + 1);
    return e < inLarge ? e / (small + 1) : numLarge + (e - inLarge) / small;
  }
  case ChunkRule::Ceil: {
    int64_t owner = 0;
    for (int64_t size : axisSizes) {
      int64_t chunk = ceilDiv(extent, size);
      int64_t part = e / chunk;
      extent = std::min(chunk, extent - part * chunk);
      e -= part * chunk;
      owner = owner * size + part;
    }
    return owner;
  }
  }
  return 0;
}

int64_t ownerBySizes(int64_t e, const Shape &sizes) {
  int64_t end = 0;
  for (size_t part = 0; part != sizes.size(); ++part) {
    end += sizes[part];
    if (e < end)
      return static_cast<int64_t>(part);
  }
  return -1;
}

class LayoutPlacement {
public:
  LayoutPlacement(const Layout &layout, const LayoutRule &rule,
                  const std::string &name, const WholeTensor &tensor)
      : layout(layout), rule(rule), name(name), tensor(tensor) {}

  Expected<bool> holds(const Index &coordinates) const;
  Expected<WholeTensor> shardOf(const Index &coordinates) const;

private:
  uint32_t rankOf(const Index &coordinates) const {
    int64_t rank = 0;
    for (size_t i = 0; i != layout.mesh.axes.size(); ++i)
      rank = rank * layout.mesh.axes[i].size + coordinates[i];
    return static_cast<uint32_t>(rank);
  }
  Expected<Held> heldIn(const DimCut &cut, int64_t extent,
                        const Index &coordinates) const;
  Expected<Shape> segmentsOf(const DimCut &cut, int64_t extent) const;
  Expected<std::map<int64_t, DimCut>> cutsByDimension() const;
  std::string padBytes() const;
  Expected<WholeTensor> shardOfPieces(const RankPieces &given) const;

  const Layout &layout;
  const LayoutRule &rule;
  const std::string &name;
  const WholeTensor &tensor;
};

/// What a pattern caught and where the rank stands, for expressions.
class RankScope final : public ExprScope {
public:
  RankScope(const Captures &captures, const Mesh &mesh,
            const Index &coordinates) {
    for (size_t i = 0; i != mesh.axes.size(); ++i)
      values[mesh.axes[i].name] = Constant{coordinates[i]};
    for (const auto &[capture, number] : captures.numbers)
      values[capture] = Constant{number};
    for (const auto &[capture, text] : captures.texts)
      values[capture] = Constant{text};
  }
  std::optional<Constant> variable(std::string_view name) const override {
    auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<Constant> config(std::string_view) const override {
    return std::nullopt;
  }

private:
  std::map<std::string, Constant, std::less<>> values;
};

/// Whether `set` has `mine`; a block is counted from its neighbours.
Expected<bool> admits(const CoordinateSet &set, int64_t mine,
                      const RankScope &scope) {
  if (const auto *list = std::get_if<std::vector<int64_t>>(&set))
    return std::find(list->begin(), list->end(), mine) != list->end();
  const auto &computed = std::get<ComputedCoordinate>(set);
  auto value = evaluate(computed.value, scope);
  if (!value || !std::holds_alternative<int64_t>(value->data))
    return mismatch("`" + computed.value.written + "` is no coordinate");
  int64_t number = std::get<int64_t>(value->data);
  if (computed.blocks.empty())
    return number == mine;
  if (mine >= static_cast<int64_t>(computed.blocks.size()))
    return false;
  int64_t first = std::accumulate(computed.blocks.begin(),
                                  computed.blocks.begin() + mine, int64_t(0));
  return number >= first && number - first < computed.blocks[mine];
}

Expected<bool> LayoutPlacement::holds(const Index &coordinates) const {
  if (rule.hasPieces)
    return rule.pieces.contains(rankOf(coordinates));
  std::vector<const HolderRule *> sayings{&rule};
  for (const HolderRule &place : layout.places)
    sayings.push_back(&place);
  for (size_t axis = 0; axis != coordinates.size(); ++axis)
    for (const HolderRule *saying : sayings) {
      auto set = saying->on.find(static_cast<int>(axis));
      auto fit = saying->fit(name);
      if (set == saying->on.end() || !fit)
        continue;
      auto mine = admits(set->second, coordinates[axis],
                         RankScope(fit->captures, layout.mesh, coordinates));
      if (!mine || !*mine)
        return mine;
      break; // The first that says something of an axis decides.
    }
  return true;
}

Expected<Shape> LayoutPlacement::segmentsOf(const DimCut &cut,
                                            int64_t extent) const {
  if (!cut.segments.empty()) {
    if (std::accumulate(cut.segments.begin(), cut.segments.end(), int64_t(0)) !=
        extent)
      return mismatch("segments of `" + name + "` do not sum up");
    return Shape(cut.segments);
  }
  if (cut.numSegments == 0)
    return Shape{extent};
  if (extent % cut.numSegments != 0)
    return mismatch("segments of `" + name + "` do not divide");
  return Shape(cut.numSegments, extent / cut.numSegments);
}

Expected<Held> LayoutPlacement::heldIn(const DimCut &cut, int64_t extent,
                                       const Index &coordinates) const {
  int64_t padded = extent;
  if (cut.padTo)
    padded = *cut.padTo;
  else if (cut.padMultiple)
    padded = ceilDiv(extent, *cut.padMultiple) * *cut.padMultiple;
  if (padded < extent)
    return mismatch("`" + name + "` is larger than its padding");
  int64_t mine = 0, numParts = 1;
  Shape axisSizes;
  for (int axis : cut.meshAxes) {
    axisSizes.push_back(layout.mesh.axes[axis].size);
    mine = mine * axisSizes.back() + coordinates[axis];
    numParts *= axisSizes.back();
  }
  auto segments = segmentsOf(cut, padded);
  if (!segments)
    return failWith(std::move(segments));
  Held held;
  int64_t before = 0;
  for (size_t s = 0; s != segments->size(); ++s) {
    int64_t length = (*segments)[s];
    if (cut.sizes.empty() && rule.chunk == ChunkRule::Even &&
        length % numParts != 0)
      return mismatch("`" + name + "`: " + std::to_string(length) +
                      " is not divisible by " + std::to_string(numParts));
    const Shape *sizes = cut.sizes.empty()       ? nullptr
                         : cut.sizes.size() == 1 ? &cut.sizes.front()
                                                 : &cut.sizes[s];
    if (sizes &&
        std::accumulate(sizes->begin(), sizes->end(), int64_t(0)) != length)
      return mismatch("sizes of `" + name + "` do not sum up");
    for (int64_t e = 0; e != length; ++e) {
      int64_t owner = sizes ? ownerBySizes(e, *sizes)
                            : ownerByChunk(e, length, axisSizes, rule.chunk);
      if (owner == mine)
        held.push_back(before + e < extent ? before + e : -1);
    }
    before += length;
  }
  return held;
}

std::string LayoutPlacement::padBytes() const {
  int64_t size = bytesPerElement(tensor.dtype);
  if (classOf(tensor.dtype) == DTypeClass::Float) {
    uint64_t bits = std::bit_cast<uint64_t>(rule.padValue);
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &bits, 8);
    return castElement(bytes, DType::F64, tensor.dtype);
  }
  // Two's complement, cut to the element's size; others are padded with zeros.
  auto whole = rule.padValue < 0
                   ? static_cast<uint64_t>(static_cast<int64_t>(rule.padValue))
                   : static_cast<uint64_t>(rule.padValue);
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &whole, std::min<int64_t>(size, 8));
  return bytes;
}

/// A rule may count one dimension from both ends: `shard` has "-1" and `sizes`
/// has "1".
Expected<std::map<int64_t, DimCut>> LayoutPlacement::cutsByDimension() const {
  std::map<int64_t, DimCut> cuts;
  for (const DimCut &cut : rule.cuts) {
    int64_t rank = static_cast<int64_t>(tensor.shape.size());
    int64_t dim = cut.dim < 0 ? cut.dim + rank : cut.dim;
    if (dim < 0 || dim >= rank)
      return mismatch("`" + name + "` has no dimension " +
                      std::to_string(cut.dim));
    DimCut &all = cuts[dim];
    if (!cut.meshAxes.empty())
      all.meshAxes = cut.meshAxes;
    if (!cut.sizes.empty())
      all.sizes = cut.sizes;
    if (!cut.segments.empty())
      all.segments = cut.segments;
    if (cut.numSegments != 0)
      all.numSegments = cut.numSegments;
    if (cut.padTo)
      all.padTo = cut.padTo;
    if (cut.padMultiple)
      all.padMultiple = cut.padMultiple;
  }
  return cuts;
}

Expected<WholeTensor>
LayoutPlacement::shardOfPieces(const RankPieces &given) const {
  if (!hasWholeBytes(tensor.dtype))
    return mismatch("`" + name +
                    "` has elements of less than a byte and has pieces");
  auto size = checkedSizeBytes(tensor.dtype, given.localShape);
  if (!size)
    return mismatch("a shard of `" + name + "` has no size in bytes");
  WholeTensor shard{tensor.dtype, given.localShape, {}};
  int64_t elementBytes = bytesPerElement(tensor.dtype);
  int64_t numLocal = *size / elementBytes;
  int64_t numFull = static_cast<int64_t>(tensor.bytes.size()) / elementBytes;
  std::string padding = padBytes();
  for (int64_t i = 0; i != numLocal; ++i)
    shard.bytes += padding;
  std::vector<bool> isGiven(static_cast<size_t>(numLocal), false);
  std::string fault;
  for (const StridedBlock &piece : given.pieces)
    forEachIndex(piece.shape, [&](const Index &index) {
      int64_t from = addressOf(index, piece.fullOffset, piece.fullStrides);
      int64_t to = addressOf(index, piece.shardOffset, piece.shardStrides);
      if (from < 0 || from >= numFull || to < 0 || to >= numLocal)
        fault = "a piece of `" + name + "` reaches outside";
      else if (isGiven[to])
        fault = "an element of a shard of `" + name + "` is given twice";
      if (!fault.empty())
        return;
      isGiven[to] = true;
      copyElement(tensor, from, shard, to,
                  given.scale == 1 ? rule.scale : given.scale);
    });
  if (!fault.empty())
    return mismatch(fault);
  return shard;
}

Expected<WholeTensor> LayoutPlacement::shardOf(const Index &coordinates) const {
  if (rule.hasPieces)
    return shardOfPieces(rule.pieces.at(rankOf(coordinates)));
  size_t rank = tensor.shape.size();
  std::vector<Held> held(rank);
  for (size_t dim = 0; dim != rank; ++dim) {
    held[dim].resize(tensor.shape[dim]);
    std::iota(held[dim].begin(), held[dim].end(), 0);
  }
  auto cuts = cutsByDimension();
  if (!cuts)
    return failWith(std::move(cuts));
  bool isCut = false;
  for (const auto &[dim, cut] : *cuts) {
    auto list = heldIn(cut, tensor.shape[dim], coordinates);
    if (!list)
      return failWith(std::move(list));
    isCut |= *list != held[dim];
    held[dim] = std::move(*list);
  }
  if (!isCut && rule.scale == 1)
    return tensor;
  if (!hasWholeBytes(tensor.dtype))
    return mismatch("`" + name +
                    "` has elements of less than a byte and is "
                    "cut");
  WholeTensor shard{tensor.dtype, {}, {}};
  for (const Held &list : held)
    shard.shape.push_back(static_cast<int64_t>(list.size()));
  size_t size = bytesPerElement(tensor.dtype);
  std::string padding = padBytes();
  forEachIndex(shard.shape, [&](const Index &local) {
    Index full(rank);
    bool isPadding = false;
    for (size_t dim = 0; dim != rank; ++dim) {
      full[dim] = held[dim][local[dim]];
      isPadding |= full[dim] < 0;
    }
    shard.bytes += padding;
    if (!isPadding)
      copyElement(tensor, placeOf(full, tensor.shape), shard,
                  static_cast<int64_t>(shard.bytes.size() / size) - 1,
                  rule.scale);
  });
  return shard;
}

} // namespace

Expected<std::string> reference::nameInFile(const Layout &layout,
                                            const LayoutRule &rule,
                                            const std::string &name,
                                            int64_t rank) {
  std::vector<const HolderRule *> sayings{&rule};
  for (const HolderRule &place : layout.places)
    sayings.push_back(&place);
  for (const HolderRule *saying : sayings) {
    auto fit = saying->fit(name);
    if (!saying->storedAs || !fit)
      continue;
    RankScope scope(fit->captures, layout.mesh, layout.mesh.coordinates(rank));
    std::string stored;
    for (const StoredName::Part &part : saying->storedAs->parts()) {
      stored += part.literal;
      if (!part.value)
        continue;
      auto value = evaluate(*part.value, scope);
      if (!value)
        return mismatch("`" + name + "`: " + value.error().message);
      stored += printConstant(*value);
    }
    return stored + std::string(fit->stateSuffix);
  }
  return name;
}

Expected<std::optional<WholeTensor>>
reference::localShard(const Layout &layout, const LayoutRule &rule,
                      const std::string &name, const WholeTensor &tensor,
                      int64_t rank) {
  LayoutPlacement placement(layout, rule, name, tensor);
  Index coordinates = layout.mesh.coordinates(rank);
  auto holds = placement.holds(coordinates);
  if (!holds)
    return failWith(std::move(holds));
  if (!*holds)
    return std::nullopt;
  auto shard = placement.shardOf(coordinates);
  if (!shard)
    return failWith(std::move(shard));
  return std::move(*shard);
}
