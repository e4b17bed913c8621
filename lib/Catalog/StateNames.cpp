//===- StateNames.cpp - Which tensors are optimizer states ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StateNames.h"

namespace aoa {

namespace {

constexpr StateSuffix paddleSuffixes[] = {
    {".w_0", "master weight", 1},
    {".moment1_0", "first moment", -1},
    {".moment2_0", "second moment", -2},
    {".beta1_pow_acc_0", "power of beta 1", 0},
    {".beta2_pow_acc_0", "power of beta 2", 0},
};
constexpr StateSuffix deepSpeedSuffixes[] = {
    {".fp32", "master weight", 1},        {".exp_avg", "first moment", -1},
    {".exp_avg_sq", "second moment", -2}, {".momentum_buffer", "momentum", -1},
    {".step", "step count", 0},
};

} // namespace

std::span<const StateSuffix> stateSuffixes(StateConvention convention) {
  switch (convention) {
  case StateConvention::None:
    return {};
  case StateConvention::Paddle:
    return paddleSuffixes;
  case StateConvention::DeepSpeed:
    return deepSpeedSuffixes;
  }
  return {};
}

std::string_view nameOf(StateConvention convention) {
  switch (convention) {
  case StateConvention::None:
    return "none";
  case StateConvention::Paddle:
    return "paddle";
  case StateConvention::DeepSpeed:
    return "deepspeed";
  }
  return "none";
}

std::optional<StateConvention> findStateConvention(std::string_view name) {
  for (StateConvention convention :
       {StateConvention::None, StateConvention::Paddle,
        StateConvention::DeepSpeed})
    if (name == nameOf(convention))
      return convention;
  return std::nullopt;
}

std::optional<StateName> stateName(StateConvention convention,
                                   std::string_view name) {
  for (const StateSuffix &suffix : stateSuffixes(convention))
    if (name.ends_with(suffix.text) && name.size() > suffix.text.size())
      return StateName{suffix,
                       name.substr(0, name.size() - suffix.text.size())};
  return std::nullopt;
}

} // namespace aoa
