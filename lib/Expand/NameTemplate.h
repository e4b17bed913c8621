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
#include "llvm/ADT/SmallVector.h"

namespace aoa::expand {

/// Compares two texts of digits as numbers.
int compareIds(llvm::StringRef a, llvm::StringRef b);
/// Returns `id` without leading zeros.
llvm::StringRef canonicalId(llvm::StringRef id);
/// Returns the id that is one less, of the same width where `id` has leading
/// zeros; nothing for 0.
std::optional<std::string> previousId(llvm::StringRef id);

struct NameTemplate {
  struct Part {
    enum Kind { Literal, Placeholder, Star } kind;
    llvm::StringRef text;     ///< Of a literal.
    unsigned placeholder = 0; ///< Number among those of the statement.
  };
  llvm::SmallVector<Part, 5> parts;
  std::string suffix; ///< `_3` of an element of an array.

  bool has(unsigned placeholder) const;
  bool hasStar() const;
  std::string signature() const;

  /// Whether the template fits the whole of `name`; then ids[p] is what
  /// placeholder p stands for. A placeholder that occurs twice must stand for
  /// the same text. `star` gets the digits of the last star.
  bool match(llvm::StringRef name, llvm::MutableArrayRef<llvm::StringRef> ids,
             llvm::StringRef *star = nullptr) const;

  /// Returns the name with ids[p] for placeholder p; stars stay.
  std::string fill(llvm::ArrayRef<std::string> ids) const;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_NAMETEMPLATE_H
