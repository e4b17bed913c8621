//===- RearrangePattern.h - The notation of rearrange -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   (h p d) c ... -> (h d p) c ...
//
// Names stand for factors of axes; what stands in brackets is one axis, `1` and
// `()` are axes of extent 1, `...` is all other axes. The grammar:
//
//   pattern = side `->` side
//   side    = (name | `1` | `...` | `(` (name | `1`)* `)`)*
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PRIMITIVES_REARRANGEPATTERN_H
#define AOA_LIB_PRIMITIVES_REARRANGEPATTERN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <expected>
#include <string>

namespace aoa::primitives {

/// One axis, or all that `...` stands for.
struct PatternAxis {
  bool isEllipsis = false;
  llvm::SmallVector<llvm::StringRef, 4> factors; ///< Without ones.
};

struct RearrangePattern {
  using SideAxes = llvm::SmallVector<PatternAxis, 4>;
  SideAxes operand, result;
};

/// Reads a pattern. Fails with what is there, and what belongs there; also for
/// a factor or `...` that does not stand once on each side.
std::expected<RearrangePattern, std::string>
parsePattern(llvm::StringRef pattern);

} // namespace aoa::primitives

#endif // AOA_LIB_PRIMITIVES_REARRANGEPATTERN_H
