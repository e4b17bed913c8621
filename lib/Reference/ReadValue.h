//===- ReadValue.h - What stands behind `=` in a statement ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_READVALUE_H
#define AOA_LIB_REFERENCE_READVALUE_H

#include "aoa/AST/Script.h"
#include "aoa/Reference/Evaluate.h"

namespace aoa::reference {

/// A number as written: whole, or with a fraction or exponent.
using Number = std::variant<int64_t, double>;

/// The text of a word or a quoted value.
const std::string *textOf(const ast::Value &value);
/// A number; nothing for words.
std::optional<Number> numberOf(const ast::Value &value);

Expected<int64_t> wholeNumber(const ast::Attribute &attribute);
/// The whole numbers of a list, bare or in quotes.
Expected<std::vector<int64_t>> wholeNumbers(const ast::Attribute &attribute);
/// `[[0, 47], [0, 0]]`, bare or in quotes.
Expected<std::vector<std::pair<int64_t, int64_t>>>
pairsOfNumbers(const ast::Attribute &attribute);
Expected<DType> dtypeOf(const ast::Attribute &attribute);
Expected<std::string> textOf(const ast::Attribute &attribute);

/// Returns the place of an axis that may count from the end.
Expected<size_t> axisPlace(int64_t axis, size_t rank);

/// An error of a statement that the analysis should have refused.
std::unexpected<Error> unreadable(const std::string &what);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_READVALUE_H
