//===- OneToOne.h - Operations from one tensor to one -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_ONETOONE_H
#define AOA_LIB_REFERENCE_ONETOONE_H

#include "Steps.h"

namespace aoa::reference {

/// What a statement does beside what it says.
struct Circumstances {
  bool isPaddle = false;
  /// Paddle: the shape that the target gives the right name, if it gives one.
  std::optional<Shape> wanted = {};
  /// What acts are states of an optimizer: casts do nothing to them.
  bool areStates = false;
  /// States of new elements are new: the operands of the model then.
  const std::vector<WholeTensor> *freshOf = nullptr;
  bool areMasters = false; ///< New ones are the model's values.
};

/// Does one operation of a statement. Fails for what the analysis refuses, and
/// with ErrorKind::Mismatch where blocks that `dedup` compares differ.
Expected<WholeTensor> apply(const Step &step, const WholeTensor &tensor,
                            const Circumstances &circumstances);

Expected<WholeTensor> permute(const WholeTensor &from,
                              const std::vector<int64_t> &perm);
/// All axes reversed.
Expected<WholeTensor> transpose(const WholeTensor &from);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_ONETOONE_H
