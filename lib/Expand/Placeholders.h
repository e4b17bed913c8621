//===- Placeholders.h - `$LAYER_ID` in names --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where a name has placeholders. Upstream looks for the texts `$LAYER_ID`,
// `$EXPERT_ID` and `$LAYER_ID_OFFSET`; in the aoa dialect a placeholder's name
// is the longest run of capitals, digits and inner `_`, and every one that ends
// in `_ID` stands for a number.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_PLACEHOLDERS_H
#define AOA_LIB_EXPAND_PLACEHOLDERS_H

#include "NameTemplate.h"

namespace aoa::expand {

inline constexpr llvm::StringLiteral layerIdOffset = "LAYER_ID_OFFSET";

/// The placeholders of a statement by number; names without `$`.
using PlaceholderNames = llvm::SmallVector<llvm::StringRef, 2>;

enum class PlaceholderRule {
  PaddleId,     ///< LAYER_ID and EXPERT_ID, wherever the text occurs.
  PaddleOffset, ///< LAYER_ID_OFFSET alone.
  Aoa,
};

/// Cuts `text` at its placeholders, which are numbered in `names`; a `*` is a
/// part of its own in the aoa dialect. `text` must outlive the template.
NameTemplate parseTemplate(llvm::StringRef text, PlaceholderRule rule,
                           PlaceholderNames &names);

/// Returns a placeholder of `text`, with its `$`, that is none of the
/// supported numbers; empty if there is none. For the aoa dialect.
llvm::StringRef unknownPlaceholder(llvm::StringRef text);

/// Whether the text of an unquoted name can have placeholders or stars at all.
inline bool mayBeTemplate(const ast::Name &name) {
  return !name.quoted && llvm::StringRef(name.text).contains('$');
}

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_PLACEHOLDERS_H
