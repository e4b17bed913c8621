//===- Placeholders.h - `$LAYER_ID` in names --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where a name has placeholders. Upstream looks for the texts `$LAYER_ID`,
// `$EXPERT_ID` and `$LAYER_ID_OFFSET`; in the aoa dialect a placeholder's name
// is the longest run of capitals, digits and inner `_` (`$(X)` says where it
// ends), every one that ends in `_ID` stands for a number, `$NAME` for a piece
// of a name without a dot and `$$NAME` for any piece.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_PLACEHOLDERS_H
#define AOA_LIB_EXPAND_PLACEHOLDERS_H

#include "NameTemplate.h"

namespace aoa::expand {

inline constexpr llvm::StringLiteral layerIdOffset = "LAYER_ID_OFFSET";

/// Upstream's placeholders of a statement by number; names without `$`.
using PlaceholderNames = llvm::SmallVector<llvm::StringRef, 2>;

enum class PlaceholderRule {
  PaddleId,     ///< LAYER_ID and EXPERT_ID, wherever the text occurs.
  PaddleOffset, ///< LAYER_ID_OFFSET alone.
};

/// Cuts `text` at upstream's placeholders, which are numbered in `names`.
/// `text` must outlive the template.
NameTemplate parseTemplate(llvm::StringRef text, PlaceholderRule rule,
                           PlaceholderNames &names);

/// A placeholder of the aoa dialect.
struct Placeholder {
  llvm::StringRef name; ///< Without signs and parentheses.
  bool isRest = false;  ///< `$$NAME`

  bool isNumber() const {
    return !isRest && (name.ends_with("_ID") || name == layerIdOffset);
  }
  std::string text() const { return (isRest ? "$$" : "$") + name.str(); }
  friend bool operator==(const Placeholder &, const Placeholder &) = default;
};
using Placeholders = llvm::SmallVector<Placeholder, 2>;

/// Returns the placeholder that `text`, as `$X` or `$$(X)`, is.
std::optional<Placeholder> placeholderOf(llvm::StringRef text);

/// Cuts `name` of the aoa dialect at its placeholders, which are numbered in
/// `known`, and its stars. Its interpolations hold ids only: `${LAYER_ID+1}`
/// becomes a Shifted part. `scope` has the values of other identifiers. `name`
/// must outlive the template.
NameTemplate parseTemplate(const ast::Name &name, const ExprScope &scope,
                           Placeholders &known);

/// Whether a name can have placeholders at all.
inline bool mayBeTemplate(const ast::Name &name) {
  return name.interpolation ||
         (!name.quoted && llvm::StringRef(name.text).contains('$'));
}

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_PLACEHOLDERS_H
