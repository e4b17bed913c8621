//===- RelationsTest.cpp - Pieces of primitives by element ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Over all small shapes: which element of the operand each element of the
// result is, against the formula that defines the primitive.
//===----------------------------------------------------------------------===//
#include "aoa/Primitives/Primitives.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

using namespace aoa;
using namespace aoa::primitives;
using affine::Extents;
using affine::Piece;

namespace {
using Relation = std::map<int64_t, int64_t>; ///< Operand's element by result's.

int64_t numElements(llvm::ArrayRef<int64_t> shape) {
  return affine::identityPiece(shape).numElements();
}

int64_t addressOf(llvm::ArrayRef<int64_t> index,
                  llvm::ArrayRef<int64_t> shape) {
  int64_t address = 0;
  for (size_t i = 0; i < index.size(); ++i)
    address = address * shape[i] + index[i];
  return address;
}

/// The pairs of pieces; none may write an element twice.
Relation relationOf(llvm::ArrayRef<Piece> pieces) {
  Relation relation;
  for (const Piece &piece : pieces) {
    EXPECT_TRUE(affine::checkPiece(piece));
    for (int64_t i = 0, count = piece.numElements(); i < count; ++i) {
      int64_t src = piece.src.offset, dst = piece.dst.offset;
      Extents index = affine::indexOf(i, piece.shape);
      for (unsigned dim = 0; dim < piece.rank(); ++dim) {
        src += index[dim] * piece.src.strides[dim];
        dst += index[dim] * piece.dst.strides[dim];
      }
      EXPECT_TRUE(relation.emplace(dst, src).second) << "written twice";
    }
  }
  return relation;
}

/// Says of the index of a result's element which of the operand's it is.
using OperandIndex = std::function<Extents(Extents)>;

Relation relationBy(llvm::ArrayRef<int64_t> operand,
                    llvm::ArrayRef<int64_t> result,
                    const OperandIndex &indexIn) {
  Relation relation;
  for (int64_t i = 0, count = numElements(result); i < count; ++i)
    relation[i] = addressOf(indexIn(affine::indexOf(i, result)), operand);
  return relation;
}

void forEachShape(const std::function<void(const Extents &)> &visit) {
  for (unsigned rank = 1; rank <= 3; ++rank) {
    Extents shape(rank, 0);
    for (;;) {
      visit(shape);
      unsigned dim = 0;
      while (dim < rank && shape[dim] == 4)
        shape[dim++] = 0;
      if (dim == rank)
        break;
      ++shape[dim];
    }
  }
}

TEST(Relations, PartsOfGroups) {
  forEachShape([](const Extents &shape) {
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      for (int64_t groups = 1; groups <= 4; ++groups) {
        if (shape[axis] % groups != 0)
          continue;
        int64_t ofGroup = shape[axis] / groups;
        for (int64_t begin = 0; begin <= ofGroup; ++begin)
          for (int64_t size = 0; begin + size <= ofGroup; ++size) {
            Extents part = shape;
            part[axis] = size * groups;
            Relation expected = relationBy(shape, part, [&](Extents index) {
              index[axis] =
                  index[axis] / size * ofGroup + begin + index[axis] % size;
              return index;
            });
            EXPECT_EQ(
                relationOf(groupedSlicePiece(shape, axis, groups, begin, size)),
                expected);
            if (groups == 1) {
              EXPECT_EQ(relationOf(slicePiece(shape, axis, begin, size)),
                        expected);
            }
          }
      }
  });
}

/// Calls `visit` with every box in a tensor of `shape`.
void forEachBox(const Extents &shape,
                const std::function<void(const Box &)> &visit) {
  Box box;
  std::function<void()> addAxis = [&] {
    size_t axis = box.begin.size();
    if (axis == shape.size())
      return visit(box);
    for (int64_t begin = 0; begin <= shape[axis]; ++begin)
      for (int64_t extent = 0; begin + extent <= shape[axis]; ++extent) {
        box.begin.push_back(begin);
        box.extent.push_back(extent);
        addAxis();
        box.begin.pop_back();
        box.extent.pop_back();
      }
  };
  addAxis();
}

TEST(Relations, BoxesAndWhatLiesAroundThem) {
  forEachShape([](const Extents &shape) {
    forEachBox(shape, [&](const Box &box) {
      Relation expected = relationBy(shape, box.extent, [&](Extents index) {
        for (unsigned dim = 0; dim < index.size(); ++dim)
          index[dim] += box.begin[dim];
        return index;
      });
      Piece inside = boxPiece(shape, box.begin, box.extent);
      ASSERT_EQ(relationOf(inside), expected);

      // Every element of the tensor lies in the box or around it.
      std::vector<Piece> all = aroundBox(shape, box.begin, box.extent);
      EXPECT_LE(all.size(), 2 * shape.size());
      for (const auto &[dst, src] : relationOf(all))
        EXPECT_EQ(src, 0);
      std::swap(inside.src, inside.dst);
      all.push_back(inside);
      EXPECT_EQ(relationOf(all).size(),
                static_cast<size_t>(numElements(shape)));
    });
  });
}

TEST(Relations, RepeatedBlocksAndBack) {
  forEachShape([](const Extents &shape) {
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      for (int64_t count = 1; count <= 3; ++count)
        for (int64_t block = 1; block <= 4; ++block) {
          Operand operand{"a", DType::F32, shape};
          if (auto type = repeat(operand, axis, count, block)) {
            EXPECT_EQ(relationOf(repeatPiece(shape, axis, count, block)),
                      relationBy(shape, type->shape, [&](Extents index) {
                        index[axis] = index[axis] / (count * block) * block +
                                      index[axis] % block;
                        return index;
                      }));
          } else {
            EXPECT_NE(shape[axis] % block, 0);
          }
          if (auto type = dedup(operand, axis, count, block)) {
            EXPECT_EQ(relationOf(dedupPiece(shape, axis, count, block)),
                      relationBy(shape, type->shape, [&](Extents index) {
                        index[axis] = index[axis] / block * (count * block) +
                                      index[axis] % block;
                        return index;
                      }));
          } else {
            EXPECT_NE(shape[axis] % (count * block), 0);
          }
        }
  });
}

TEST(Relations, OneValueEverywhere) {
  forEachShape([](const Extents &shape) {
    Relation relation = relationOf(fillPiece(shape));
    EXPECT_EQ(relation.size(), static_cast<size_t>(numElements(shape)));
    for (const auto &[dst, src] : relation)
      EXPECT_EQ(src, 0);
  });
  EXPECT_EQ(relationOf(fillPiece({})), (Relation{{0, 0}}));
}

/// A pattern, on a tensor, is a permutation of its factors.
void expectRearranged(llvm::ArrayRef<int64_t> shape, llvm::StringRef pattern,
                      llvm::ArrayRef<NamedSize> sizes,
                      llvm::ArrayRef<int64_t> result,
                      const OperandIndex &indexIn) {
  Operand operand{"a", DType::F32, shape};
  auto made = resolveRearrange(operand, pattern, sizes);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(llvm::ArrayRef(made->result), result);
  EXPECT_EQ(rearrange(operand, made->split, made->perm, made->result),
            (TensorType{DType::F32, Extents(result)}));
  EXPECT_EQ(relationOf(transposePiece(made->split, made->perm)),
            relationBy(shape, result, indexIn));
}

TEST(Relations, RearrangedFactors) {
  // Rotary halves become pairs, head by head.
  expectRearranged({12, 2}, "(h p d) c -> (h d p) c", {{"h", 2}, {"p", 2}},
                   {12, 2}, [](Extents index) {
                     int64_t h = index[0] / 6, d = index[0] % 6 / 2,
                             p = index[0] % 2;
                     return Extents{h * 6 + p * 3 + d, index[1]};
                   });
  // Convolutions as matrices, axes of extent 1 come and go.
  expectRearranged({2, 3, 2, 1}, "o c k 1 -> () o (c k)", {}, {1, 2, 6},
                   [](Extents index) {
                     return Extents{index[1], index[2] / 2, index[2] % 2, 0};
                   });
  // All axes that are not named keep their order; an empty one stays empty.
  expectRearranged({2, 3, 4}, "... (a b) -> b ... a", {{"a", 2}}, {2, 2, 3, 2},
                   [](Extents index) {
                     return Extents{index[1], index[2],
                                    index[3] * 2 + index[0]};
                   });
  expectRearranged({0, 3}, "(g h) c -> c (h g)", {{"g", 2}}, {3, 0}, nullptr);
  expectRearranged({}, "... -> 1 ...", {}, {1},
                   [](Extents) { return Extents{}; });
}
} // namespace
