//===- Operations.h - What the attributes of a statement do -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One-to-one operations in the order they act, and the axis of the join or cut.
// Types of values are checked here; what needs the operand's shape is not.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_OPERATIONS_H
#define AOA_LIB_SEMA_OPERATIONS_H

#include "Reporter.h"
#include "aoa/Support/DType.h"

namespace aoa::sema {

/// `permute=…`, `dtype=…`, or a pair of `src_dtype` and `dst_dtype`.
struct OneToOne {
  enum class Kind { Transpose, Cast } kind;
  llvm::SmallVector<int64_t, 4> entries = {}; ///< Transpose; empty: reverses.
  DType to = DType::F32;                      ///< Cast.
  std::optional<DType> from = {};             ///< Cast: what it must be.
  SourceRange range = {};
  SourceRange fromRange = {};
};

struct Operations {
  llvm::SmallVector<OneToOne, 1> oneToOne;
  std::optional<int64_t> axis;
  SourceRange axisRange;
};

/// Reads the attributes of a statement that renames, merges or splits. Reports
/// what is wrong with them; then nothing is returned.
std::optional<Operations> readOperations(const ast::Statement &statement,
                                         ast::Dialect dialect,
                                         Reporter &reporter);

/// Whether `name` is an attribute of the language that is not supported yet.
bool isLaterAttribute(llvm::StringRef name, ast::Dialect dialect);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_OPERATIONS_H
