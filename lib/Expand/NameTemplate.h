//===- NameTemplate.h - A name with holes for numbers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `l.$LAYER_ID.e.*.w` cut into literal text, placeholders and stars, matched
// against names and filled with ids. Ids are texts of digits: they compare as
// numbers of any size and keep their spelling.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_NAMETEMPLATE_H
#define AOA_LIB_EXPAND_NAMETEMPLATE_H

#include "NameIndex.h"
#include "aoa/AST/Script.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace aoa::expand {

/// Compares two texts of digits as numbers.
int compareIds(llvm::StringRef a, llvm::StringRef b);
/// Returns `id` without leading zeros.
llvm::StringRef canonicalId(llvm::StringRef id);
/// Returns the id that is one less, of the same width where `id` has leading
/// zeros; nothing for 0.
std::optional<std::string> previousId(llvm::StringRef id);

/// `offset + id`, or `offset - id` where `negated`: what `${LAYER_ID+1}` writes
/// for an id.
struct IdShift {
  int64_t offset = 0;
  bool negated = false;
};
/// Returns the digits that `shift` writes for `id`, as wide as the id where
/// that has leading zeros, behind a `-` below 0; nothing for ids beyond 18
/// digits.
std::optional<std::string> shiftedId(llvm::StringRef id, const IdShift &shift);
/// The shift that leads back.
inline IdShift inverse(const IdShift &shift) {
  return shift.negated ? shift : IdShift{-shift.offset, false};
}

struct NameTemplate {
  struct Part {
    enum Kind {
      Literal,
      Placeholder, ///< `$LAYER_ID`: digits.
      Shifted,     ///< `${LAYER_ID+1}`
      Word,        ///< `$NAME`: one or more characters without a dot.
      Rest,        ///< `$$NAME`: any characters, or none and no dot beside.
      Star,        ///< `*`: digits.
      Expression,  ///< Any other `${…}` with ids; only filled.
    } kind;
    /// Of a literal; of Shifted and Expression what the braces hold.
    llvm::StringRef text = {};
    unsigned placeholder = 0; ///< Number among those of the statement.
    IdShift shift = {};
    const Expr *expr = nullptr; ///< Of Shifted and Expression.
  };
  llvm::SmallVector<Part, 5> parts;
  std::string suffix; ///< `_3` of an element of an array.

  bool has(unsigned placeholder) const;
  bool hasStar() const;
  bool hasExpression() const;
  /// Whether a `$NAME` or `$$NAME` occurs: MatchText.h matches these.
  bool hasText() const;
  /// Whether the names it fits begin with `prefix` as literal text.
  bool beginsWith(llvm::StringRef prefix) const;
  /// Requires that it has no text and no expressions.
  std::string signature() const;

  /// Whether the template fits the whole of `name`; then ids[p] is what
  /// placeholder p stands for. A placeholder that occurs twice must stand for
  /// the same text. `star` gets the digits of the last star. Requires that it
  /// has literals, placeholders and stars only.
  bool match(llvm::StringRef name, llvm::MutableArrayRef<llvm::StringRef> ids,
             llvm::StringRef *star = nullptr) const;

  /// Returns the name with ids[p] for placeholder p and what `valueOf` says for
  /// Shifted parts and expressions; stars stay.
  std::string
  fill(llvm::ArrayRef<std::string> ids,
       llvm::function_ref<std::string(const Part &)> valueOf = nullptr) const;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_NAMETEMPLATE_H
