//===- NumberedText.h - A statement and the numbers in it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The canonical text of a statement, taken apart at the numbers of its names:
//
//   l.3.q, l.3.k -> l.3.qk, axis=0
//     texts    `l.` `.q, l.` `.k -> l.` `.qk, axis=0`   numbers 3, 3, 3
//
// Names that count up are a list, whose variable is no number of the text:
//
//   e.3.0, e.3.1, e.3.2 -> e.3.all, stack=0
//     texts    `(e.` `.${i} for i in 0..2) -> e.` `.all, stack=0`
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_NUMBEREDTEXT_H
#define AOA_LIB_INVERT_NUMBEREDTEXT_H

#include "aoa/AST/Script.h"

namespace aoa::invert {

struct NumberedText {
  struct Number {
    int64_t value;
    bool isLeft;   ///< Of a left name.
    bool isQuoted; ///< In a name in quotes, which is no template.
  };
  std::vector<std::string> texts; ///< One more than numbers.
  std::vector<Number> numbers;

  /// Statements with equal keys differ in numbers only.
  std::string key() const;
};

NumberedText readNumbers(const ast::Statement &statement);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_NUMBEREDTEXT_H
