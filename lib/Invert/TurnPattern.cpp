//===- TurnPattern.cpp - Written patterns from right to left --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TurnPattern.h"

#include "InvertStep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace aoa;
using namespace aoa::invert;

namespace {

/// One side of a pattern: the factors of each axis.
using PatternSide = llvm::SmallVector<llvm::SmallVector<std::string, 2>, 4>;

/// Reads one side of a pattern without `...`. An axis of 1 has no factors.
std::optional<PatternSide> readSide(llvm::StringRef text) {
  PatternSide axes;
  bool inAxis = false;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    if (text.consume_front("(")) {
      axes.emplace_back();
      inAxis = true;
      continue;
    }
    if (text.consume_front(")")) {
      inAxis = false;
      continue;
    }
    if (!inAxis && text.consume_front("1")) {
      axes.emplace_back();
      continue;
    }
    llvm::StringRef name =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty() || llvm::isDigit(name.front()))
      return std::nullopt;
    text = text.drop_front(name.size());
    if (!inAxis)
      axes.emplace_back();
    axes.back().push_back(name.str());
  }
  return axes;
}

} // namespace

void invert::keepPattern(const ast::Statement &written, const ir::Op &op,
                         ast::Statement &turned) {
  const auto *text =
      std::get_if<ast::Text>(&written.find("rearrange")->value.data);
  if (!text)
    return;
  auto [left, right] = llvm::StringRef(text->text).split("->");
  auto from = readSide(left), to = readSide(right);
  if (!from || !to)
    return;
  llvm::StringMap<int64_t> sizes;
  for (const auto &axis : *from)
    for (const std::string &factor : axis)
      sizes.try_emplace(
          factor, sizes.size() < op.shape.size() ? op.shape[sizes.size()] : 0);
  bool knowsSizes = sizes.size() == op.shape.size();
  Attributes kept;
  kept.push_back(attribute(
      "rearrange", ast::Text{right.trim().str() + " -> " + left.trim().str()}));
  // All factors of an axis but one are given: but the only one that is not
  // written, or the last.
  for (const auto &axis : *to) {
    llvm::SmallVector<llvm::StringRef, 2> unwritten;
    for (const std::string &factor : axis)
      if (!written.find(factor))
        unwritten.push_back(factor);
    for (const std::string &factor : axis) {
      if (factor == (unwritten.size() == 1 ? unwritten.front()
                                           : llvm::StringRef(axis.back())))
        continue;
      const ast::Attribute *size = written.find(factor);
      if (!size && !knowsSizes)
        return;
      kept.push_back(size ? *size : attribute(factor, sizes.lookup(factor)));
    }
  }
  Attributes attributes;
  bool isFactor = false;
  for (const ast::Attribute &each : turned.attributes) {
    // Sizes follow their pattern, under names that no attribute has.
    isFactor = isFactor && each.name.size() == 1;
    if (isFactor)
      continue;
    isFactor = each.name == "rearrange";
    if (isFactor)
      llvm::append_range(attributes, kept);
    else
      attributes.push_back(each);
  }
  turned.attributes.assign(attributes.begin(), attributes.end());
}
