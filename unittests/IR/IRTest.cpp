//===- IRTest.cpp - Programs: text, cast chains, verifier -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
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

std::string text(const Program &program, Stage stage) {
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
    ElementOps ops{DType::F32, {}};
    ops.cast(DType::F64);
    widened = program.internOps(ops);
    program.results[1].pieces.add({{2, 1}, {2, {1, 2}}, {0, {1, 1}}},
                                  program.internOrigin({s0, widened, OpId(2)}));
    program.results[1].pieces.add({{2, 1}, {2, {1, 2}}, {2, {1, 1}}},
                                  program.internOrigin({s1, widened, OpId(2)}));
  }
  std::string behindGraph(Stage stage) const {
    std::string all = text(program, stage);
    return all.substr(all.find("\n}\n") + 3);
  }
  Catalog catalog = twoSources();
  Program program;
  ElementOpsId widened;
};

TEST_F(WorkedExample, Graph) {
  EXPECT_EQ(text(program, Stage::Graph), R"(aoir 1
source s0 : F32 [2, 2]
source s1 : F32 [2, 2]
graph {
  %0 = source s0 : F32 [2, 2]
  %1 = source s1 : F32 [2, 2]
  %2 = merge %0, %1 axis=1 : F32 [2, 4] as s
  %3 = cast %2 : F64 [2, 4] as s
  %4 = transpose %3 perm=[1, 0] : F64 [4, 2] as d
  %5, %6 = split %4 axis=1 : F64 [4, 1] as d0, d1
}
result d0 = %5
result d1 = %6
)");
}

TEST_F(WorkedExample, Pieces) {
  EXPECT_EQ(behindGraph(Stage::Pieces), R"(result d0 = %5 : F64 [4, 1] {
}
result d1 = %6 : F64 [4, 1] {
  piece [2, 1] s0{2 : 1, 2} d1{0 : 1, 1} cast F32 -> F64 by %2
  piece [2, 1] s1{2 : 1, 2} d1{2 : 1, 1} cast F32 -> F64 by %2
}
)");
}

TEST_F(WorkedExample, Transfers) {
  affine::Piece piece{{2}, {2, {1}}, {0, {1}}};
  program.results.erase(program.results.begin());
  Result &result = program.results[0];
  result.shards = ShardList({{{0, 1, 2, 5}, {2, 1}}, {{3}, {2, 1}}});
  result.slots = {ValueId(0), ValueId(1)};
  result.layoutClass = LayoutClassId(0);
  program.classes.push_back(
      {{affine::PieceSet(piece, 0), affine::PieceSet(piece, 1)},
       {{0, 0, widened}, {1, 0, ElementOpsId()}},
       1});
  EXPECT_EQ(verify(program), std::nullopt);
  result.pieces.clear();
  result.padValue = 0.1;
  EXPECT_EQ(behindGraph(Stage::Transfers), R"(result d1 = %6
layout d1 pad 0.1 {
  shard 0 on ranks {0..2, 5} [2, 1] {
  }
  shard 1 on ranks {3} [2, 1] {
  }
}
transfer d1 = F64 [4, 1] {
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

TEST(Interning, EqualChainsAndOriginsHaveOneNumber) {
  Program program;
  ElementOps ops{DType::F32, {}};
  EXPECT_TRUE(program.internOps(ops).isNone());
  ops.cast(DType::BF16);
  ElementOpsId once = program.internOps(ops);
  EXPECT_EQ(program.internOps(ops), once);
  EXPECT_EQ(program.opsOf(once, DType::F32), ops);
  ops.cast(DType::F64);
  EXPECT_NE(program.internOps(ops), once);
  EXPECT_EQ(program.elementOps.size(), 2u);

  EXPECT_EQ(program.internOrigin({ValueId(1), once, OpId(2)}), 0u);
  EXPECT_EQ(program.internOrigin({ValueId(1), once, OpId(3)}), 1u);
  EXPECT_EQ(program.internOrigin({ValueId(1), once, OpId(2)}), 0u);
}

TEST(Names, AreQuotedOnlyWhenNeeded) {
  EXPECT_EQ(printName("model.layers.0/w-1"), "model.layers.0/w-1");
  EXPECT_EQ(printName("0.w"), "\"0.w\"");
  EXPECT_EQ(printName("a->b"), "\"a->b\"");
  EXPECT_EQ(printName("%t"), "\"%t\"");
  EXPECT_EQ(printName(""), "\"\"");
  EXPECT_EQ(printName("a\"b\\\n"), "\"a\\\"b\\\\\\0A\"");
}

} // namespace
