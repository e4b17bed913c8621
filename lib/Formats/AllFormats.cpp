//===- AllFormats.cpp - The formats that can be opened ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/Checkpoint.h"

namespace aoa {

std::span<const FormatInfo> allFormats() {
  static constexpr FormatInfo formats[] = {
#define AOA_FORMAT(ENUMERATOR, NAME, SUMMARY) {NAME, SUMMARY},
#include "aoa/Formats/Formats.def"
  };
  return formats;
}

} // namespace aoa
