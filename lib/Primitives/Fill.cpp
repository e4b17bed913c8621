//===- Fill.cpp - A tensor of one value -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back removes it.
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "aoa/Support/ExactValue.h"

#include <charconv>

using namespace aoa;
using namespace aoa::primitives;

static std::string format(const Number &value) {
  char text[32];
  auto *end = std::visit(
      [&](auto number) {
        return std::to_chars(text, std::end(text), number).ptr;
      },
      value);
  return std::string(text, end);
}

std::optional<std::string> primitives::encodeNumber(const Number &value,
                                                    DType dtype) {
  if (auto *fraction = std::get_if<double>(&value))
    return encodeExactly(*fraction, dtype);
  int64_t whole = std::get<int64_t>(value);
  auto asDouble = static_cast<double>(whole);
  if (asDouble < 0x1p63 && static_cast<int64_t>(asDouble) == whole)
    return encodeExactly(asDouble, dtype);
  // Beyond 2^53: no float has it.
  if (dtype != DType::I64 && (dtype != DType::U64 || whole < 0))
    return std::nullopt;
  std::string bytes;
  for (unsigned i = 0; i != 8; ++i)
    bytes += static_cast<char>(static_cast<uint64_t>(whole) >> (8 * i) & 0xff);
  return bytes;
}

Inferred<TensorType> primitives::fill(DType dtype,
                                      llvm::ArrayRef<int64_t> shape,
                                      const Number &value) {
  if (!hasWholeBytes(dtype))
    return std::unexpected(
        Fault{"a tensor of " + std::string(nameOf(dtype)) +
              ", whose elements are no whole bytes, cannot be filled"});
  auto type = add(dtype, shape);
  if (type && !encodeNumber(value, dtype))
    return std::unexpected(
        Fault{format(value) + " is no value of " + std::string(nameOf(dtype))});
  return type;
}

affine::Piece primitives::fillPiece(llvm::ArrayRef<int64_t> shape) {
  return {affine::Extents(shape),
          {0, affine::Extents(shape.size(), 0)},
          affine::wholeView(shape)};
}
