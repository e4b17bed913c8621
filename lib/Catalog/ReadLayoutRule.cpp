//===- ReadLayoutRule.cpp - One rule of a layout ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks all that does not depend on a tensor's shape. What does (dimensions,
// sums, coordinates) is for placing.
//===----------------------------------------------------------------------===//
#include "ReadLayoutRule.h"

#include "ReadFlatten.h"
#include "ReadPieces.h"
#include "ReadPlace.h"
#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

namespace aoa {

namespace {

enum Field {
  Match,
  ShardBy,
  Replicate,
  Chunk,
  Sizes,
  Segments,
  On,
  Pad,
  PadValue,
  Flatten,
  ScaleField,
  PiecesField,
  DTypeField,
  ShapeField,
  StoredAs,
  numFields
};
constexpr std::array<std::string_view, numFields> fieldNames = {
    "match",    "shard",  "replicate", "chunk",     "sizes",
    "segments", "on",     "pad",       "pad_value", "flatten",
    "scale",    "pieces", "dtype",     "shape",     "stored_as"};

class RuleReader {
public:
  RuleReader(const Mesh &mesh, bool meshIsKnown, JsonFields &fields)
      : mesh(mesh), meshIsKnown(meshIsKnown), axesAreKnown(meshIsKnown),
        fields(fields), holders(mesh, meshIsKnown, fields, rule) {}

  LayoutRule read(JsonValue value) {
    auto found = fields.read(value, fieldNames);
    rule.range = fields.rangeOf(value);
    rule.path = value.path();
    if (!value.isObject())
      return std::move(rule);
    if (fields.require(value, found[Match], "match"))
      holders.readMatch(*found[Match]);
    if (found[On])
      holders.readOn(*found[On]);
    if (found[StoredAs])
      holders.readStoredAs(*found[StoredAs]);
    // Order matters: later ones check against the earlier.
    using Reader = void (RuleReader::*)(JsonValue);
    constexpr std::pair<Field, Reader> readers[] = {
        {ShardBy, &RuleReader::readShard},
        {Replicate, &RuleReader::readReplicate},
        {Chunk, &RuleReader::readChunk},
        {Segments, &RuleReader::readSegments},
        {Sizes, &RuleReader::readSizes},
        {Pad, &RuleReader::readPad},
        {PadValue, &RuleReader::readPadValue},
        {Flatten, &RuleReader::readFlattenOf},
        {ScaleField, &RuleReader::readScale},
        {PiecesField, &RuleReader::readPieces},
        {DTypeField, &RuleReader::readDType},
        {ShapeField, &RuleReader::readShape}};
    for (auto [field, reader] : readers)
      if (found[field])
        (this->*reader)(*found[field]);
    checkTogether(found);
    return std::move(rule);
  }

private:
  void wrong(JsonValue value, std::string message) {
    fields.fault(value, diag::LayoutRuleFault, std::move(message));
  }

  //===--- dimensions -----------------------------------------------------===//

  /// Calls `read(cut, value)` for each dimension of an object.
  template <typename Read>
  void forEachDim(JsonValue value, std::string_view what, Read read) {
    if (!fields.isObject(value, what))
      return;
    for (auto [key, member] : value.members())
      if (std::optional<int> dim = readDim(key))
        read(cutOf(*dim), member);
  }

  std::optional<int> readDim(JsonValue key) {
    constexpr int maxDim = 1000;
    std::string_view text = key.str();
    int dim = 0;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), dim);
    // `00` and `-0` would be second spellings of one dimension.
    if (error != std::errc() || std::to_string(dim) != text || dim > maxDim ||
        dim < -maxDim) {
      wrong(key, fmt::format("dimension `{}`, expected a whole number", text));
      return std::nullopt;
    }
    return dim;
  }

  DimCut &cutOf(int dim) {
    auto cut = std::ranges::find(rule.cuts, dim, &DimCut::dim);
    if (cut != rule.cuts.end())
      return *cut;
    rule.cuts.emplace_back().dim = dim;
    return rule.cuts.back();
  }

