//===- TypedId.h - Indexes that cannot be mixed up --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An index into one particular table. `TypedId<struct TensorTag>` and
// `TypedId<struct OpTag>` do not convert into each other.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_TYPEDID_H
#define AOA_SUPPORT_TYPEDID_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace aoa {

template <typename Tag> class TypedId {
public:
  constexpr TypedId() = default;
  constexpr explicit TypedId(size_t index)
      : value(static_cast<uint32_t>(index)) {}

  /// Returns the id that stands for no entry.
  static constexpr TypedId none() { return TypedId(); }

  constexpr bool isNone() const { return value == noneValue; }
  constexpr explicit operator bool() const { return !isNone(); }
  constexpr size_t index() const { return value; }

  friend constexpr auto operator<=>(TypedId, TypedId) = default;

private:
  static constexpr uint32_t noneValue = UINT32_MAX;
  uint32_t value = noneValue;
};

} // namespace aoa

template <typename Tag> struct std::hash<aoa::TypedId<Tag>> {
  size_t operator()(aoa::TypedId<Tag> id) const noexcept { return id.index(); }
};

#endif // AOA_SUPPORT_TYPEDID_H
