//===- ChooseTexts.h - The shortest text that is proved ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each written statement, last first: the statement itself turned round,
// where that does the same as what undoes it one by one; else templates, loops,
// or these one by one. All chosen texts are expanded together, since templates
// depend on the names that there are then; the first that does something else
// gives way to its next, until none is left.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_CHOOSETEXTS_H
#define AOA_LIB_INVERT_CHOOSETEXTS_H

#include "TurnRound.h"
#include "WayBack.h"

namespace aoa::invert {

/// Returns the text of the way back, without a head.
std::string chooseTexts(const InvertInputs &inputs, const Forward &forward,
                        FlatStatements flat, const WayBack &wayBack);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_CHOOSETEXTS_H
