//===- Layout.h - Who shall hold what ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A mesh of ranks, rules from name patterns to placements (the first that fits
// decides), and how the files of the ranks are called. docs/Layouts.md defines
// every field; LayoutJson.h reads one, PlaceTensor.h applies it.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_LAYOUT_H
#define AOA_CATALOG_LAYOUT_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Catalog/NamePattern.h"
#include "aoa/Catalog/StateNames.h"
#include "aoa/Catalog/StoredName.h"
#include "aoa/Support/Diagnostic.h"

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>

namespace aoa {

struct MeshAxis {
  std::string name;
  int64_t size = 1;
};

/// Axes in order; a rank is the row-major index of its coordinates, so the axis
/// written last varies fastest. No axes: one rank.
struct Mesh {
  std::vector<MeshAxis> axes;

  int64_t numRanks() const;
  /// Returns the index of the axis called `name`, or -1.
  int findAxis(std::string_view name) const;
  std::vector<int64_t> coordinates(int64_t rank) const;
};

enum class ChunkRule { Even, Ceil, Balanced };

/// How one dimension of a rule is cut. Exactly the members that the JSON gives
/// are set.
struct DimCut {
  int dim = 0;               ///< As written: negative counts from the end.
  std::vector<int> meshAxes; ///< First is the most significant.
  std::vector<Shape> sizes;  ///< One list, or one per segment; empty: chunk.
  std::vector<int64_t>
      segments;                 ///< Extents; empty: one segment or numSegments.
  int64_t numSegments = 0;      ///< Equal segments; 0: not given.
  std::optional<int64_t> padTo; ///< Extent after padding.
  std::optional<int64_t> padMultiple;
};

/// A coordinate that follows from the numbers that a pattern catches: the value
/// of an expression or, with `blocks`, the number of the block that the value
/// falls in, of blocks that have these extents one after the other.
struct ComputedCoordinate {
  Expr value;
  Shape blocks;
};
/// A coordinate list, or one coordinate for each tensor.
using CoordinateSet = std::variant<std::vector<int64_t>, ComputedCoordinate>;

/// What rules and entries of `place` have in common: tensors, who holds them,
/// and under which name.
struct HolderRule {
  NamePattern match;
  SourceRange range;               ///< Of the object in the layout's text.
  std::string path;                ///< `rules[3]`, `place[0]`
  std::map<int, CoordinateSet> on; ///< Mesh axis → coordinates.
  std::optional<StoredName> storedAs;
  /// As the layout's.
  StateConvention states = StateConvention::None;

  /// What `match` catches of a name. Where it does not fit an optimizer state
  /// but its tensor: what it catches of that, and how the state's name goes on.
  struct Fit {
    Captures captures;
    std::string_view stateSuffix = {};
  };
  std::optional<Fit> fit(std::string_view name) const;
};

/// Local shards of a group of tensors laid end to end in one buffer, which is
/// cut evenly over a mesh axis (ModelPlacement.h).
struct FlattenRule {
  int axis = 0;          ///< Mesh axis that the buffer is cut over.
  int64_t align = 1;     ///< Each rank's part has a multiple of this length.
  int64_t alignEach = 1; ///< Each tensor starts at a multiple of this.
  std::string group;     ///< Empty: the tensors of the rule alone.
  /// Tensors are ordered by the first of these that fits, then by name.
  std::vector<NamePattern> order;
  bool each = false; ///< Every tensor has a buffer of its own.

  /// Whether the two lay out their buffers alike.
  bool isSameAs(const FlattenRule &other) const;
};

/// What one rank holds, piece by piece.
struct RankPieces {
  Shape localShape;
  std::vector<StridedBlock> pieces; ///< As given, empty ones too.
  double scale = 1;                 ///< Instead of the rule's; 1: the rule's.
};

struct LayoutRule : HolderRule {
  std::vector<DimCut> cuts;
  bool replicate = false;
  ChunkRule chunk = ChunkRule::Even;
  double padValue = 0;
  /// Whether `pad_value` is given: then pieces may leave out elements of
  /// shards.
  bool hasPadValue = false;
  /// The shards hold the tensor's values times this; finite, not 0.
  double scale = 1;
  /// The geometry itself, by rank; ranks without an entry hold nothing. None:
  /// the cuts say it.
  std::map<uint32_t, RankPieces> pieces;
  bool hasPieces = false; ///< Also where no rank has any.
  std::optional<DType> dtype;
  std::optional<Shape> shape;
  /// Says of the local shards that all else describes how they are laid out and
  /// cut once more. The axis cuts nothing else and is not restricted by `on`.
  std::optional<FlattenRule> flatten;
};

/// A rank's file name: `{rank}`, `{AXIS}`, `{world}`, each with an optional
/// width as in `{rank:05}`.
class FileNamePattern {
public:
  /// Fails with what is wrong: an unknown placeholder, an absolute name, `..`.
  static Expected<FileNamePattern> parse(std::string_view text,
                                         const Mesh &mesh);
  std::string fileOf(int64_t rank, const Mesh &mesh) const;
  const std::string &text() const { return source; }

  static constexpr std::string_view defaultText = "rank_{rank:05}.safetensors";

private:
  struct Part {
    std::string literal;
    int axis = -1; ///< Index of a mesh axis, or one of the two below.
    int width = 0;
  };
  static constexpr int rankAxis = -2, worldAxis = -3;
  static Expected<Part> parsePlaceholder(std::string_view text,
                                         const Mesh &mesh);
  std::string source;
  std::vector<Part> parts;
};

struct Layout {
  Mesh mesh;
  std::vector<LayoutRule> rules;
  /// All that fit a tensor say who holds it, the first about each axis; what
  /// its rule says comes before them.
  std::vector<HolderRule> places;
  /// Where every rule is for one name: which. Else empty.
  std::unordered_map<std::string, size_t> ruleOfName;
  FileNamePattern files;
  FileId file; ///< Text it came from.
  /// How names of optimizer states are told from those of tensors; set by
  /// useStates.
  StateConvention states = StateConvention::None;

  void useStates(StateConvention convention);
  /// Returns the first rule that fits `name`, or null. A state that no rule
  /// fits goes by the rule of its tensor.
  const LayoutRule *findRule(std::string_view name) const;

private:
  const LayoutRule *findOwnRule(std::string_view name) const;
};

} // namespace aoa

#endif // AOA_CATALOG_LAYOUT_H
