//===- ProveIdentityTest.cpp - Ways back that are none --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ProveIdentity.h"

#include "InvertTest.h"

using namespace aoa;
using namespace aoa::invert;
using namespace aoa::invert::test;

namespace {

/// What is wrong with a way back: `a: nothing makes it`; empty for nothing.
std::string faultOf(const std::string &forward, const std::string &back) {
  Catalog source;
  for (const char *name : {"a", "b", "c"})
    source.tensors.push_back(
        {.name = name, .dtype = DType::F32, .shape = {2, 2}});
  Conversion there(source, forward);
  Conversion again(there.results(), back);
  auto fault = proveIdentity(there.program, again.program);
  return fault ? fault->tensor + ": " + fault->what : "";
}

TEST(ProveIdentity, WaysBack) {
  EXPECT_EQ(faultOf("a, b -> m, axis=0", "m -> a, b, axis=0"), "");
  EXPECT_EQ(faultOf("a^T -> m", "m^T -> a"), "");
  EXPECT_EQ(faultOf("a -> m, dtype=float64, scale=4",
                    "m -> a, scale=0.25, dtype=float32"),
            "");
  EXPECT_EQ(faultOf("a -> m, plus=1, scale=3",
                    "m -> a, scale=0.3333333333333333, plus=-1"),
            "");
}

TEST(ProveIdentity, OtherElements) {
  EXPECT_EQ(faultOf("a, b -> m, axis=0", "m -> b, a, axis=0"),
            "a: element 0 of it is element 0 of `b`");
  EXPECT_EQ(faultOf("a^T -> m", "m -> a"),
            "a: element 2 of it is element 1 of `a`");
  EXPECT_EQ(faultOf("a -> m, pad=[[1, 1], [0, 0]]", "m -> a, slice=\"2:4\""),
            "a: elements of it are filled in");
}

TEST(ProveIdentity, OtherTensors) {
  EXPECT_EQ(faultOf("a, b -> m, axis=0", "m -> a, _, axis=0"),
            "b: nothing makes it");
  EXPECT_EQ(faultOf("a -> m", "m -> a, d, copy"),
            "d: the source has no such tensor");
  EXPECT_EQ(faultOf("a -> m", "m -> _\n_ -> a, shape=[2, 2], dtype=F32"),
            "a: elements of it are filled in");
  EXPECT_EQ(faultOf("a -> m, dtype=float64", "m -> a"),
            "a: it is F64 then, and F32 before");
  EXPECT_EQ(faultOf("a -> m, reshape=[4]", "m -> a"),
            "a: it has another shape");
}

TEST(ProveIdentity, OtherValues) {
  std::string other = "a: element 0 of it is element 0 of `a`";
  EXPECT_EQ(faultOf("a -> m, dtype=bfloat16", "m -> a, dtype=float32"), other);
  EXPECT_EQ(faultOf("a -> m, scale=4", "m -> a, scale=0.5"), other);
  EXPECT_EQ(faultOf("a -> m, plus=1", "m -> a, plus=1"), other);
  EXPECT_EQ(faultOf("a -> m, plus=1, scale=2", "m -> a, plus=-1, scale=0.5"),
            other);
}

TEST(ProveIdentity, WhatIsComparedIsEqual) {
  EXPECT_EQ(faultOf("a, b -> m, tie=verify", "m -> %t\n%t -> a, b, copy"), "");
  EXPECT_EQ(faultOf("a, b -> m, tie=first", "m -> %t\n%t -> a, b, copy"),
            "b: element 0 of it is element 0 of `a`");
  // By way of a third.
  EXPECT_EQ(faultOf("b -> b, b2, copy\na, b -> m, tie=verify\n"
                    "b2, c -> n, tie=verify",
                    "n -> _\nm -> %t\n%t -> a, b, c, copy"),
            "");
  // Transposed, b is not a.
  EXPECT_EQ(faultOf("a^T, b -> m, tie=verify", "m -> %t\n%t -> a, b, copy"),
            "a: element 2 of it is element 1 of `a`");
  EXPECT_EQ(faultOf("a^T, b -> m, tie=verify",
                    "m -> %t\n%t -> %u, b, copy\n%u^T -> a"),
            "");
}

} // namespace
