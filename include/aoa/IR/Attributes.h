//===- Attributes.h - What operations say beside operands -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Which fields of an Op its kind uses, as IR text names them. Printer and
// reader go by this one table:
//
//   merge, split      axis groups     slice, pad       begin
//   stack, unstack    axis            repeat, dedup    axis count block
//   transpose         perm            scale, plus      number
//   rearrange         shape perm      fill             value
//
// `groups` is left out where it is 1; all others are always there.
//===----------------------------------------------------------------------===//
#ifndef AOA_IR_ATTRIBUTES_H
#define AOA_IR_ATTRIBUTES_H

#include "aoa/IR/Program.h"

namespace aoa::ir {

enum class Attribute : uint8_t {
#define AOA_ATTRIBUTE(NAME, KEYWORD, EXAMPLE) NAME,
#include "aoa/IR/Attributes.def"
};

/// Returns the word of IR text: `axis`, …
llvm::StringRef keyword(Attribute attribute);
/// Returns the attribute with a value, as a text could have it.
llvm::StringRef exampleOf(Attribute attribute);

/// Returns the attributes of a kind, in the order in which they are printed.
llvm::ArrayRef<Attribute> attributesOf(OpKind kind);

} // namespace aoa::ir

#endif // AOA_IR_ATTRIBUTES_H
