//===- SameEffectTest.cpp - Statements that do the same or do not ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "SameEffect.h"

#include "InvertTest.h"

using namespace aoa;
using namespace aoa::invert;
using namespace aoa::invert::test;

namespace {

/// Whether two texts do the same to F32 tensors m and n of [4, 2].
bool doSame(const std::string &one, const std::string &other) {
  Catalog source;
  for (const char *name : {"m", "n"})
    source.tensors.push_back(
        {.name = name, .dtype = DType::F32, .shape = {4, 2}});
  Conversion first(source, one), second(source, other);
  std::vector<FlatStatement> flat;
  for (size_t i = 0;
       const ast::Statement &statement : first.expanded.statements) {
    FlatStatement &each = flat.emplace_back(statement);
    for (const ast::Name &name : statement.left)
      for (size_t id = 0; id != first.program.values.size(); ++id)
        if (first.program.values[id].name == name.text)
          each.reads.push_back(ir::ValueId(id));
    each.forward = i++;
  }
  std::vector<const FlatStatement *> pointers;
  for (const FlatStatement &each : flat)
    pointers.push_back(&each);
  std::vector<const ast::Statement *> statements;
  for (const ast::Statement &statement : second.expanded.statements)
    statements.push_back(&statement);
  return haveSameEffect(first.program, pointers, statements);
}

TEST(SameEffect, OfOneStatement) {
  EXPECT_TRUE(doSame("m -> a, b, axis=0", "m -> a, b, axis=-2"));
  EXPECT_TRUE(doSame("m -> a, reshape=[8]", "m -> a, reshape=[-1]"));
  EXPECT_FALSE(doSame("m -> a, b, axis=0", "m -> b, a, axis=0"));
  EXPECT_FALSE(doSame("m -> a, b, axis=0", "m -> a, c, axis=0"));
  EXPECT_FALSE(doSame("m -> a", "m -> a, dtype=float64"));
  EXPECT_FALSE(doSame("m -> a", "m -> a, reshape=[2, 4]"));
  EXPECT_FALSE(doSame("m -> a", "m -> a, scale=2"));
  EXPECT_FALSE(doSame("m -> a, pad=[[0, 1], [0, 0]]",
                      "m -> a, pad=[[0, 1], [0, 0]], value=1"));
}

TEST(SameEffect, TemporariesAreCompared) {
  EXPECT_FALSE(doSame("m -> %t", "m -> %u"));
  EXPECT_TRUE(doSame("m -> %t\n%t -> a", "m -> %u\n%u -> a"));
}

TEST(SameEffect, WhatIsComparedMayBeCalledDifferently) {
  EXPECT_TRUE(doSame("m -> %x, %y, axis=0\n%x, %y -> a, tie=verify",
                     "m -> %p, %q, axis=0\n%p, %q -> a, tie=verify"));
  EXPECT_FALSE(doSame("m -> %x, %y, axis=0\n%x, %y -> a, tie=verify",
                      "m -> %p, %q, axis=0\n%p, %q -> a, tie=first"));
  EXPECT_FALSE(doSame("m -> %x, %y, axis=0\n%x, %y -> a, tie=verify",
                      "m -> %p, %q, axis=0\n%q, %p -> a, tie=verify"));
  // In the order of what is compared, not of its names.
  EXPECT_TRUE(doSame("m -> %x, %y, axis=0\nn -> %v, %w, axis=0\n"
                     "%x, %y -> a, tie=verify\n%v, %w -> b, tie=verify",
                     "m -> %r, %s, axis=0\nn -> %p, %q, axis=0\n"
                     "%r, %s -> a, tie=verify\n%p, %q -> b, tie=verify"));
}

} // namespace
