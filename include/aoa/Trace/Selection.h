//===- Selection.h - Which elements are asked about -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   selection := [ axis { ',' axis } ]         nothing: a scalar's element
//   axis      := number | [number] ':' [number]    half open, as in slices
//
//   3,17     one element
//   3,0:16   the first 16 of row 3
//===----------------------------------------------------------------------===//
#ifndef AOA_TRACE_SELECTION_H
#define AOA_TRACE_SELECTION_H

#include "aoa/Affine/Extents.h"
#include "aoa/Support/Error.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace aoa::trace {

/// More elements than this are refused.
constexpr int64_t maxSelected = 10'000;

class Selection {
public:
  /// Fails with Format, naming the axis that is no number and no range.
  static Expected<Selection> parse(llvm::StringRef text);

  /// Whether it is one index, and no range of one.
  bool isOneElement() const;

  /// Returns the selected elements of a tensor `name` of `shape`, row-major.
  /// Fails where the number of axes is another one, an index or a bound is not
  /// in the axis, nothing is selected, or more than maxSelected elements.
  Expected<std::vector<int64_t>>
  elementsOf(llvm::StringRef name, llvm::ArrayRef<int64_t> shape) const;

private:
  struct Number {
    int64_t value; ///< The nearest there is, where the text means more.
    std::string text;
  };
  struct Axis {
    bool isRange = false;
    std::optional<Number> begin, end; ///< Of an index: begin alone.
  };
  static bool readNumber(llvm::StringRef text, std::optional<Number> &number);

  std::string text;
  std::vector<Axis> axes;
};

} // namespace aoa::trace

#endif // AOA_TRACE_SELECTION_H
