//===- FormatElement.h - One element as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_RUNTIME_FORMATELEMENT_H
#define AOA_LIB_RUNTIME_FORMATELEMENT_H

#include "aoa/Catalog/Catalog.h"

#include <cstddef>
#include <string>

namespace aoa {

/// Returns element `number` of a row-major tensor that starts at `data`, as
/// `-1.5`, `42`, `true`, `1, 2i`, or `0x3` for dtypes without arithmetic. NaNs
/// show their bits.
std::string formatElement(DType dtype, const std::byte *data, int64_t number);

/// Returns the bits of an element, at most 64.
uint64_t elementBits(DType dtype, const std::byte *data, int64_t number);

/// Returns the index of element `number` of a tensor of `shape`.
Shape indexOfElement(const Shape &shape, int64_t number);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_FORMATELEMENT_H
