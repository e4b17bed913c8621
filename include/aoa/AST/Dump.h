//===- Dump.h - The syntax tree for people ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AST_DUMP_H
#define AOA_AST_DUMP_H

#include "aoa/AST/Script.h"
#include "llvm/Support/raw_ostream.h"

namespace aoa::ast {

/// Prints the tree of a script, one node a line, with byte ranges:
///
///   statement [0, 14)
///     left `a` [0, 1) transposed
///     right `b` [7, 8)
///     attribute axis [10, 14) = 1
///     attribute scale [18, 23) = 1 / n (expression)
///   for i in 0..3 [24, 37)
///     statement [40, 46)
void dump(llvm::raw_ostream &os, const Script &script);

} // namespace aoa::ast

#endif // AOA_AST_DUMP_H
