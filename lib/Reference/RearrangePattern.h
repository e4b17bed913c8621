//===- RearrangePattern.h - einops patterns, read literally -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_REARRANGEPATTERN_H
#define AOA_LIB_REFERENCE_REARRANGEPATTERN_H

#include "aoa/Reference/Evaluate.h"

namespace aoa::reference {

/// One side of a pattern: an axis is the factors that make it up, the first of
/// them the most significant. `...` is an axis of its own, named so; 1 and ()
/// have no factors.
using PatternSide = std::vector<std::vector<std::string>>;

struct RearrangePattern {
  PatternSide left, right;
};

Expected<RearrangePattern> readPattern(const std::string &text);

/// Whether the pattern in `text` has a factor of that name.
bool namesFactor(const std::string &text, const std::string &name);

/// Rearranges a tensor by a pattern with the sizes of some of its factors.
Expected<WholeTensor> rearrange(const WholeTensor &from,
                                const std::string &pattern,
                                const std::map<std::string, int64_t> &sizes);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_REARRANGEPATTERN_H
