//===- Axis.cpp - Axes as the user writes them ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::primitives;

std::expected<unsigned, Fault> primitives::resolveAxis(const Operand &operand,
                                                       int64_t axis,
                                                       bool allowNegative) {
  auto rank = static_cast<int64_t>(operand.shape.size());
  int64_t lowest = allowNegative ? -rank : 0;
  if (axis >= lowest && axis < rank)
    return static_cast<unsigned>(axis < 0 ? axis + rank : axis);
  std::string message = "axis " + std::to_string(axis) + " of `" +
                        operand.name.str() + "`, which has shape " +
                        formatShape(operand.shape);
  message += rank == 0 ? " and no axes"
                       : ", expected " + std::to_string(lowest) + " to " +
                             std::to_string(rank - 1);
  return std::unexpected(Fault{std::move(message), 0});
}
