//===- RestrictTemplate.h - A clause for what fits too much -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A bulk renaming that fits the right names only may fit more of them turned
// round: what it was before, other tensors are called as well. What its
// placeholders stood for there and here says a clause that tells them apart:
//
//   $$A.up.$$B -> $$A.fc1.$$B
//     wanted  $$A = vision.0, vision.1      not  $$A = text.0, text.1
//     →  $$A in {vision.*}
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_RESTRICTTEMPLATE_H
#define AOA_LIB_INVERT_RESTRICTTEMPLATE_H

#include "aoa/AST/Script.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace aoa::invert {

/// Visits what the placeholders of the templates that made `statement` stand
/// for: `$LAYER_ID` or `$$A`, and a text. A guess where the text holds a comma.
void forEachCapture(
    const ast::Script &script, const ast::Statement &statement,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit);

/// What a placeholder stands for in statements that are wanted, and in others.
struct Captures {
  std::set<std::string> wanted, unwanted;
};
/// By placeholder, with its `$` or `$$`.
using CapturesOf = std::map<std::string, Captures>;

/// Adds what the placeholders of a template stand for in `statement`, which it
/// made.
void noteCaptures(const ast::Script &script, const ast::Statement &statement,
                  bool isWanted, CapturesOf &captures);

/// Returns clauses of which each keeps all that is wanted and nothing else, the
/// shortest first.
std::vector<std::string> separatingClauses(const CapturesOf &captures);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_RESTRICTTEMPLATE_H
