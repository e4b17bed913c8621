//===- EvaluateRearrange.cpp - einops patterns, index by index --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An element of the result has an index; its digits by the right side give a
// value to every factor, and those give the operand's index by the left side.
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "ReadValue.h"
#include "RearrangePattern.h"

using namespace aoa;
using namespace aoa::reference;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

std::vector<std::string> tokensOf(const std::string &text) {
  std::vector<std::string> tokens;
  auto isWordPart = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  for (size_t at = 0; at != text.size();) {
    size_t end = at + 1;
    if (isWordPart(text[at]))
      while (end != text.size() && isWordPart(text[end]))
        ++end;
    else if (text.compare(at, 3, "...") == 0)
      end = at + 3;
    else if (text.compare(at, 2, "->") == 0)
      end = at + 2;
    if (text[at] != ' ' && text[at] != '\t')
      tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

/// Reads the axes in `tokens` from `at` on up to an arrow or the end.
Expected<PatternSide> readSide(const std::vector<std::string> &tokens,
                               size_t &at) {
  PatternSide side;
  bool inAxis = false;
  for (; at != tokens.size() && tokens[at] != "->"; ++at) {
    const std::string &token = tokens[at];
    if (token == "(" || token == ")") {
      if (inAxis == (token == "("))
        return unreadable("brackets of a pattern");
      inAxis = !inAxis;
      if (inAxis)
        side.emplace_back();
      continue;
    }
    if (!inAxis)
      side.emplace_back();
    if (token != "1")
      side.back().push_back(token);
  }
  if (inAxis)
    return unreadable("a bracket of a pattern that stays open");
  return side;
}

} // namespace

Expected<RearrangePattern> reference::readPattern(const std::string &text) {
  std::vector<std::string> tokens = tokensOf(text);
  size_t at = 0;
  auto left = readSide(tokens, at);
  if (!left)
    return failWith(std::move(left));
  if (at == tokens.size())
    return unreadable("a pattern without an arrow");
  auto right = readSide(tokens, ++at);
  if (!right)
    return failWith(std::move(right));
  if (at != tokens.size())
    return unreadable("a pattern with two arrows");
  return RearrangePattern{*left, *right};
}

bool reference::namesFactor(const std::string &text, const std::string &name) {
  for (const std::string &token : tokensOf(text))
    if (token == name)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {

using Sizes = std::map<std::string, int64_t>;

/// Replaces `...` by axes of one factor each, `numOthers` of them.
PatternSide withoutDots(const PatternSide &side, size_t numOthers) {
  PatternSide full;
  for (const auto &axis : side) {
    if (axis != std::vector<std::string>{"..."}) {
      full.push_back(axis);
      continue;
    }
    for (size_t i = 0; i != numOthers; ++i)
      full.push_back({"..." + std::to_string(i)});
  }
  return full;
}

bool hasDots(const PatternSide &side) {
  for (const auto &axis : side)
    if (axis == std::vector<std::string>{"..."})
      return true;
  return false;
}

int64_t productOf(const std::vector<std::string> &axis, const Sizes &sizes) {
  int64_t product = 1;
  for (const std::string &factor : axis)
    product *= sizes.at(factor);
  return product;
}

/// Adds the sizes that follow from the shape of the operand.
Expected<bool> solve(const PatternSide &left, const Shape &shape,
                     Sizes &sizes) {
  for (size_t dim = 0; dim != shape.size(); ++dim) {
    const std::string *unknown = nullptr;
    int64_t known = 1;
    for (const std::string &factor : left[dim]) {
      if (auto it = sizes.find(factor); it != sizes.end())
        known *= it->second;
      else if (unknown)
        return unreadable("two factors without a size");
      else
        unknown = &factor;
    }
    if (unknown) {
      if (known == 0 || shape[dim] % known != 0)
        return unreadable("a factor without a solution");
      sizes[*unknown] = shape[dim] / known;
    }
    if (productOf(left[dim], sizes) != shape[dim])
      return unreadable("factors with another product");
  }
  return true;
}

} // namespace

Expected<WholeTensor>
reference::rearrange(const WholeTensor &from, const std::string &pattern,
                     const std::map<std::string, int64_t> &given) {
  auto read = readPattern(pattern);
  if (!read)
    return failWith(std::move(read));
  size_t numWritten = read->left.size() - hasDots(read->left);
  if (numWritten > from.shape.size() ||
      hasDots(read->left) != hasDots(read->right))
    return unreadable("a pattern of another rank");
  size_t numOthers = from.shape.size() - numWritten;
  PatternSide left = withoutDots(read->left, numOthers);
  PatternSide right = withoutDots(read->right, numOthers);
  if (left.size() != from.shape.size())
    return unreadable("a pattern of another rank");
  Sizes sizes = given;
  if (auto solved = solve(left, from.shape, sizes); !solved)
    return failWith(std::move(solved));
  size_t numLeft = 0, numRight = 0;
  for (const auto &axis : left)
    numLeft += axis.size();
  Shape shape;
  for (const auto &axis : right) {
    for (const std::string &factor : axis)
      if (!sizes.contains(factor))
        return unreadable("a factor on one side only");
    numRight += axis.size();
    shape.push_back(productOf(axis, sizes));
  }
  if (numLeft != numRight)
    return unreadable("a factor on one side only");
  return gather(from, shape, [&](const Index &index) {
    std::map<std::string, int64_t> digits;
    for (size_t dim = 0; dim != right.size(); ++dim) {
      int64_t rest = index[dim];
      for (size_t i = right[dim].size(); i-- != 0;) {
        digits[right[dim][i]] = rest % sizes.at(right[dim][i]);
        rest /= sizes.at(right[dim][i]);
      }
    }
    Index origin;
    for (const auto &axis : left) {
      int64_t place = 0;
      for (const std::string &factor : axis)
        place = place * sizes.at(factor) + digits.at(factor);
      origin.push_back(place);
    }
    return origin;
  });
}
