//===- AttributeNames.h - Which attributes there are ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_SEMA_ATTRIBUTENAMES_H
#define AOA_LIB_SEMA_ATTRIBUTENAMES_H

#include "aoa/AST/Script.h"
#include "llvm/ADT/ArrayRef.h"

namespace aoa::sema {

/// The attributes of statements with primitives.
llvm::ArrayRef<llvm::StringLiteral> attributeNames(ast::Dialect dialect);

inline bool isAttributeName(llvm::StringRef name, ast::Dialect dialect) {
  return llvm::is_contained(attributeNames(dialect), name);
}

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_ATTRIBUTENAMES_H
