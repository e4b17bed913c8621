//===- AddressParts.h - Sets taken apart where addresses allow --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A flat buffer of several tensors is seen in rows of many lengths. No digits
// serve them all, but pieces that lie apart need none in common: each part has
// its own.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_ADDRESSPARTS_H
#define AOA_LIB_AFFINE_ADDRESSPARTS_H

#include "aoa/Affine/PieceSet.h"

#include <vector>

namespace aoa::affine {

struct AddressPart {
  PieceSet a, b;
};

/// Takes apart two sets that view one buffer, so that pieces of different parts
/// have no address in common, and in each part strides nest if they can. What
/// meets nothing is left out. Parts are in the order of addresses, pieces as
/// they were. Returns nothing if that leaves all in one part. Cost: O(n log n).
std::vector<AddressPart> takeApart(const PieceSet &a, Side sideOfA,
                                   const PieceSet &b, Side sideOfB);

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_ADDRESSPARTS_H
