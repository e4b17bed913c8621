//===- ElementCheck.h - Composed pieces against operations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_TRANSFORMS_ELEMENTCHECK_H
#define AOA_UNITTESTS_TRANSFORMS_ELEMENTCHECK_H

#include "ProgramBuilder.h"

#include <gtest/gtest.h>

namespace aoa::test {

/// Where each element of a shard lies in the full tensor; -1 for padding.
inline std::vector<int64_t> fullElements(const Shard &shard,
                                         llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> full(numElements(shard.localShape), -1);
  for (const Block &block : shard.blocks)
    for (int64_t i = 0; i < numElements(block.shape); ++i) {
      Extents at = unravel(i, block.shape), local = at;
      for (unsigned axis = 0; axis < at.size(); ++axis) {
        local[axis] += block.localOffset[axis];
        at[axis] += block.fullOffset[axis];
      }
      full[ravel(local, shard.localShape)] = ravel(at, shape);
    }
  for (const StridedBlock &block : shard.strided)
    for (int64_t i = 0; i < numElements(block.shape); ++i) {
      Extents at = unravel(i, block.shape);
      int64_t local = block.shardOffset, element = block.fullOffset;
      for (unsigned axis = 0; axis < at.size(); ++axis) {
        local += at[axis] * block.shardStrides[axis];
        element += at[axis] * block.fullStrides[axis];
      }
      full[local] = element;
    }
  return full;
}

inline void forEach(const affine::Piece &piece, unsigned dim, int64_t src,
                    int64_t dst,
                    llvm::function_ref<void(int64_t, int64_t)> visit) {
  if (dim == piece.shape.size())
    return visit(src, dst);
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    forEach(piece, dim + 1, src + i * piece.src.strides[dim],
            dst + i * piece.dst.strides[dim], visit);
}

/// Expects every element of every target shard to come from where the
/// operations say.
inline void expectRightElements(const ProgramBuilder &builder) {
  const ir::Program &program = builder.program;
  for (const ir::Result &result : program.results) {
    const ir::Value &value = program.value(result.value);
    if (result.leftToCaller)
      continue;
    ASSERT_FALSE(result.layoutClass.isNone()) << result.name;
    const ir::LayoutClass &layoutClass =
        program.classes[result.layoutClass.index()];
    for (size_t number = 0; number < result.shards.size(); ++number) {
      std::vector<int64_t> full =
          fullElements(result.shards[number], value.shape);
      std::vector<Origin> found(full.size(), Origin(SIZE_MAX, -1));
      const affine::PieceSet &pieces = layoutClass.shards[number];
      for (size_t i = 0; i < pieces.size(); ++i) {
        const ir::StorageOrigin &origin = layoutClass.origins[pieces[i].tag];
        ir::ValueId slot = result.slots[origin.slot];
        ir::StoredValue stored = program.storedValue(slot);
        size_t source =
            program.isFill(slot)
                ? builder.firstConstant + slot.index()
                : &program.sourceTensor(slot) - program.source->tensors.data();
        Shard implicit =
            wholeShard(Shape(stored.shape.begin(), stored.shape.end()));
        const Shard &from = stored.shards.empty()
                                ? implicit
                                : stored.shards[origin.sourceShard];
        std::vector<int64_t> fromFull = fullElements(from, stored.shape);
        affine::Piece piece = pieces[i].piece();
        forEach(piece, 0, piece.src.offset, piece.dst.offset,
                [&](int64_t src, int64_t dst) {
                  ASSERT_LT(src, static_cast<int64_t>(fromFull.size()));
                  ASSERT_LT(dst, static_cast<int64_t>(found.size()));
                  ASSERT_EQ(found[dst].first, SIZE_MAX) << "written twice";
                  found[dst] = {source, fromFull[src]};
                });
        EXPECT_EQ(program.opsOf(origin.ops, stored.dtype).to(), value.dtype);
      }
      for (size_t i = 0; i < full.size(); ++i) {
        Origin expected = full[i] < 0
                              ? Origin(SIZE_MAX, -1)
                              : builder.origins[result.value.index()][full[i]];
        ASSERT_EQ(found[i], expected) << result.name << " element " << i;
      }
    }
  }
}

} // namespace aoa::test

#endif // AOA_UNITTESTS_TRANSFORMS_ELEMENTCHECK_H
