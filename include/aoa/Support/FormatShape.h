//===- FormatShape.h - Shapes and indexes as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_FORMATSHAPE_H
#define AOA_SUPPORT_FORMATSHAPE_H

#include <cstdint>
#include <span>
#include <string>

namespace aoa {

/// Returns a shape, or the index of an element, as messages show it: `[2, 3]`.
std::string formatShape(std::span<const int64_t> shape);

} // namespace aoa

#endif // AOA_SUPPORT_FORMATSHAPE_H
