//===- AttributeNames.cpp - Which attributes there are ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AttributeNames.h"

using namespace aoa;

// Upstream's come first.
static constexpr llvm::StringLiteral names[] = {
    "axis",  "permute", "dtype", "src_dtype", "dst_dtype", "reshape",
    "sizes", "groups",  "stack", "unstack",   "tie",       "rearrange",
    "slice", "pad",     "value", "repeat",    "dedup",     "block",
    "shape", "scale",   "plus",  "states"};
static constexpr size_t numUpstream = 6;

llvm::ArrayRef<llvm::StringLiteral> sema::attributeNames(ast::Dialect dialect) {
  llvm::ArrayRef all(names);
  return dialect == ast::Dialect::Paddle ? all.take_front(numUpstream) : all;
}
