//===- RepeatedBlocks.h - The numbers of repeat and dedup -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PRIMITIVES_REPEATEDBLOCKS_H
#define AOA_LIB_PRIMITIVES_REPEATEDBLOCKS_H

#include "Faults.h"

namespace aoa::primitives {

/// What repeat and its way back refuse alike: an axis that is none, numbers
/// below 1, sub-byte dtypes unless nothing is repeated.
inline std::optional<Fault> checkRepeatedBlocks(const Operand &operand,
                                                unsigned axis, int64_t count,
                                                int64_t block) {
  if (auto known = resolveAxis(operand, axis); !known)
    return known.error();
  if (count < 1)
    return Fault{quoted(operand.name) + " has every block " +
                 std::to_string(count) + " times, expected 1 at least"};
  if (block < 1)
    return Fault{"blocks of " + std::to_string(block) + " along axis " +
                 std::to_string(axis) + " of " + quoted(operand.name) +
                 ", expected 1 at least"};
  if (count > 1 && !hasWholeBytes(operand.dtype))
    return movedWholeOnly(operand);
  return std::nullopt;
}

} // namespace aoa::primitives

#endif // AOA_LIB_PRIMITIVES_REPEATEDBLOCKS_H
