//===- SelectionTest.cpp - Which elements are asked about -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Trace/Selection.h"

#include <gtest/gtest.h>

using namespace aoa;
using namespace aoa::trace;
using Elements = std::vector<int64_t>;

namespace {

Elements elementsOf(llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
  auto selection = Selection::parse(text);
  EXPECT_TRUE(selection) << text.str();
  auto elements = selection->elementsOf("w", shape);
  EXPECT_TRUE(elements) << elements.error().str();
  return elements.value_or(Elements());
}

std::string refusalOf(llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
  auto selection = Selection::parse(text);
  if (!selection)
    return selection.error().str();
  auto elements = selection->elementsOf("w", shape);
  return elements ? "none" : elements.error().str();
}

TEST(Selection, IndexesAndRangesAreRowMajor) {
  EXPECT_EQ(elementsOf("1,2", {3, 4}), Elements({6}));
  EXPECT_EQ(elementsOf(" 1 , 1:3 ", {3, 4}), Elements({5, 6}));
  EXPECT_EQ(elementsOf("1:,:2", {3, 4}), Elements({4, 5, 8, 9}));
  EXPECT_EQ(elementsOf(":", {3}), Elements({0, 1, 2}));
  EXPECT_EQ(elementsOf("", {}), Elements({0}));
  EXPECT_TRUE(Selection::parse("")->isOneElement());
  EXPECT_TRUE(Selection::parse("3,1")->isOneElement());
  EXPECT_FALSE(Selection::parse("3,1:2")->isOneElement());
}

TEST(Selection, WhatIsNotThereIsRefused) {
  EXPECT_EQ(refusalOf("3,0", {3, 4}),
            "index 3 of axis 0 is out of range: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("0,-1", {3, 4}),
            "index -1 of axis 1 is out of range: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("0,2:5", {3, 4}),
            "range 2:5 of axis 1 is out of range: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("0,2:2", {3, 4}),
            "range 2:2 of axis 1 is empty: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("0,:-9223372036854775808", {3, 4}),
            "range 0:-9223372036854775808 of axis 1 is out of range: `w` has "
            "shape [3, 4]");
  EXPECT_EQ(refusalOf("99999999999999999999,0", {3, 4}),
            "index 99999999999999999999 of axis 0 is out of range: `w` has "
            "shape [3, 4]");
  EXPECT_EQ(refusalOf("0,-99999999999999999999:2", {3, 4}),
            "range -99999999999999999999:2 of axis 1 is out of range: `w` has "
            "shape [3, 4]");
  EXPECT_EQ(refusalOf("0,:99999999999999999999", {3, 4}),
            "range 0:99999999999999999999 of axis 1 is out of range: `w` has "
            "shape [3, 4]");
  EXPECT_EQ(refusalOf("0", {3, 4}),
            "`0` has 1 index, expected 2: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("", {3, 4}),
            "`` has 0 indexes, expected 2: `w` has shape [3, 4]");
  EXPECT_EQ(refusalOf("0", {}),
            "`0` has 1 index, expected 0: `w` has shape []");
  EXPECT_EQ(refusalOf("0", {0}),
            "index 0 of axis 0 is out of range: `w` has shape [0]");
  EXPECT_EQ(refusalOf(":", {0}),
            "range 0:0 of axis 0 is empty: `w` has shape [0]");
}

TEST(Selection, TooManyElementsAreRefused) {
  EXPECT_EQ(elementsOf(":,:", {100, 100}).size(), 10'000u);
  EXPECT_EQ(refusalOf(":,:", {101, 100}),
            "`:,:` is more than 10000 elements of `w`; trace fewer at a time");
  EXPECT_EQ(refusalOf(":,:", {1 << 30, 1 << 30}),
            "`:,:` is more than 10000 elements of `w`; trace fewer at a time");
}

TEST(Selection, WhatIsNoNumberIsRefused) {
  for (const char *text : {"x", "1,,2", "1.5", "-", "+1", "0x1", "1:2:3", ","})
    EXPECT_FALSE(Selection::parse(text)) << text;
  EXPECT_EQ(refusalOf("1,x", {3, 4}), "`x` in `1,x` is no index; expected a "
                                      "number or a range `0:16` for each axis");
}

} // namespace
