//===- IRTest.cpp - Programs: text, cast chains, verifier -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IR/BoxToPiece.h"
#include "aoa/IR/Program.h"

#include <gtest/gtest.h>

using namespace aoa;
using namespace aoa::ir;

namespace {

Catalog twoSources() {
  Catalog catalog;
  catalog.tensors = {{"s0", DType::F32, {2, 2}, {}},
                     {"s1", DType::F32, {2, 2}, {}}};
  return catalog;
}

ValueId define(Program &program, OpKind kind,
               llvm::SmallVector<ValueId, 2> operands, std::string name,
               DType dtype, affine::Extents shape) {
  ValueId value(program.values.size());
  for (ValueId id : operands)
    ++program.values[id.index()].numUses;
  program.values.push_back(
      {std::move(name), dtype, shape, OpId(program.ops.size())});
  Op op;
  op.kind = kind;
  op.operands = std::move(operands);
  op.results = {value};
  op.dtype = dtype;
  program.ops.push_back(std::move(op));
  return value;
}

std::string text(const Program &program, PrintStage stage) {
  std::string out;
  llvm::raw_string_ostream os(out);
  print(os, program, stage);
  return out;
}

/// s0, s1 -> s, axis=1; s -> s, dtype='float64'; s^T -> d; d -> d0, d1, axis=1
class WorkedExample : public testing::Test {
protected:
  WorkedExample() {
    program.source = &catalog;
    ValueId s0 = define(program, OpKind::Source, {}, "s0", DType::F32, {2, 2});
    ValueId s1 = define(program, OpKind::Source, {}, "s1", DType::F32, {2, 2});
    ValueId merged =
        define(program, OpKind::Merge, {s0, s1}, "s", DType::F32, {2, 4});
    program.ops.back().axis = 1;
    ValueId cast =
        define(program, OpKind::Cast, {merged}, "s", DType::F64, {2, 4});
    ValueId d =
        define(program, OpKind::Transpose, {cast}, "d", DType::F64, {4, 2});
    program.ops.back().perm = {1, 0};
    ValueId d0 = define(program, OpKind::Split, {d}, "d0", DType::F64, {4, 1});
    program.ops.back().axis = 1;
    ValueId d1(program.values.size());
    program.values.push_back(
        {"d1", DType::F64, {4, 1}, program.value(d0).definition});
    program.ops.back().results.push_back(d1);
    program.results.push_back({"d0", d0});
    program.results.push_back({"d1", d1});
    CastChainId chain = program.internCasts({DType::F32, DType::F64});
    program.results[1].pieces = {
        {s0, {{{0, 0}, {2, 1}}, {1, 0}, {1, 0}}, chain, OpId(2)},
        {s1, {{{2, 0}, {2, 1}}, {1, 0}, {1, 0}}, chain, OpId(2)}};
  }
  Catalog catalog = twoSources();
  Program program;
};

TEST_F(WorkedExample, Graph) {
  EXPECT_EQ(text(program, PrintStage::Graph), R"(graph {
  %0 = source s0 : F32 [2, 2]
  %1 = source s1 : F32 [2, 2]
  %2 = merge %0, %1 axis=1 : F32 [2, 4]  // s
  %3 = cast %2 : F64 [2, 4]  // s
  %4 = transpose %3 perm=[1, 0] : F64 [4, 2]  // d
  %5, %6 = split %4 axis=1 : F64 [4, 1]  // d0, d1
}
result d0 = %5
result d1 = %6
)");
}

TEST_F(WorkedExample, Pieces) {
  EXPECT_EQ(text(program, PrintStage::Pieces), R"(result d0 = F64 [4, 1] {
}
result d1 = F64 [4, 1] {
  piece [2, 1] s0{2 : 1, 2} d1{0 : 1, 1} cast F32 -> F64
  piece [2, 1] s1{2 : 1, 2} d1{2 : 1, 1} cast F32 -> F64
}
)");
}

TEST_F(WorkedExample, Transfers) {
  affine::Piece piece{{2}, {2, {1}}, {0, {1}}};
  program.results.erase(program.results.begin());
  program.results[0].shards = {
      {{0, 1, 2, 5}, {2, 1}, {}, {{0, ValueId(0), CastChainId(0), piece}}},
      {{3}, {2, 1}, {}, {{0, ValueId(1), CastChainId(), piece}}}};
  EXPECT_EQ(text(program, PrintStage::Transfers), R"(transfer d1 = F64 [4, 1] {
  shard 0 on ranks {0..2, 5} [2, 1] {
    piece [2] s0@0{2 : 1} d1@0{0 : 1} cast F32 -> F64
  }
  shard 1 on ranks {3} [2, 1] {
    piece [2] s1@0{2 : 1} d1@1{0 : 1}
  }
}
)");
}

TEST_F(WorkedExample, Verifies) { EXPECT_EQ(verify(program), std::nullopt); }

TEST_F(WorkedExample, VerifierFindsAWrongShape) {
  program.values[2].shape = {4, 2};
  EXPECT_EQ(verify(program),
            "operation 2 (merge): `s` is F32 [4, 2], expected F32 [2, 4]");
}

TEST_F(WorkedExample, VerifierFindsAWrongCount) {
  program.values[0].numUses = 2;
  EXPECT_EQ(verify(program), "`s0` is read 1 times, its count says 2");
}

TEST_F(WorkedExample, VerifierFindsIdsOutOfRange) {
  program.ops[3].operands[0] = ValueId(77);
  EXPECT_EQ(verify(program),
            "operation 3 (cast): reads a value that is not defined yet");
}

TEST_F(WorkedExample, VerifierFindsUnsortedResults) {
  std::swap(program.results[0], program.results[1]);
  EXPECT_EQ(verify(program), "result `d0` is out of order or there twice");
}

TEST(CastChains, AreInterned) {
  Program program;
  CastChainId once = program.appendCast({}, DType::F32, DType::F64);
  EXPECT_EQ(program.appendCast({}, DType::F32, DType::F64), once);
  CastChainId twice = program.appendCast(once, DType::F64, DType::BF16);
  EXPECT_NE(once, twice);
  EXPECT_EQ(program.castChains[twice.index()],
            (std::vector{DType::F32, DType::F64, DType::BF16}));
  EXPECT_EQ(program.castChains.size(), 2u);
}

TEST(Names, AreQuotedOnlyWhenNeeded) {
  EXPECT_EQ(printName("model.layers.0/w-1"), "model.layers.0/w-1");
  EXPECT_EQ(printName("0.w"), "\"0.w\"");
  EXPECT_EQ(printName("a->b"), "\"a->b\"");
  EXPECT_EQ(printName("%t"), "\"%t\"");
  EXPECT_EQ(printName(""), "\"\"");
  EXPECT_EQ(printName("a\"b\\\n"), "\"a\\\"b\\\\\\0A\"");
}

TEST(BoxToPiece, AddressesRowMajorTensors) {
  // Rows 1..2 of a [4, 3] become columns 2..3 of a [3, 5].
  affine::BoxMap map{{{0, 2}, {3, 2}}, {1, 0}, {1, 0}};
  affine::Piece piece = toPiece(map, {4, 3}, {3, 5});
  EXPECT_EQ(piece, (affine::Piece{{3, 2}, {3, {1, 3}}, {2, {5, 1}}}));
}

TEST(BoxToPiece, TakesScalarsAndEmptyTensors) {
  EXPECT_EQ(toPiece({{{}, {}}, {}, {}}, {}, {}), affine::Piece{});
  EXPECT_EQ(rowMajorStrides({4, 0, 3}), (affine::Extents{3, 3, 1}));
}

} // namespace
