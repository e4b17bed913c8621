//===- ParameterName.h - Names in affine maps -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Affine maps name parameters by expressions of Python's `re` that match one
// name: `^model\.norm\.weight$`.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_PARAMETERNAME_H
#define AOA_LIB_CATALOG_PARAMETERNAME_H

#include "aoa/Support/Error.h"

#include <string>
#include <string_view>

namespace aoa {

/// Returns the one name that `text` stands for: itself, if nothing in it but
/// dots has a meaning in expressions; or what is escaped between `^` and `$`.
/// Fails for any other expression, with the byte that makes it one.
Expected<std::string> nameOfParameter(std::string_view text);

/// Returns `^`, the name as Python's `re.escape` writes it, and `$`.
std::string expressionOf(std::string_view name);

} // namespace aoa

#endif // AOA_LIB_CATALOG_PARAMETERNAME_H
