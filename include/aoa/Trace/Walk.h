//===- Walk.h - Where single elements come from and go to -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Follows elements of one tensor through the operations of a program, by the
// pieces that lowering uses (OpRelation.h). Each element of a tensor is made of
// one element, so that the way back does not branch:
//
//   c = merge(transpose(a), b)    c[0, 3]  ←  a^T[0, 3]  ←  a[3, 0]
//
// Elements are row-major addresses in their tensors. Cost: the pieces of the
// operations that are passed, each once for all elements, and a step for each
// element there.
//===----------------------------------------------------------------------===//
#ifndef AOA_TRACE_WALK_H
#define AOA_TRACE_WALK_H

#include "aoa/IR/Program.h"
#include "aoa/Support/Error.h"

namespace aoa::trace {

/// One operation on the way back: it makes element `address` of `made` of its
/// operand number `operand`.
struct Hop {
  ir::OpId op;
  uint32_t operand;
  ir::ValueId made;
  int64_t address;
  friend bool operator==(const Hop &, const Hop &) = default;
};

/// The way of one element, from a value back to where it ends.
struct Way {
  ir::ValueId value; ///< That was asked about.
  int64_t address = 0;
  std::vector<Hop> hops;
  /// Of a source tensor, a fill, or a tensor that is left to the caller.
  ir::ValueId end = {};
  int64_t endAddress = 0;
};

/// More steps than this, of all elements together, are refused.
constexpr int64_t defaultMaxHops = 1'000'000;

/// Follows elements of `value` back, in the order of `addresses`. Requires
/// addresses inside the value. Fails with Limit after too many hops.
Expected<std::vector<Way>> walkBack(const ir::Program &program,
                                    ir::ValueId value,
                                    llvm::ArrayRef<int64_t> addresses,
                                    int64_t maxHops = defaultMaxHops);

/// An element of a result and which of the elements that were asked about it is
/// made of.
struct Goal {
  uint32_t result; ///< Index into Program::results.
  int64_t address;
  uint32_t number; ///< Index into the addresses.
  friend auto operator<=>(const Goal &, const Goal &) = default;
};

/// Finds all elements of results that are made of elements of the source tensor
/// called `name`, by numbers and then by results. Fails with Limit when an
/// operation on the way makes more than `maxElements` of them.
Expected<std::vector<Goal>> walkForward(const ir::Program &program,
                                        llvm::StringRef name,
                                        llvm::ArrayRef<int64_t> addresses,
                                        int64_t maxElements);

} // namespace aoa::trace

#endif // AOA_TRACE_WALK_H