  void readShard(JsonValue value) {
    forEachDim(value, "an object from dimension to mesh axis",
               [&](DimCut &cut, JsonValue axes) {
                 shardDims.push_back(cut.dim);
                 if (axes.isArray() && axes.size() == 0)
                   wrong(axes,
                         fmt::format("no axis for dimension {}", cut.dim));
                 else if (axes.isArray())
                   for (JsonValue axis : axes.elements())
                     readAxis(cut, axis);
                 else if (axes.isString())
                   readAxis(cut, axes);
                 else
                   fields.wrongKind(axes, "a mesh axis or a list of them");
               });
  }

  std::optional<int> findAxis(JsonValue value, std::string_view name) {
    return findMeshAxis(value, name, mesh, meshIsKnown, fields);
  }

  void readAxis(DimCut &cut, JsonValue value) {
    std::optional<std::string_view> name = fields.string(value);
    std::optional<int> axis;
    if (name)
      axis = findAxis(value, *name);
    if (!axis) {
      axesAreKnown = false;
      return;
    }
    for (const DimCut &other : rule.cuts)
      if (std::ranges::find(other.meshAxes, *axis) != other.meshAxes.end())
        return wrong(value, fmt::format("axis `{}` cuts dimension {} already, "
                                        "expected each axis at most once",
                                        *name, other.dim));
    cut.meshAxes.push_back(*axis);
  }

  /// Number of parts of the dimension; nothing beyond 64 bits.
  std::optional<int64_t> numParts(const DimCut &cut) const {
    std::optional<int64_t> parts = 1;
    for (int axis : cut.meshAxes)
      if (parts)
        parts = checkedMul(*parts, mesh.axes[static_cast<size_t>(axis)].size);
    return parts;
  }

  void readSegments(JsonValue value) {
    forEachDim(
        value, "an object from dimension to segments",
        [&](DimCut &cut, JsonValue segments) {
          if (segments.isArray()) {
            cut.segments = fields.extents(segments).value_or(Shape{});
            if (segments.size() == 0)
              wrong(segments, "no segments, expected at least one");
            else if (!sumOf(cut.segments))
              wrong(segments, "sum of the segments is beyond 64 bits");
          } else {
            cut.numSegments =
                fields.whole(segments, 1, "extents of segments or their number")
                    .value_or(0);
          }
        });
  }

  void readSizes(JsonValue value) {
    forEachDim(value, "an object from dimension to sizes",
               [&](DimCut &cut, JsonValue sizes) { readSizesOf(cut, sizes); });
  }

  void readSizesOf(DimCut &cut, JsonValue sizes) {
    if (!fields.isArray(sizes, "a list of sizes"))
      return;
    bool nested = sizes.size() != 0 && (*sizes.elements().begin()).isArray();
    if (!nested) {
      addSizes(cut, sizes, 0);
    } else {
      size_t index = 0;
      for (JsonValue list : sizes.elements())
        addSizes(cut, list, index++);
    }
    int64_t numSegments = cut.segments.empty()
                              ? std::max<int64_t>(cut.numSegments, 1)
                              : static_cast<int64_t>(cut.segments.size());
    auto numLists = static_cast<int64_t>(cut.sizes.size());
    if (numLists != numSegments)
      wrong(sizes, fmt::format("{} lists of sizes for {} segments of dimension "
                               "{}, expected one for each",
                               numLists, numSegments, cut.dim));
  }

