//===- ElementCheck.h - Composed pieces against operations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_TRANSFORMS_ELEMENTCHECK_H
#define AOA_UNITTESTS_TRANSFORMS_ELEMENTCHECK_H

#include "ProgramBuilder.h"

#include <gtest/gtest.h>

namespace aoa::test {

/// Where each element of a shard lies in the full tensor; -1 for padding.
inline std::vector<int64_t> fullElements(llvm::ArrayRef<Block> blocks,
                                         llvm::ArrayRef<int64_t> localShape,
                                         llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> full(numElements(localShape), -1);
  for (const Block &block : blocks)
    for (int64_t i = 0; i < numElements(block.shape); ++i) {
      Extents at = unravel(i, block.shape), local = at;
      for (unsigned axis = 0; axis < at.size(); ++axis) {
        local[axis] += block.localOffset[axis];
        at[axis] += block.fullOffset[axis];
      }
      full[ravel(local, localShape)] = ravel(at, shape);
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
    for (const ir::TargetShard &shard : result.shards) {
      std::vector<int64_t> full =
          fullElements(shard.blocks, shard.localShape, value.shape);
      std::vector<Origin> found(full.size(), Origin(SIZE_MAX, -1));
      for (const ir::StoragePiece &storage : shard.pieces) {
        const Tensor &tensor = program.sourceTensor(storage.source);
        Shard implicit = wholeShard(tensor.shape);
        const Shard &from = tensor.shards.empty()
                                ? implicit
                                : tensor.shards[storage.sourceShard];
        std::vector<int64_t> fromFull =
            fullElements(from.blocks, from.localShape, tensor.shape);
        forEach(storage.piece, 0, storage.piece.src.offset,
                storage.piece.dst.offset, [&](int64_t src, int64_t dst) {
                  ASSERT_LT(src, static_cast<int64_t>(fromFull.size()));
                  ASSERT_LT(dst, static_cast<int64_t>(found.size()));
                  ASSERT_EQ(found[dst].first, SIZE_MAX) << "written twice";
                  found[dst] = {&tensor - program.source->tensors.data(),
                                fromFull[src]};
                });
        if (!storage.casts.isNone()) {
          EXPECT_EQ(program.castChains[storage.casts.index()].back(),
                    value.dtype);
        } else {
          EXPECT_EQ(tensor.dtype, value.dtype);
        }
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
