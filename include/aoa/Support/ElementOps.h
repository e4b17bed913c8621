//===- ElementOps.h - What an element goes through on its way ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A chain of casts and scalings, applied in order, one rounding a step:
//
//   BF16 → divide by 4 → F32       (a shard that holds F·4 becomes F, widened)
//
// A scaling works in the dtype that the chain has reached, a float type: the
// value times `factor` (or divided by it) in double precision, rounded once to
// nearest even to that dtype. Exact where the factor is a power of two and
// nothing overflows. There are no reductions and no factors of 0: what is done
// can be undone.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_ELEMENTOPS_H
#define AOA_SUPPORT_ELEMENTOPS_H

#include "aoa/Support/DType.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aoa {

struct ElementOp {
  enum class Kind : uint8_t { Cast, Multiply, Divide };
  Kind kind = Kind::Cast;
  DType to = DType::F32; ///< What the element is after this step.
  double factor = 1;     ///< Multiply, Divide: finite, not 0.

  friend bool operator==(const ElementOp &, const ElementOp &) = default;
};

struct ElementOps {
  DType from = DType::F32;
  std::vector<ElementOp> steps;

  DType to() const { return steps.empty() ? from : steps.back().to; }
  /// Whether bytes move as they are.
  bool isIdentity() const { return steps.empty(); }

  /// Adds a cast; folds what is exact: a cast to the dtype that is there is
  /// nothing, and casts that lose nothing followed by the way back are none
  /// (BF16 → F32 → F64 → BF16 is BF16). Requires canConvert from the dtype
  /// reached.
  void cast(DType to);
  /// Adds a scaling; a factor of 1 is nothing, and a multiplication that
  /// follows a division by the same factor (or the reverse) takes it away: the
  /// full tensor between them is exact. Requires a float dtype reached.
  void multiply(double factor);
  void divide(double factor);
  /// Adds all steps of `next`, each by the rules above. Requires next.from to
  /// be the dtype reached.
  void append(const ElementOps &next);

  friend bool operator==(const ElementOps &, const ElementOps &) = default;
};

/// Returns whether every value of `from` is one of `to`, so that a cast there
/// and back gives the same bits: NaN payloads included, but for a signalling
/// NaN, which casts make quiet and a folded chain leaves as it is.
bool isLossless(DType from, DType to);

/// Returns `BF16 -> /4 -> F32` (multiplications as `*4`); factors so that they
/// read back exactly.
std::string format(const ElementOps &ops);

} // namespace aoa

#endif // AOA_SUPPORT_ELEMENTOPS_H