  void addSizes(DimCut &cut, JsonValue list, size_t segment) {
    std::optional<Shape> sizes = fields.extents(list);
    if (!sizes) {
      cut.sizes.emplace_back();
      return;
    }
    std::optional<int64_t> sum = sumOf(*sizes);
    std::optional<int64_t> parts = numParts(cut);
    if (axesAreKnown && !cut.meshAxes.empty() &&
        parts != static_cast<int64_t>(sizes->size()))
      wrong(list, fmt::format("{} sizes for dimension {}, expected {}",
                              sizes->size(), cut.dim, *parts));
    else if (!sum)
      wrong(list, "sum of the sizes is beyond 64 bits");
    else if (segment < cut.segments.size() && *sum != cut.segments[segment])
      wrong(list, fmt::format("sum of the sizes is {}, expected {}, the extent "
                              "of segment {}",
                              *sum, cut.segments[segment], segment));
    cut.sizes.push_back(std::move(*sizes));
  }

  static std::optional<int64_t> sumOf(const Shape &extents) {
    std::optional<int64_t> sum = 0;
    for (int64_t extent : extents)
      if (sum)
        sum = checkedAdd(*sum, extent);
    return sum;
  }

  void readPad(JsonValue value) {
    forEachDim(value, "an object from dimension to extent",
               [&](DimCut &cut, JsonValue pad) {
                 if (!pad.isObject()) {
                   cut.padTo = fields.whole(
                       pad, 0, "an extent or `{ \"multiple\": … }`");
                   return;
                 }
                 auto [multiple] = fields.read<1>(pad, {"multiple"});
                 if (fields.require(pad, multiple, "multiple"))
                   cut.padMultiple = fields.whole(
                       *multiple, 1, "a whole number of at least 1");
               });
  }

  //===--- the rest -------------------------------------------------------===//

  void readReplicate(JsonValue value) {
    if (!value.isBool())
      return fields.wrongKind(value, "true or false");
    rule.replicate = value.boolean();
  }

  void readChunk(JsonValue value) {
    constexpr std::pair<std::string_view, ChunkRule> rules[] = {
        {"even", ChunkRule::Even},
        {"ceil", ChunkRule::Ceil},
        {"balanced", ChunkRule::Balanced}};
    std::optional<std::string_view> name = fields.string(value);
    if (!name)
      return;
    NearestName nearest(*name);
    for (auto [known, chunk] : rules) {
      if (known == *name) {
        rule.chunk = chunk;
        return;
      }
      nearest.consider(known);
    }
    wrong(value, fmt::format("chunk `{}`, expected `even`, `ceil` or "
                             "`balanced`{}",
                             *name, nearest.hint()));
  }

  void readPadValue(JsonValue value) {
    std::optional<double> number = fields.number(value);
    if (!number)
      return;
    rule.padValue = *number;
    rule.hasPadValue = true;
  }

  /// A number, or 1/AXIS.
  void readScale(JsonValue value) {
    // `${…}` alone is a number, with text before it (`1/${axis}`) it is none.
    if (!value.isString() || value.str().starts_with("${")) {
      if (std::optional<double> scale =
              readScaleNumber(value, diag::LayoutRuleFault, fields))
        rule.scale = *scale;
      return;
    }
    std::optional<std::string_view> text = fields.string(value);
    if (!text)
      return;
    if (!text->starts_with("1/"))
      return wrong(value, fmt::format("scale `{}`, expected a number or `1/` "
                                      "and a mesh axis",
                                      *text));
    if (std::optional<int> axis = findAxis(value, text->substr(2)))
      rule.scale =
          1 / static_cast<double>(mesh.axes[static_cast<size_t>(*axis)].size);
  }

  void readPieces(JsonValue value) {
    rule.hasPieces = true;
    if (!fields.isObject(value, "an object from rank to its pieces"))
      return;
    for (auto [key, given] : value.members()) {
      std::optional<uint32_t> rank = readRankKey(key, fields);
      if (!rank)
        continue;
      if (meshIsKnown && *rank >= mesh.numRanks())
        wrong(key, fmt::format("rank {} of a mesh of {} ranks", *rank,
                               mesh.numRanks()));
      auto [shape, pieces] = fields.read<2>(given, {"shape", "pieces"});
      RankPieces of;
      if (fields.require(given, shape, "shape"))
        of.localShape = fields.shape(*shape).value_or(Shape());
      if (fields.require(given, pieces, "pieces"))
        of.pieces = readPieceList(*pieces, layoutPieceNames, fields);
      if (!rule.pieces.emplace(*rank, std::move(of)).second)
        wrong(key, fmt::format("rank {} is given twice", *rank));
    }
  }

