//===- AffineMapJson.h - DeepSpeed's affine maps ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Version 1 of the `affine_map` that DeepSpeed's universal checkpoints hold:
// for every parameter which rank holds which strided blocks of it.
//
//   { "version": 1, "params": { "^w$": { "logical_shape": [3, 4], "ranks": {
//       "0": { "shard_shape": [3, 2], "pieces": [
//         { "shape": [3, 2], "source": [0, [4, 1]], "dest": [0, [2, 1]],
//           "locations": [0] } ] }, … } } } }
//
// `source` is the full tensor, `dest` the rank's shard. Names stand for
// themselves, as they are or as an anchored, escaped expression. The map may
// stand alone, as the field `affine_map` of an object, or of its
// `universal_checkpoint_info`.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_AFFINEMAPJSON_H
#define AOA_CATALOG_AFFINEMAPJSON_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Reads a map as a layout: one axis of ranks, a rule with `pieces` and `shape`
/// for every parameter, the default file names. Every fault is reported with
/// its place and JSON path; nothing is returned after one. Checked: another
/// version; expressions that are no name; pieces inside of tensor and shard;
/// every element of a shard given once; every element of the tensor held by
/// some rank; `locations` exactly the ranks that hold each element of the
/// piece; one scale a shard. Cost: pieces times the logarithm of their number.
std::optional<Layout> parseAffineMap(std::string_view json, FileId file,
                                     DiagnosticSink &sink);

/// Returns the tensors of a layout that `parseAffineMap` read, with their
/// shards but without dtypes: a map does not say them.
Catalog tensorsOfAffineMap(const Layout &map);

/// Returns the map of `tensors`, by name. Blocks become one piece each, as they
/// are; `locations` are the ranks of all shards that hold its elements, in
/// blocks cut alike or otherwise. Fails for blocks whose elements do not all
/// have the same holders, and for shards with padding, which a map cannot say.
/// Cost: that of `forEachFlatRegion`.
Expected<std::string> printAffineMap(std::span<const Tensor> tensors);

} // namespace aoa

#endif // AOA_CATALOG_AFFINEMAPJSON_H
