//===- Overlay.h - Boxes cut where what lies on them changes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Boxes have colors. A place has the set of the colors of the boxes on it. Each
// box is cut into cells of one such set:
//
//   box 0 [0, 4) red, box 1 [2, 6) blue
//     →  box 0: [0, 2) {red}, [2, 4) {red, blue}
//        box 1: [2, 4) {red, blue}, [4, 6) {blue}
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_OVERLAY_H
#define AOA_LIB_AFFINE_OVERLAY_H

#include "aoa/Affine/Holders.h"

namespace aoa::affine {

/// The cells of box i are cells begins[i] … begins[i + 1] - 1, in the order of
/// their low corners.
struct Cells {
  std::vector<size_t> begins;
  std::vector<int64_t> bounds; ///< As of the boxes.
  std::vector<RankSetId> sets; ///< Of the colors, in `colorSets`.
};

/// Box i is low and high bound of each axis, 2 · numAxes numbers from i · 2 ·
/// numAxes on. Cells of a box that make up a larger one are merged. Cost:
/// near-linear in the cells before merging.
Cells overlay(unsigned numAxes, std::vector<int64_t> bounds,
              llvm::ArrayRef<uint32_t> colors, RankSets &colorSets);

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_OVERLAY_H
