//===- WalkTest.cpp - Ways of elements ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Random programs: every element of every result goes back to where the
// operations, worked out element by element, say; and every element of every
// source goes to just those that come from it.
//===----------------------------------------------------------------------===//
#include "aoa/Trace/Walk.h"

#include "../Transforms/RandomProgram.h"
#include "aoa/Trace/Steps.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace aoa;
using namespace aoa::test;
using namespace aoa::trace;
using ir::ValueId;

namespace {

std::vector<int64_t> allElements(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> elements(numElements(shape));
  std::iota(elements.begin(), elements.end(), 0);
  return elements;
}

void expectWaysBack(const ProgramBuilder &builder, ValueId value,
                    const std::vector<int64_t> &elements) {
  const ir::Program &program = builder.program;
  auto ways = walkBack(program, value, elements);
  ASSERT_TRUE(ways) << ways.error().str();
  ASSERT_EQ(ways->size(), elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const Way &way = (*ways)[i];
    Origin origin = builder.origins[value.index()][elements[i]];
    EXPECT_EQ(way.value, value);
    EXPECT_EQ(way.address, elements[i]);
    ASSERT_FALSE(way.end.isNone());
    if (program.isFill(way.end))
      EXPECT_EQ(origin.first, builder.firstConstant + way.end.index());
    else
      EXPECT_EQ(builder.origins[way.end.index()][way.endAddress], origin);
    EXPECT_TRUE(program.isStored(way.end));
    // Each step makes what the one before takes.
    ValueId made = value;
    int64_t address = elements[i];
    for (const Hop &hop : way.hops) {
      EXPECT_EQ(hop.made, made);
      EXPECT_EQ(hop.address, address);
      EXPECT_EQ(builder.origins[made.index()][address], origin);
      const ir::Op &op = program.op(hop.op);
      EXPECT_TRUE(llvm::is_contained(op.results, made));
      ASSERT_LT(hop.operand, op.operands.size());
      made = op.operands[hop.operand];
      const Hop *next = &hop + 1;
      address = next == way.hops.data() + way.hops.size() ? way.endAddress
                                                          : next->address;
    }
    EXPECT_EQ(made, way.end);
  }
}

void expectWaysForward(const ProgramBuilder &builder, size_t tensor) {
  const ir::Program &program = builder.program;
  const Tensor &source = program.source->tensors[tensor];
  std::vector<int64_t> elements = allElements(source.shape);
  std::set<Goal> expected;
  for (uint32_t i = 0; i < program.results.size(); ++i) {
    const auto &origins = builder.origins[program.results[i].value.index()];
    for (size_t address = 0; address < origins.size(); ++address)
      if (origins[address].first == tensor)
        expected.insert({i, static_cast<int64_t>(address),
                         static_cast<uint32_t>(origins[address].second)});
  }
  auto goals = walkForward(program, source.name, elements, 100'000);
  ASSERT_TRUE(goals) << goals.error().str();
  EXPECT_EQ(goals->size(), expected.size());
  EXPECT_EQ(std::set<Goal>(goals->begin(), goals->end()), expected);
}

TEST(Walk, RandomProgramsAreFollowedBackAndForward) {
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    Catalog source = randomSource(rng);
    ProgramBuilder builder(source);
    RandomProgram(rng, builder).build();
    ir::Program &program = builder.finish();
    for (const ir::Result &result : program.results) {
      auto elements = allElements(program.value(result.value).shape);
      expectWaysBack(builder, result.value, elements);
      // In any order, and some of them only.
      std::shuffle(elements.begin(), elements.end(), rng);
      elements.resize(elements.size() / 2);
      expectWaysBack(builder, result.value, elements);
    }
    for (size_t tensor = 0; tensor < source.tensors.size(); ++tensor)
      expectWaysForward(builder, tensor);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

Catalog oneTensor(Shape shape) {
  Catalog catalog;
  catalog.tensors.push_back({"s0", DType::F32, std::move(shape), {}});
  return catalog;
}

TEST(Walk, TooManyHopsAreRefused) {
  Catalog source = oneTensor({100});
  ProgramBuilder builder(source);
  ValueId value = builder.source(0);
  for (int i = 0; i < 10; ++i)
    value = builder.rename(value);
  const ir::Program &program = builder.finish();
  auto elements = allElements({100});
  EXPECT_TRUE(walkBack(program, value, elements, 1000));
  auto refused = walkBack(program, value, elements, 999);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::Limit);
}

// The elements of a huge result are counted, not made.
TEST(Walk, ElementsThatGoEverywhereAreRefused) {
  Catalog source = oneTensor({4});
  ProgramBuilder builder(source);
  ValueId value = builder.source(0);
  ir::Program &program = builder.program;
  program.values.push_back({.name = "huge",
                            .dtype = DType::F32,
                            .shape = {int64_t(1) << 40},
                            .definition = ir::OpId(program.ops.size())});
  program.ops.push_back({.kind = ir::OpKind::Repeat,
                         .operands = {value},
                         .results = {ValueId(program.values.size() - 1)},
                         .count = int64_t(1) << 38,
                         .block = 4});
  program.results.push_back(
      {.name = "huge", .value = ValueId(program.values.size() - 1)});
  auto refused = walkForward(program, "s0", {0}, 10'000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::Limit);
  EXPECT_EQ(refused.error().str(), "`s0` goes to more than 10000 elements on "
                                   "its way; trace fewer of its own");
  // Back, one of them is as quick as any other.
  auto ways =
      walkBack(program, program.results[0].value, {(int64_t(1) << 40) - 2});
  ASSERT_TRUE(ways);
  EXPECT_EQ(ways->front().endAddress, 2);
}

TEST(Walk, WhatTheCallerFillsEndsThere) {
  Catalog source = oneTensor({4});
  ProgramBuilder builder(source);
  ValueId left = builder.fill(DType::F32, {2, 3});
  const ir::Program &program = builder.finish();
  auto ways = walkBack(program, left, {4});
  ASSERT_TRUE(ways);
  EXPECT_TRUE(ways->front().hops.empty());
  EXPECT_EQ(ways->front().end, left);
  EXPECT_EQ(ways->front().endAddress, 4);
  std::vector<Step> steps =
      StepFinder(program).stepsOf(ways->front(), /*place=*/nullptr);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].made, (ElementRef{left, 4}));
}

TEST(Steps, OneForEachStatement) {
  Catalog source = oneTensor({2, 3});
  ProgramBuilder builder(source);
  ValueId from = builder.source(0);
  ValueId turned = builder.transpose(from, {1, 0});
  ValueId cast = builder.cast(turned, DType::BF16);
  ValueId renamed = builder.rename(cast);
  ValueId wanted = builder.cast(renamed, DType::F64);
  ir::Program &program = builder.finish();
  auto setStatement = [&](ValueId value, size_t statement) {
    program.ops[program.value(value).definition.index()].statement =
        ir::StatementId(statement);
  };
  setStatement(turned, 0);
  setStatement(cast, 0);
  setStatement(renamed, 1);
  auto ways = walkBack(program, wanted, {1});
  ASSERT_TRUE(ways);
  WrittenPlace place;
  place.scale = 4;
  place.ops.steps = {{ElementOp::Kind::Multiply, DType::F64, 4}};
  std::vector<Step> steps = StepFinder(program).stepsOf(ways->front(), &place);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].reason, StepReason::TargetScale);
  EXPECT_EQ(format(steps[0].ops), "F64 -> *4");
  EXPECT_EQ(steps[1].reason, StepReason::DType);
  EXPECT_EQ(format(steps[1].ops), "BF16 -> F64");
  EXPECT_EQ(steps[2].statement, ir::StatementId(1));
  EXPECT_TRUE(steps[2].ops.isIdentity());
  EXPECT_EQ(steps[3].statement, ir::StatementId(0));
  EXPECT_EQ(steps[3].made, (ElementRef{cast, 1}));
  EXPECT_EQ(format(steps[3].ops), "F32 -> BF16");
}

// Four blocks of one row that were the same: the first is taken.
TEST(Steps, DedupNamesTheCopiesThatAreCompared) {
  Catalog source = oneTensor({12, 2});
  ProgramBuilder builder(source);
  ValueId from = builder.source(0);
  ValueId first = builder.dedup(from, 0, 6, 1);
  ValueId again = builder.repeat(first, 0, 6, 1);
  builder.compare(from, again);
  ir::Program &program = builder.finish();
  for (ir::Op &op : program.ops)
    if (op.kind != ir::OpKind::Source)
      op.statement = ir::StatementId(0);
  auto ways = walkBack(program, first, {3}); // Row 1: rows 6 to 11 of `from`.
  ASSERT_TRUE(ways);
  std::vector<Step> steps = StepFinder(program).stepsOf(ways->front(), nullptr);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(ways->front().endAddress, 13);
  std::vector<ElementRef> expected = {
      {from, 15}, {from, 17}, {from, 19}, {from, 21}};
  EXPECT_EQ(steps[0].compared, expected);
  EXPECT_EQ(steps[0].numMoreCompared, 1);
}

} // namespace
