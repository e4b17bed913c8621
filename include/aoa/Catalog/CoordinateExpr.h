//===- CoordinateExpr.h - Whole-number expressions in layouts ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The expressions of `on`: whole numbers, names, `+ - * / // %`, one sign
// before an operand, parentheses, `min(a, b, …)`, `max(a, b, …)`. `/` must be
// exact, `//` rounds down; overflow and division by zero are errors with the
// numbers.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_COORDINATEEXPR_H
#define AOA_CATALOG_COORDINATEEXPR_H

#include "aoa/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aoa {

class CoordinateExpr {
public:
  /// Fails with what is wrong and the byte offset in `text`. Nesting is limited
  /// to 256.
  static Expected<CoordinateExpr> parse(std::string_view text);

  /// Fails for an unknown name, overflow, an inexact `/`, a zero divisor.
  Expected<int64_t>
  evaluate(const std::map<std::string, int64_t, std::less<>> &variables) const;

  const std::string &text() const { return source; }
  std::vector<std::string> variables() const;

  /// One step of the postfix form.
  struct Step {
    enum class Kind {
      Number,
      Variable,
      Negate,
      Add,
      Sub,
      Mul,
      Div,
      FloorDiv,
      Mod,
      Min,
      Max
    };
    Kind kind;
    int64_t number = 0; ///< The number, or how many arguments.
    std::string name;
  };

private:
  std::string source;
  std::vector<Step> steps;
};

} // namespace aoa

#endif // AOA_CATALOG_COORDINATEEXPR_H
