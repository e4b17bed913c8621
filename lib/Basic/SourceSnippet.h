//===- SourceSnippet.h - A source line and what is marked in it -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints the line in which a range begins, with its number, and underlines the
// part of the range that stands in it:
//
//      14 |   q, k, v -> qkv, fused_qkv
//         |              ^~~ element [4096, 0] is written twice
//
// Tabs become blanks, characters take the columns a terminal gives them, those
// that cannot be shown stand as `<1B>`. Lines over 160 bytes are clipped around
// the range. Cost: independent of the length of the line.
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_SOURCESNIPPET_H
#define AOA_BASIC_SOURCESNIPPET_H

#include "aoa/Basic/Showable.h"
#include "aoa/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

namespace aoa {

/// Requires a known, resolved range.
void printSnippet(llvm::raw_ostream &os, const SourceManager &sources,
                  SourceRange range, llvm::StringRef label, bool color);

} // namespace aoa

#endif // AOA_BASIC_SOURCESNIPPET_H
