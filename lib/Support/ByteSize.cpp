//===- ByteSize.cpp - Sizes as people write them ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/ByteSize.h"

#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <charconv>
#include <utility>

using namespace aoa;

static std::optional<int64_t> factorOf(std::string_view unit) {
  constexpr std::pair<std::string_view, int64_t> factors[] = {
      {"", 1},
      {"B", 1},
      {"KB", 1000},
      {"kB", 1000},
      {"MB", 1000'000},
      {"GB", 1000'000'000},
      {"TB", 1000'000'000'000},
      {"KiB", int64_t(1) << 10},
      {"MiB", int64_t(1) << 20},
      {"GiB", int64_t(1) << 30},
      {"TiB", int64_t(1) << 40}};
  for (auto [name, factor] : factors)
    if (name == unit)
      return factor;
  return std::nullopt;
}

std::optional<int64_t> aoa::parseByteSize(std::string_view text) {
  int64_t number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number <= 0)
    return std::nullopt;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  std::optional<int64_t> factor = factorOf(unit);
  return factor ? checkedMul(number, *factor) : std::nullopt;
}
