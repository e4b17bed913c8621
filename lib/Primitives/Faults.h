//===- Faults.h - What several primitives refuse alike ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PRIMITIVES_FAULTS_H
#define AOA_LIB_PRIMITIVES_FAULTS_H

#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/FormatShape.h"

namespace aoa::primitives {

inline std::string quoted(llvm::StringRef name) {
  return "`" + name.str() + "`";
}

/// The beginning of a message about an axis: ``axis 1 of `a` has extent 3``.
inline std::string describeAxis(const Operand &operand, unsigned axis) {
  return "axis " + std::to_string(axis) + " of " + quoted(operand.name) +
         " has extent " + std::to_string(operand.shape[axis]);
}

/// Elements that are parts of bytes keep their neighbours.
inline Fault movedWholeOnly(const Operand &operand, int index = 0) {
  return {quoted(operand.name) + " is " + std::string(nameOf(operand.dtype)) +
              ", which is moved as a whole tensor only",
          index};
}

inline Fault differingDTypes(const Operand &first, const Operand &part,
                             int index) {
  return {quoted(part.name) + " is " + std::string(nameOf(part.dtype)) +
              ", expected " + std::string(nameOf(first.dtype)) + " as " +
              quoted(first.name) + " is; a cast is never implied",
          index};
}

inline Fault differingShapes(const Operand &first, const Operand &part,
                             int index, const std::string &what) {
  return {quoted(part.name) + " has shape " + formatShape(part.shape) + ", " +
              quoted(first.name) + " has " + formatShape(first.shape) + ": " +
              what,
          index};
}

inline Fault tooLarge(const std::string &what, llvm::ArrayRef<int64_t> shape) {
  return {"the " + what + " shape " + formatShape(shape) +
          " has a size that does not fit in 63 bits"};
}

} // namespace aoa::primitives

#endif // AOA_LIB_PRIMITIVES_FAULTS_H
