//===- ReadValue.cpp - What stands behind `=` in a statement ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadValue.h"

using namespace aoa;
using namespace aoa::reference;

std::unexpected<Error> reference::unreadable(const std::string &what) {
  return fail(ErrorKind::Unsupported, what);
}

const std::string *reference::textOf(const ast::Value &value) {
  if (const auto *text = std::get_if<ast::Text>(&value.data))
    return &text->text;
  if (const auto *word = std::get_if<ast::Word>(&value.data))
    return &word->text;
  return nullptr;
}

std::optional<Number> reference::numberOf(const ast::Value &value) {
  if (const auto *whole = std::get_if<int64_t>(&value.data))
    return *whole;
  if (const auto *real = std::get_if<double>(&value.data))
    return *real;
  return std::nullopt;
}

static std::unexpected<Error> unfit(const ast::Attribute &attribute,
                                    const char *wanted) {
  return unreadable("`" + attribute.name + "` is no " + wanted);
}

Expected<int64_t> reference::wholeNumber(const ast::Attribute &attribute) {
  if (const auto *whole = std::get_if<int64_t>(&attribute.value.data))
    return *whole;
  return unfit(attribute, "whole number");
}

/// The numbers in the text of a list, whatever its brackets.
static std::vector<int64_t> numbersIn(const std::string &text) {
  std::vector<int64_t> numbers;
  bool inNumber = false, negative = false;
  for (char c : text) {
    bool isDigit = c >= '0' && c <= '9';
    if (isDigit && !inNumber)
      numbers.push_back(0);
    if (isDigit)
      numbers.back() = numbers.back() * 10 + (negative ? '0' - c : c - '0');
    inNumber = isDigit;
    if (!isDigit)
      negative = c == '-';
  }
  return numbers;
}

Expected<std::vector<int64_t>>
reference::wholeNumbers(const ast::Attribute &attribute) {
  if (const std::string *text = textOf(attribute.value))
    return numbersIn(*text);
  const auto *list = std::get_if<ast::List>(&attribute.value.data);
  if (!list)
    return unfit(attribute, "list");
  std::vector<int64_t> numbers;
  for (const ast::Value &entry : *list) {
    const auto *number = std::get_if<int64_t>(&entry.data);
    if (!number)
      return unfit(attribute, "list of whole numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

Expected<std::vector<std::pair<int64_t, int64_t>>>
reference::pairsOfNumbers(const ast::Attribute &attribute) {
  std::vector<int64_t> flat;
  if (const std::string *text = textOf(attribute.value)) {
    flat = numbersIn(*text);
  } else if (const auto *list = std::get_if<ast::List>(&attribute.value.data)) {
    for (const ast::Value &entry : *list) {
      auto pair = wholeNumbers({attribute.name, {}, entry});
      if (!pair || pair->size() != 2)
        return unfit(attribute, "list of pairs");
      flat.insert(flat.end(), pair->begin(), pair->end());
    }
  } else {
    return unfit(attribute, "list of pairs");
  }
  if (flat.size() % 2 != 0)
    return unfit(attribute, "list of pairs");
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i != flat.size(); i += 2)
    pairs.emplace_back(flat[i], flat[i + 1]);
  return pairs;
}

Expected<DType> reference::dtypeOf(const ast::Attribute &attribute) {
  const std::string *text = textOf(attribute.value);
  auto dtype = text ? dtypeFromAnyName(*text) : std::nullopt;
  if (!dtype)
    return unfit(attribute, "dtype");
  return *dtype;
}

Expected<std::string> reference::textOf(const ast::Attribute &attribute) {
  const std::string *text = textOf(attribute.value);
  if (!text)
    return unfit(attribute, "text");
  return *text;
}

Expected<size_t> reference::axisPlace(int64_t axis, size_t rank) {
  auto count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count)
    return unreadable("axis " + std::to_string(axis) + " of a tensor with " +
                      std::to_string(rank) + " dimensions");
  return static_cast<size_t>(axis < 0 ? axis + count : axis);
}
