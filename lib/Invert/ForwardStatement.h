//===- ForwardStatement.h - A statement as what it does, in turn -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0
//
// The operations that the analysis made of one statement, taken apart into what
// joins its left names, what acts on one tensor, and what cuts for its right
// names:
//
//   a, b -> c, axis=0, dtype=float32      join Merge, steps {Cast}, cut None
//
// Operations that are several in the IR are one step again.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_FORWARDSTATEMENT_H
#define AOA_LIB_INVERT_FORWARDSTATEMENT_H

#include "aoa/Sema/Analyze.h"

namespace aoa::invert {

/// An operation from one tensor to one.
struct Step {
  /// Transpose, Cast, Reshape, Rearrange, Slice, Repeat, Scale, Plus, Stack,
  /// Unstack; Pad also for `value=last`, Dedup with what compares.
  ir::OpKind kind;
  ir::OpId op; ///< The one that says how; the Slice of `value=last`.
  ir::ValueId from, to;
};

struct ForwardStatement {
  enum class Join : uint8_t { None, Merge, Stack, TieVerify, TieFirst };
  enum class Cut : uint8_t { None, Split, Unstack, Copy };

  const ast::Statement *written = nullptr; ///< Of the expanded script.
  /// Of left names, in order; empty for `_ -> b` (and with --std=paddle for
  /// removals, which act at the end).
  llvm::SmallVector<ir::ValueId, 2> operands;
  /// Of right names, in order, also those that are `_`; empty for `a -> _`.
  llvm::SmallVector<ir::ValueId, 2> results;
  Join join = Join::None;
  Cut cut = Cut::None;
  ir::OpId joinOp, cutOp; ///< Merge, Stack; Split, Unstack.
  llvm::SmallVector<Step, 2> steps;

  /// Whether it is `a -> _`.
  bool removes() const { return results.empty(); }
  /// Whether the value of right name `i` is thrown away.
  bool discards(size_t i, ast::Dialect dialect) const {
    return dialect == ast::Dialect::Aoa && written->right[i].isDiscard();
  }
  /// Whether it is `_ -> b` or `a -> _`.
  bool isRemoveOrAdd() const { return operands.empty() || results.empty(); }
};

/// Takes apart what the analysis made. Requires that it reported no error.
std::vector<ForwardStatement>
readForward(const ir::Program &program,
            llvm::ArrayRef<AnalyzedStatement> analyzed);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_FORWARDSTATEMENT_H
