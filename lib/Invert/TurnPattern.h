//===- TurnPattern.h - Written patterns from right to left ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   a -> b, rearrange="(h p) c -> (p h) c", h=32
//     →  b -> a, rearrange="(p h) c -> (h p) c", h=32
//
// A guess: what undoes the operation has a pattern of its own, with letters for
// factors.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_TURNPATTERN_H
#define AOA_LIB_INVERT_TURNPATTERN_H

#include "aoa/AST/Script.h"
#include "aoa/IR/Program.h"

namespace aoa::invert {

/// Replaces the pattern of `turned` by that of `written`, its sides changed,
/// with the sizes that are written, as far as they are needed; `op` has them.
/// Leaves a pattern with `...` as it is. Requires one `rearrange` in both.
void keepPattern(const ast::Statement &written, const ir::Op &op,
                 ast::Statement &turned);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_TURNPATTERN_H
