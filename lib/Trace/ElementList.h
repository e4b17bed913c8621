//===- ElementList.h - Elements of a tensor as pieces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRACE_ELEMENTLIST_H
#define AOA_LIB_TRACE_ELEMENTLIST_H

#include "aoa/Affine/PieceSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace aoa::trace {

/// An element of a tensor, and the number of the element that was asked about.
struct NumberedElement {
  int64_t number;
  int64_t address;
  friend auto operator<=>(const NumberedElement &,
                          const NumberedElement &) = default;
};

/// Returns the pieces from the addresses (src) to the numbers (dst); runs in
/// which both count up are one piece. Sorts `elements` by number.
affine::PieceSet asPieces(std::vector<NumberedElement> &elements);

/// Calls `visit` for each element of a piece, in row-major order.
void forEachElement(const affine::PieceRef &piece,
                    llvm::function_ref<void(int64_t src, int64_t dst)> visit);

} // namespace aoa::trace

#endif // AOA_LIB_TRACE_ELEMENTLIST_H
