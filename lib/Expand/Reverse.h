//===- Reverse.h - Scripts that run from right to left ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `aoa_config_reverse`: the statements say how the source is made of the
// target. They expand as they are written, with the two ends in each other's
// place (a left name is the target's, a right one the source's); then the list
// is turned round and each statement is read from right to left:
//
//   a, b -> c, axis=0                      c -> a, b, axis=0
//   a -> b, permute="[2, 0, 1]"            b -> a, permute="[1, 2, 0]"
//   a -> b, src_dtype=S, dst_dtype=D       b -> a, src_dtype=D, dst_dtype=S
//   a -> _                                 _ -> a
//
// Only the paddle dialect has it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_REVERSE_H
#define AOA_LIB_EXPAND_REVERSE_H

#include "aoa/Expand/Expand.h"

namespace aoa::expand {

/// What macros of a reversed script may know: its left names are the target's.
ExpandInputs swapEnds(const ExpandInputs &inputs);

/// Turns `script`, whose macros are expanded, round. Reports a cast that does
/// not say what it casts from, and, where the target does not list its tensors
/// (`keepsAll`), a name that two statements read: reversed both bind it, and
/// one of the two tensors would vanish.
void turnRound(ast::Script &script, bool keepsAll, DiagnosticSink &sink);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_REVERSE_H
