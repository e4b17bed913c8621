//===- StateNames.h - Which tensors are optimizer states --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A format may not say which tensors are states of an optimizer and of which
// model tensor; then a convention of names does:
//
//   paddle      w.w_0 w.moment1_0 w.moment2_0 w.beta1_pow_acc_0 …
//   deepspeed   w.fp32 w.exp_avg w.exp_avg_sq w.step
//
// A tensor that is held times s moves its states with it: the gradient for p =
// s·b is 1/s of that for b, so a first moment is held times 1/s, a second one
// times 1/s².
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_STATENAMES_H
#define AOA_CATALOG_STATENAMES_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace aoa {

enum class StateConvention : uint8_t { None, Paddle, DeepSpeed };

/// The conventions as options name them.
std::string_view nameOf(StateConvention convention);
std::optional<StateConvention> findStateConvention(std::string_view name);

/// How a state's name ends, behind that of its tensor.
struct StateSuffix {
  std::string_view text; ///< `.exp_avg`
  std::string_view what; ///< `first moment`
  /// With the tensor held times s, the state is held times s to this power. 0:
  /// counters and the like, which know no scale.
  int scalePower;
};
std::span<const StateSuffix> stateSuffixes(StateConvention convention);

struct StateName : StateSuffix {
  std::string_view tensor; ///< Whose state it is.
};

/// Returns what `name` says by `convention`; nothing for a model tensor.
std::optional<StateName> stateName(StateConvention convention,
                                   std::string_view name);

} // namespace aoa

#endif // AOA_CATALOG_STATENAMES_H
