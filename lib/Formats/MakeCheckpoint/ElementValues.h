//===- ElementValues.h - Values that tell where they belong -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The values of a made tensor are a function of its name, the position of the
// element in the whole tensor, and the seed; `madeValuesHelp` is the formula.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_FORMATS_MAKECHECKPOINT_ELEMENTVALUES_H
#define AOA_LIB_FORMATS_MAKECHECKPOINT_ELEMENTVALUES_H

#include "aoa/Catalog/Catalog.h"

namespace aoa {

/// The values of one tensor.
class ElementValues {
public:
  /// Writes the elements [first, first + count) of the whole tensor, in
  /// row-major order, to `out`. For dtypes without whole bytes, elements are
  /// bytes.
  void fill(int64_t first, int64_t count, char *out) const;

private:
  friend class ElementNumbering;
  DType dtype = DType::BOOL;
  bool isNumbered = false;
  uint64_t start = 0; ///< Number of the first element, or the hash's start.
};

/// Hands out the running numbers. Tensors must come in order of their names.
class ElementNumbering {
public:
  explicit ElementNumbering(uint64_t seed) : seed(seed), lastNumber(seed) {}

  /// Requires a number of elements that does not overflow.
  ElementValues valuesOf(const Tensor &tensor);

private:
  uint64_t seed;
  uint64_t lastNumber; ///< That was given away.
};

} // namespace aoa

#endif // AOA_LIB_FORMATS_MAKECHECKPOINT_ELEMENTVALUES_H
