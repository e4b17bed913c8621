//===- ElementOps.h - What an element goes through on its way ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A chain of casts and arithmetic, applied in order:
//
//   BF16 → divide by 4 → F32       (a shard that holds F·4 becomes F, widened)
//
// All arithmetic works in the dtype that the chain has reached, a float type.
// - Multiply and Divide belong to layouts, whose shards hold a multiple of the
//   tensor: the value times the number (or divided by it) in double precision,
//   rounded once to nearest even. Exact where the number is a power of two and
//   nothing overflows; what undoes itself goes.
// - Scale and Plus belong to scripts and are what PyTorch does: element and
//   number become F32, the operation rounds to F32, the result to the dtype
//   (for F64 all of it is F64). They are never folded.
// There are no reductions and no factors of 0.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_ELEMENTOPS_H
#define AOA_SUPPORT_ELEMENTOPS_H

#include "aoa/Support/DType.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aoa {

struct ElementOp {
  enum class Kind : uint8_t { Cast, Multiply, Divide, Scale, Plus };
  Kind kind = Kind::Cast;
  DType to = DType::F32; ///< What the element is after this step.
  /// Multiply, Divide, Scale: finite, not 0. Plus: finite. What finite and 0
  /// are is said by arithmeticNumber for Scale and Plus.
  double number = 1;

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
  /// Adds a multiplication or an addition of a script, whatever the number is.
  /// Requires a float dtype reached, with arithmetic; an arithmeticNumber that
  /// is finite and, for `scale`, not 0.
  void scale(double factor);
  void plus(double addend);
  /// Adds all steps of `next`, each by the rules above. Requires next.from to
  /// be the dtype reached.
  void append(const ElementOps &next);

  friend bool operator==(const ElementOps &, const ElementOps &) = default;
};

/// Returns whether every value of `from` is one of `to`, so that a cast there
/// and back gives the same bits: NaN payloads included, but for a signalling
/// NaN, which casts make quiet and a folded chain leaves as it is.
bool isLossless(DType from, DType to);

/// Returns the number that Scale and Plus work with on elements of `dtype`:
/// rounded to F32 (1e60 is infinite then, 1e-60 is 0), as it is for F64.
double arithmeticNumber(DType dtype, double number);

/// Returns `BF16 -> /4 -> F32` (multiplications as `*4`, Scale and Plus as
/// `scale 4` and `plus 4`); numbers so that they read back exactly.
std::string format(const ElementOps &ops);

} // namespace aoa

#endif // AOA_SUPPORT_ELEMENTOPS_H
