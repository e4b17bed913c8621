//===- DType.h - Element types ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_DTYPE_H
#define AOA_SUPPORT_DTYPE_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace aoa {

/// Element types, in safetensors' order (see DType.def).
enum class DType : uint8_t {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS) NAME,
#include "aoa/Support/DType.def"
};

enum class DTypeClass : uint8_t { Bool, Integer, Float, Opaque };

/// Returns safetensors' name, `BF16`.
std::string_view nameOf(DType dtype);
/// Returns Python's name, `bfloat16`.
std::string_view pythonNameOf(DType dtype);
unsigned bitsOf(DType dtype);
DTypeClass classOf(DType dtype);

/// Whether one element is a whole number of bytes. The others (F4, F6) are
/// moved as whole tensors only.
inline bool hasWholeBytes(DType dtype) { return bitsOf(dtype) % 8 == 0; }

/// Bytes of one element. Requires hasWholeBytes(dtype).
inline int64_t bytesPerElement(DType dtype) { return bitsOf(dtype) / 8; }

/// Finds a dtype by safetensors' name only, as file headers spell it.
std::optional<DType> dtypeFromSafetensors(std::string_view name);

/// Finds a dtype by either spelling, `BF16` or `bfloat16`, case-sensitive, as
/// scripts and layouts write it.
std::optional<DType> dtypeFromAnyName(std::string_view name);

/// Returns the bytes of a tensor, or nothing if the number of elements
/// overflows, is negative, or is no whole number of bytes.
std::optional<int64_t> checkedSizeBytes(DType dtype,
                                        std::span<const int64_t> shape);

/// Whether elements of `from` can become elements of `to` at all, which is what
/// plans hold and the runtime runs: any two floats; integers and BOOL to floats
/// and to wider integers that hold all their values; every dtype to itself.
bool canConvert(DType from, DType to);

/// Whether the aoa dialect casts `from` to `to`: as canConvert, but integers
/// and BOOL do not become floats.
bool canCast(DType from, DType to);

} // namespace aoa

#endif // AOA_SUPPORT_DTYPE_H
