//===- FormatShape.cpp - Shapes and indexes as text -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/FormatShape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

std::string aoa::formatShape(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}