  void readFlattenOf(JsonValue value) {
    rule.flatten = readFlatten(value, mesh, meshIsKnown, fields);
    checkFlattenAxis(value, rule, mesh, fields);
  }

  void readDType(JsonValue value) {
    std::optional<std::string_view> name = fields.string(value);
    if (!name)
      return;
    rule.dtype = dtypeFromAnyName(*name);
    if (rule.dtype)
      return;
    NearestName nearest(*name);
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS)                                   \
  nearest.consider(#NAME);                                                     \
  nearest.consider(PYTHON);
#include "aoa/Support/DType.def"
    wrong(value, fmt::format("unknown dtype `{}`{}", *name, nearest.hint()));
  }

  void readShape(JsonValue value) { rule.shape = fields.shape(value); }

  //===--- fields that do not go together ---------------------------------===//

  void
  checkTogether(const std::array<std::optional<JsonValue>, numFields> &found) {
    if (rule.replicate && found[ShardBy])
      wrong(*found[Replicate], "`replicate` together with `shard`, expected "
                               "one of the two");
    if (rule.replicate && found[Flatten])
      wrong(*found[Replicate], "`replicate` together with `flatten`, expected "
                               "one of the two");
    if (found[Pad] && found[Segments])
      wrong(*found[Pad], "`pad` together with `segments`, expected one of the "
                         "two: the layout cuts the padded tensor");
    if (found[PadValue] && !found[Pad] && !found[PiecesField])
      wrong(*found[PadValue], "`pad_value` without `pad`");
    for (Field field : {ShardBy, Replicate, Chunk, Sizes, Segments, On, Pad})
      if (found[PiecesField] && found[field])
        wrong(*found[field],
              fmt::format("`{}` together with `pieces`, which say "
                          "all of the geometry",
                          fieldNames[field]));
    if (rule.scale != 1 && rule.dtype)
      if (auto scaled = checkScale(rule, *rule.dtype); !scaled)
        wrong(*found[ScaleField], scaled.error().str());
    for (Field field : {Sizes, Segments})
      if (found[field] && found[field]->isObject() && !rule.replicate)
        checkIsCut(*found[field], fieldNames[field]);
    if (rule.replicate && (found[Sizes] || found[Segments]))
      wrong(found[Sizes] ? *found[Sizes] : *found[Segments],
            fmt::format("`{}` together with `replicate`, which cuts nothing",
                        found[Sizes] ? "sizes" : "segments"));
  }

  /// `sizes` and `segments` say how a dimension is cut that `shard` must name.
  /// Where it is named from the other end only a shape can tell.
  void checkIsCut(JsonValue value, std::string_view field) {
    for (auto [key, ignored] : value.members()) {
      int dim = 0;
      std::string_view text = key.str();
      if (std::from_chars(text.data(), text.data() + text.size(), dim).ec !=
          std::errc())
        continue;
      bool mayBeCut = std::ranges::any_of(shardDims, [&](int cut) {
        return cut == dim || (cut < 0) != (dim < 0);
      });
      if (!mayBeCut)
        wrong(key, fmt::format("`{}` of dimension {}, which `shard` does not "
                               "cut",
                               field, dim));
    }
  }

  const Mesh &mesh;
  bool meshIsKnown;
  bool axesAreKnown; ///< Whether all axes of `shard` were found.
  JsonFields &fields;
  LayoutRule rule;
  HolderReader holders;       ///< Of `rule`.
  std::vector<int> shardDims; ///< As written.
};

} // namespace

LayoutRule readLayoutRule(JsonValue value, const Mesh &mesh, bool meshIsKnown,
                          JsonFields &fields) {
  return RuleReader(mesh, meshIsKnown, fields).read(value);
}

} // namespace aoa
