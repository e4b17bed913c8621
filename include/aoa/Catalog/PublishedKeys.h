//===- PublishedKeys.h - DeepSpeed's layouts as rules -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DeepSpeed's universal checkpoints say by keys how tensor parallel ranks cut a
// parameter. Each is one layout rule here; the comments give the rule that
// would stand in a layout's JSON, for a mesh with an axis `tp` of size n.
// `axis` is the index of that axis in the mesh. Shapes and widths are taken as
// they are: placing checks them. Lists by rank have one entry for each
// coordinate of the axis.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_PUBLISHEDKEYS_H
#define AOA_CATALOG_PUBLISHEDKEYS_H

#include "aoa/Catalog/Layout.h"

namespace aoa::published {

//===--- how wide the ranks' parts are -----------------------------------===//

/// Whole grains, the first ranks get one more; the last rank also gets what is
/// no whole grain. 50 on 4 ranks in grains of 8: 16 16 8 10. With less than one
/// grain, elements are dealt. `{"chunk": "balanced"}` for grain 1.
Shape grainWidths(int64_t total, int64_t numRanks, int64_t grain = 1);

/// Whole heads, the first ranks get one more: 24 in 3 heads on 2 ranks: 16 8.
/// Requires that `numHeads` divides `total`.
Shape headWidths(int64_t total, int64_t numRanks, int64_t numHeads);

/// The last ranks get one more: 10 on 4 ranks: 2 2 3 3.
Shape lastGetMoreWidths(int64_t total, int64_t numRanks);

//===--- keys -------------------------------------------------------------===//

/// Every rank holds all, times `scale`.
/// `{"replicate": true, "scale": s}`
LayoutRule replicated(NamePattern match, double scale = 1);

/// Column parallel weights and biases: equal parts of dimension 0.
/// `{"shard": {"0": "tp"}}`
LayoutRule columnParallel(NamePattern match, int axis);

/// Row parallel weights: equal parts of dimension 1.
/// `{"shard": {"1": "tp"}}`
LayoutRule rowParallel(NamePattern match, int axis);

/// Partition sizes, and all uneven parts: `widths[r]` for rank r.
/// `{"shard": {"0": "tp"}, "sizes": {"0": [3, 3, 2, 2]}}`
LayoutRule partitions(NamePattern match, int axis, int dim, Shape widths);

/// Two sub-parameters of equal size on dimension 0, each cut in equal parts.
/// `{"shard": {"0": "tp"}, "segments": {"0": 2}}`
LayoutRule twoSubParameters(NamePattern match, int axis);

/// Sub-parameters of `sizes`, rank r has `widths[i][r]` of the i-th.
/// `{"shard": {"0": "tp"}, "segments": {"0": [7, 5]},
///   "sizes": {"0": [[3, 2, 2], [2, 2, 1]]}}`
LayoutRule subParameters(NamePattern match, int axis, int dim, Shape sizes,
                         std::vector<Shape> widths);

/// A vocabulary of shape `shape`, cut after its rows were padded to
/// `paddedRows`. The padding is no part of the tensor: it is never read.
/// `{"shard": {"0": "tp"}, "pad": {"0": 16}, "shape": [13, 4]}`
LayoutRule vocabulary(NamePattern match, int axis, Shape shape,
                      int64_t paddedRows);

/// A segment of a dimension: cut, or whole on every rank.
struct Segment {
  int64_t size;
  bool isReplicated;
};

/// A tensor of shape `shape` whose segments of dimension `dim` are cut (rank r
/// gets `widths[i][r]` of the i-th; unused for those that are not cut) or
/// replicated, as GPTBigCode's keys and values are. A rule of pieces; for
/// shape [6] in segments of 4 and, replicated, 2 on two ranks
/// `{"pieces": {
///     "0": {"shape": [4], "pieces": [
///       {"shape": [2], "full": [0, [1]], "shard": [0, [1]]},
///       {"shape": [2], "full": [4, [1]], "shard": [2, [1]]}]},
///     "1": {"shape": [4], "pieces": [
///       {"shape": [2], "full": [2, [1]], "shard": [0, [1]]},
///       {"shape": [2], "full": [4, [1]], "shard": [2, [1]]}]}}}`
LayoutRule segmented(NamePattern match, const Mesh &mesh, int axis, int dim,
                     const Shape &shape, std::span<const Segment> segments,
                     std::span<const Shape> widths);

/// A tensor whose dimension `dim` is made of blocks of `blockExtent`; rank r
/// holds `idsByRank[r]` of them, in that order. A rule of pieces; for shape
/// [4], blocks of 1, and the ids 0 2 on one, 3 1 on the other rank
/// `{"pieces": {
///     "0": {"shape": [2], "pieces": [
///       {"shape": [1], "full": [0, [1]], "shard": [0, [1]]},
///       {"shape": [1], "full": [2, [1]], "shard": [1, [1]]}]},
///     "1": {"shape": [2], "pieces": [
///       {"shape": [1], "full": [3, [1]], "shard": [0, [1]]},
///       {"shape": [1], "full": [1, [1]], "shard": [1, [1]]}]}}}`
LayoutRule blockGather(NamePattern match, const Mesh &mesh, int axis, int dim,
                       const Shape &shape, int64_t blockExtent,
                       std::span<const Shape> idsByRank);

/// Blocks of CodeGen's fused query, key and value rows on each rank; a block
/// has `rows / (12 · numRanks)` rows. See `blockGather`.
std::vector<Shape> codeGenBlocks(int64_t numRanks);

/// Heads of Yuan's values and outputs on each rank: some of the first half of
/// all heads, then the same of the second. See `blockGather`. Where the heads
/// of a rank are odd in number two ranks share one.
std::vector<Shape> yuanHeads(int64_t numHeads, int64_t numRanks);

/// Experts stacked along dimension 0, in the order in which each rank holds
/// them: `blockGather` with blocks of 1. For whole runs in order it is
/// `{"shard": {"0": "ep"}}`
LayoutRule experts(NamePattern match, const Mesh &mesh, int axis,
                   const Shape &shape, std::span<const Shape> idsByRank);

/// GPT-2's row parallel Conv1D of shape [rows, columns]: rank r holds the
/// transposed tensor's columns of `widths[r]`. A rule of pieces; for [2, 2] on
/// two ranks
/// `{"pieces": {
///     "0": {"shape": [2, 1], "pieces": [
///       {"shape": [2, 1], "full": [0, [1, 2]], "shard": [0, [1, 1]]}]},
///     "1": {"shape": [2, 1], "pieces": [
///       {"shape": [2, 1], "full": [2, [1, 2]], "shard": [0, [1, 1]]}]}}}`
LayoutRule transposedRowParallel(NamePattern match, const Mesh &mesh, int axis,
                                 const Shape &shape, const Shape &widths);

} // namespace aoa::published

#endif // AOA_CATALOG_PUBLISHEDKEYS_H
