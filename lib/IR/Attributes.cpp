//===- Attributes.cpp - What operations say beside operands -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IR/Attributes.h"

using namespace aoa;
using namespace aoa::ir;

llvm::StringRef ir::keyword(Attribute attribute) {
  switch (attribute) {
#define AOA_ATTRIBUTE(NAME, KEYWORD, EXAMPLE)                                  \
  case Attribute::NAME:                                                        \
    return KEYWORD;
#include "aoa/IR/Attributes.def"
  }
  llvm_unreachable("all attributes are listed");
}

llvm::StringRef ir::exampleOf(Attribute attribute) {
  switch (attribute) {
#define AOA_ATTRIBUTE(NAME, KEYWORD, EXAMPLE)                                  \
  case Attribute::NAME:                                                        \
    return EXAMPLE;
#include "aoa/IR/Attributes.def"
  }
  llvm_unreachable("all attributes are listed");
}

llvm::ArrayRef<Attribute> ir::attributesOf(OpKind kind) {
  static constexpr Attribute axisAndGroups[] = {Attribute::Axis,
                                                Attribute::Groups};
  static constexpr Attribute axis[] = {Attribute::Axis};
  static constexpr Attribute perm[] = {Attribute::Perm};
  static constexpr Attribute shapeAndPerm[] = {Attribute::Shape,
                                               Attribute::Perm};
  static constexpr Attribute begin[] = {Attribute::Begin};
  static constexpr Attribute blocks[] = {Attribute::Axis, Attribute::Count,
                                         Attribute::Block};
  static constexpr Attribute number[] = {Attribute::Number};
  static constexpr Attribute value[] = {Attribute::Value};
  switch (kind) {
  case OpKind::Merge:
  case OpKind::Split:
    return axisAndGroups;
  case OpKind::Stack:
  case OpKind::Unstack:
    return axis;
  case OpKind::Transpose:
    return perm;
  case OpKind::Rearrange:
    return shapeAndPerm;
  case OpKind::Slice:
  case OpKind::Pad:
    return begin;
  case OpKind::Repeat:
  case OpKind::Dedup:
    return blocks;
  case OpKind::Scale:
  case OpKind::Plus:
    return number;
  case OpKind::Fill:
    return value;
  case OpKind::Source:
  case OpKind::Rename:
  case OpKind::Reshape:
  case OpKind::Cast:
  case OpKind::Compare:
  case OpKind::Remove:
  case OpKind::Add:
    return {};
  }
  llvm_unreachable("all kinds are listed");
}
