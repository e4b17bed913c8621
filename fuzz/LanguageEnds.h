//===- LanguageEnds.h - What fuzzed scripts convert from and to -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A small source and the targets that scripts of the fuzzer choose from: every
// class of dtypes, scalars, empty tensors, ids with gaps and of two spellings,
// names that want quotes, optimizer states, cut tensors. Geometry only.
//===----------------------------------------------------------------------===//
#ifndef AOA_FUZZ_LANGUAGEENDS_H
#define AOA_FUZZ_LANGUAGEENDS_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Reference/Evaluate.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Support/Parameters.h"

#include <array>

namespace aoa::fuzz {

struct LanguageEnds {
  /// The texts that catalogs and layouts come from, by number of file: scripts
  /// come behind them.
  std::vector<std::string> texts;
  Catalog source;
  reference::Tensors sourceElements; ///< The same, with bytes that all differ.
  Catalog listing;
  Layout layout;       ///< Of rules, without a convention of states.
  Layout layoutStates; ///< The same with the one of Paddle.
  ResultOptions asTheyAre, widened;
  Parameters parameters, noParameters;

  /// The target of number 0 to 3: full, layout, listing, full in F32.
  Target target(unsigned number, StateConvention states) const;
};

/// Made once; the same for all inputs.
const LanguageEnds &languageEnds();

} // namespace aoa::fuzz

#endif // AOA_FUZZ_LANGUAGEENDS_H
