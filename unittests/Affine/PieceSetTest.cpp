//===- PieceSetTest.cpp - Forms in tables and arrays ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/PieceSet.h"
#include "aoa/Affine/Invert.h"

#include <gtest/gtest.h>

using namespace aoa::affine;

namespace {
Piece numbered(int64_t i) {
  if (i % 5 == 0)
    return {{i + 2}, {i, {3}}, {7, {1}}};
  return {{2, 3, i + 2}, {i, {i + 9, 4, 1}}, {7, {5 * i, i + 11, 2}}};
}

TEST(PieceSet, ManyFormsKeepTheirNumbers) {
  // More than one array of numbers; forms of both ranks meet its end.
  constexpr int64_t numForms = 30000;
  PieceSet set;
  for (int64_t i = 0; i < numForms; ++i)
    set.add(numbered(i));
  PieceSet copy = set;
  copy.shrinkToFit();
  for (PieceSet *each : {&set, &copy}) {
    // Every form is found, and by the arrays of the set itself.
    for (int64_t i = 0; i < numForms; i += 7) {
      each->add(numbered(i));
      each->add((*each)[i]);
    }
    ASSERT_EQ(each->numForms(), static_cast<size_t>(numForms));
    // Old ones stay where they are when more come.
    for (int64_t i = numForms; i < numForms + 20000; ++i)
      each->add(numbered(i));
    ASSERT_EQ(each->numForms(), static_cast<size_t>(numForms + 20000));
    for (int64_t i = 0; i < numForms; ++i)
      ASSERT_EQ((*each)[i].piece(), numbered(i));
  }
  EXPECT_EQ(set, copy);
}

TEST(PieceSet, FormsOfItsOwnMayBeAddedWhileItGrows) {
  PieceSet set(Piece{{2, 3}, {0, {3, 1}}, {0, {4, 1}}});
  // The sides exchanged is another form; the arrays given are the set's.
  for (int64_t i = 0; i < 30000; ++i) {
    set.add(numbered(i));
    PieceRef piece = set[set.size() - 1];
    set.add(PieceSet::Entry{
        0, 0, set.internForm(piece.shape, piece.dstStrides, piece.srcStrides),
        0});
    Piece exchanged = numbered(i);
    std::swap(exchanged.src.strides, exchanged.dst.strides);
    ASSERT_EQ(set[set.size() - 1].piece().dst.strides, exchanged.dst.strides);
    ASSERT_EQ(set[set.size() - 1].piece().shape, exchanged.shape);
  }
}

TEST(PieceSet, InvertsManyForms) {
  PieceSet set;
  for (int64_t i = 0; i < 30000; ++i)
    set.add(numbered(i), i % 3);
  PieceSet inverse = invert(set);
  for (int64_t i = 0; i < 30000; ++i)
    ASSERT_EQ(inverse[i].piece(), invert(numbered(i)));
  EXPECT_EQ(inverse.internForm({32, 3}, {1, 2}, {3, 4}), set.numForms());
  EXPECT_EQ(invert(inverse).numForms(), set.numForms() + 1);
  inverse.truncate(30000);
  EXPECT_EQ(invert(inverse), set);
}

TEST(PieceSet, ShrunkItHoldsNoMoreThanItsNumbers) {
  PieceSet set;
  for (int64_t i = 0; i < 1000; ++i)
    set.add(Piece{{i + 2}, {0, {1}}, {0, {1}}});
  set.shrinkToFit();
  EXPECT_EQ(set.memoryBytes(), 1000u * (24 + 8 + 24));
}
} // namespace
