//===- QuotedName.h - Names of any text in quotes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AST_QUOTEDNAME_H
#define AOA_AST_QUOTEDNAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace aoa::ast {

/// Whether `name` can stand in quotes in the aoa dialect: no line end in it.
inline bool canBeQuoted(llvm::StringRef name) {
  return !name.contains('\r') && !name.contains('\n');
}

/// Writes `name` literally, as the names of a checkpoint are: `"a.b"`,
/// `'a"b'`, `"a'b${'"'}c"`, `"${'$'}{x}"`. What canBeQuoted refuses does not
/// read back.
std::string quoteName(llvm::StringRef name);

} // namespace aoa::ast

#endif // AOA_AST_QUOTEDNAME_H
