//===- InvertStep.h - What undoes one operation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   permute=[2, 0, 1]            permute=[1, 2, 0]
//   dtype=float32 (of BF16)      src_dtype=float32, dst_dtype=bfloat16
//   reshape=[6, 4]               reshape=[24]
//   pad=[[0, 2]]                 slice="0:4"
//   repeat=2, axis=0, block=4    dedup=2, axis=0, block=4
//   scale=0.5                    scale=2.0
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_INVERTSTEP_H
#define AOA_LIB_INVERT_INVERTSTEP_H

#include "ForwardStatement.h"

#include <expected>

namespace aoa::invert {

using Attributes = llvm::SmallVector<ast::Attribute, 2>;

struct InverseStep {
  Attributes attributes;
  /// Whether the elements come back rounded, and by what (`scale`).
  llvm::StringRef rounds = {};
};

/// Why a step has no inverse: what it does to the elements.
struct Loss {
  llvm::StringRef attribute; ///< That says the step, as scripts spell it.
  std::string why;
};

/// Returns the attributes of the statement that goes from the step's result to
/// its operand.
std::expected<InverseStep, Loss> invertStep(const ir::Program &program,
                                            const Step &step);

/// Returns the attributes that cut what `op`, a Merge or Stack, joins into
/// `parts`: its operands, perhaps without some that are empty.
Attributes cutAttributes(const ir::Program &program, const ir::Op &op,
                         llvm::ArrayRef<ir::ValueId> parts);
/// Returns the attributes that join what `op`, a Split or Unstack, cuts.
Attributes joinAttributes(const ir::Op &op);

/// Returns the attributes of `_ -> b` for a tensor like `value`, of zeros.
Attributes fillAttributes(const ir::Value &value);

/// Makes the attribute `name=value`.
ast::Attribute attribute(llvm::StringRef name,
                         decltype(ast::Value::data) value);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_INVERTSTEP_H
