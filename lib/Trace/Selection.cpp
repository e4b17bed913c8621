//===- Selection.cpp - Which elements are asked about ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Trace/Selection.h"

#include "aoa/Support/FormatShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::trace;

/// Reads a number; an empty text is none. Returns whether it was one of them.
bool Selection::readNumber(llvm::StringRef text,
                           std::optional<Number> &number) {
  if (text.empty())
    return true;
  llvm::StringRef digits = text;
  bool isNegative = digits.consume_front("-");
  if (digits.empty() || !llvm::all_of(digits, llvm::isDigit))
    return false;
  int64_t value;
  // No tensor has what lies beyond 64 bits.
  if (text.getAsInteger(10, value))
    value = isNegative ? INT64_MIN : INT64_MAX;
  number = {value, text.str()};
  return true;
}

Expected<Selection> Selection::parse(llvm::StringRef text) {
  Selection selection;
  selection.text = text.str();
  if (text.trim().empty())
    return selection;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    Axis axis;
    llvm::StringRef trimmed = part.trim();
    auto [begin, end] = trimmed.split(':');
    axis.isRange = trimmed.contains(':');
    if (!readNumber(begin.trim(), axis.begin) ||
        !readNumber(end.trim(), axis.end) || (!axis.isRange && !axis.begin))
      return fail(ErrorKind::Format,
                  "`" + trimmed.str() + "` in `" + text.str() +
                      "` is no index; expected a number or a range `0:16` for "
                      "each axis");
    selection.axes.push_back(axis);
  }
  return selection;
}

bool Selection::isOneElement() const {
  return llvm::none_of(axes, [](const Axis &axis) { return axis.isRange; });
}

Expected<std::vector<int64_t>>
Selection::elementsOf(llvm::StringRef name,
                      llvm::ArrayRef<int64_t> shape) const {
  auto refuse = [&](const std::string &what) {
    return fail(ErrorKind::Mismatch, what + ": `" + name.str() +
                                         "` has shape " + formatShape(shape));
  };
  if (axes.size() != shape.size())
    return refuse("`" + text + "` has " + std::to_string(axes.size()) +
                  (axes.size() == 1 ? " index" : " indexes") + ", expected " +
                  std::to_string(shape.size()));
  affine::Extents begin, extent;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    std::string where = " of axis " + std::to_string(number);
    int64_t size = shape[number];
    auto [first, firstText] = axis.begin.value_or(Number{0, "0"});
    if (!axis.isRange) {
      if (first < 0 || first >= size)
        return refuse("index " + firstText + where + " is out of range");
      begin.push_back(first);
      extent.push_back(1);
      continue;
    }
    auto [end, endText] = axis.end.value_or(Number{size, std::to_string(size)});
    std::string range = "range " + firstText + ":" + endText + where;
    if (first < 0 || end > size || first > size || end < 0)
      return refuse(range + " is out of range");
    if (first >= end)
      return refuse(range + " is empty");
    begin.push_back(first);
    extent.push_back(end - first);
  }
  int64_t count = 1;
  for (int64_t each : extent) {
    // Both factors are small, or the product is refused.
    if (each > maxSelected || (count *= each) > maxSelected)
      return fail(ErrorKind::Limit, "`" + text + "` is more than " +
                                        std::to_string(maxSelected) +
                                        " elements of `" + name.str() +
                                        "`; trace fewer at a time");
  }
  affine::Extents strides = affine::rowMajorStrides(shape);
  std::vector<int64_t> elements;
  elements.reserve(count);
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number, address = 0;
    for (size_t axis = shape.size(); axis-- != 0;) {
      address += (begin[axis] + rest % extent[axis]) * strides[axis];
      rest /= extent[axis];
    }
    elements.push_back(address);
  }
  return elements;
}
