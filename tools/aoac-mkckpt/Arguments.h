//===- Arguments.h - The command line of aoac-mkckpt ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_TOOLS_AOAC_MKCKPT_ARGUMENTS_H
#define AOA_TOOLS_AOAC_MKCKPT_ARGUMENTS_H

#include "aoa/Formats/MakeCheckpoint.h"
#include "aoa/Support/Parameters.h"

#include <expected>
#include <span>

namespace aoa::mkckpt {

struct Arguments {
  bool help = false; ///< Then nothing else was looked at.
  std::string tensors, layout, config;
  Parameters parameters; ///< For layouts.
  MakeCheckpointOptions options;
};

/// Fails with what is wrong, for people.
std::expected<Arguments, std::string>
parseArguments(std::span<const char *const> words);

/// What --help shows first.
extern const std::string_view usage;

} // namespace aoa::mkckpt

#endif // AOA_TOOLS_AOAC_MKCKPT_ARGUMENTS_H
