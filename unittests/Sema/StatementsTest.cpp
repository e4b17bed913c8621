//===- StatementsTest.cpp - Forms, attributes, shapes, dtypes ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SemaTest.h"

using namespace aoa;
using namespace aoa::test;

namespace {

const std::vector<Tensor> two = {{"s0", DType::F32, {2, 2}, {}},
                                 {"s1", DType::F32, {2, 2}, {}}};
const std::vector<Tensor> cube = {{"a", DType::F32, {4, 6, 2}, {}},
                                  {"b", DType::BF16, {4, 6, 2}, {}},
                                  {"i", DType::I32, {3}, {}}};

std::string reportOf(std::string text, const std::vector<Tensor> &source = cube,
                     ast::Dialect dialect = ast::Dialect::Aoa) {
  return run(std::move(text), source, {}, dialect)->report();
}
std::string paddle(std::string text) {
  return reportOf(std::move(text), cube, ast::Dialect::Paddle);
}

TEST(Statements, WorkedExample) {
  auto analysis = run("s0, s1 -> s, axis=1\n"
                      "s -> s, dtype='float64'\n"
                      "s^T -> d\n"
                      "d -> d0, d1, axis=1\n",
                      two);
  EXPECT_EQ(analysis->report(), "");
  EXPECT_EQ(analysis->graph(), R"(graph {
  %0 = source s0 : F32 [2, 2]
  %1 = source s1 : F32 [2, 2]
  %2 = merge %0, %1 axis=1 : F32 [2, 4] as s
  %3 = cast %2 : F64 [2, 4] as s
  %4 = transpose %3 perm=[1, 0] : F64 [4, 2] as s
  %5 = rename %4 : F64 [4, 2] as d
  %6, %7 = split %5 axis=1 : F64 [4, 1] as d0, d1
}
result d0 = %6
result d1 = %7
)");
}

TEST(Statements, WhatFollowsAJoinActsOnItsResult) {
  EXPECT_EQ(
      run("s0, s1 -> c, dtype=bfloat16, axis=-1, permute=[1, 0]", two)->graph(),
      R"(graph {
  %0 = source s0 : F32 [2, 2]
  %1 = source s1 : F32 [2, 2]
  %2 = merge %0, %1 axis=1 : F32 [2, 4] as c
  %3 = cast %2 : BF16 [2, 4] as c
  %4 = transpose %3 perm=[1, 0] : BF16 [4, 2] as c
}
result c = %4
)");
}

TEST(Statements, WhatStandsWithACutActsOnTheOperand) {
  EXPECT_EQ(run("a -> b, c, permute=[2, 0, 1], axis=0",
                {{"a", DType::F32, {4, 6, 2}, {}}})
                ->graph(),
            R"(graph {
  %0 = source a : F32 [4, 6, 2]
  %1 = transpose %0 perm=[2, 0, 1] : F32 [2, 4, 6] as a
  %2, %3 = split %1 axis=0 : F32 [1, 4, 6] as b, c
}
result b = %2
result c = %3
)");
}

TEST(Statements, OneNameASideWithAnAxisIsARename) {
  EXPECT_EQ(run("s0 -> x, axis=1", two)->results(),
            "s1: F32 [2, 2]\nx: F32 [2, 2]\n");
}

TEST(Statements, RepeatedOperationsAct) {
  EXPECT_EQ(run("s0 -> x, dtype=F16, dtype=F32, permute=[], permute=[]", two)
                ->report(),
            "");
}

TEST(Statements, ACastToTheSameDTypeMakesNothing) {
  EXPECT_EQ(run("s0 -> x, dtype=float32", two)->graph(), R"(graph {
  %0 = source s0 : F32 [2, 2]
  %1 = rename %0 : F32 [2, 2] as x
  %2 = source s1 : F32 [2, 2]
}
result s1 = %2
result x = %1
)");
}

TEST(Statements, APairOfDTypesMustFitTheFirst) {
  EXPECT_EQ(reportOf("a -> c, src_dtype=float32, dst_dtype='bfloat16'"), "");
  EXPECT_EQ(reportOf("a -> c, dst_dtype=BF16, src_dtype=F32"), "");
  EXPECT_EQ(reportOf("a -> c, src_dtype=float16, dst_dtype=bfloat16"),
            "dtype-mismatch at `float16`: `a` is F32, `src_dtype` says F16\n");
  EXPECT_EQ(reportOf("a -> c, src_dtype=float32"),
            "one-operation at `src_dtype`: `src_dtype` stands without "
            "`dst_dtype` beside it\n");
  EXPECT_EQ(reportOf("a -> c, src_dtype=F32, src_dtype=F32, dst_dtype=F16"),
            "duplicate-attribute at `src_dtype`: `src_dtype` stands twice in "
            "one pair\n");
}

TEST(Statements, Axes) {
  EXPECT_EQ(reportOf("a -> p, q, axis=-2"), "");
  EXPECT_EQ(reportOf("a -> p, q, axis=3"),
            "axis-out-of-range at `3`: axis 3 of `a`, which has shape [4, 6, "
            "2], expected -3 to 2\n");
  EXPECT_EQ(reportOf("a -> p, axis=7"),
            "axis-out-of-range at `7`: axis 7 of `a`, which has shape [4, 6, "
            "2], expected -3 to 2\n");
  EXPECT_EQ(reportOf("a -> p, q, axis='0'"),
            "attribute-value at `'0'`: `axis` is \"0\", expected a whole "
            "number without quotes\n");
  EXPECT_EQ(reportOf("a -> p, q, axis=1.5"),
            "attribute-value at `1.5`: `axis` is 1.5, expected a whole "
            "number\n");
  EXPECT_EQ(reportOf("a -> p, q"),
            "missing-axis at `->`: `a` is cut in 2 parts, but no `axis` says "
            "along which\n");
  EXPECT_EQ(reportOf("a -> p, q, axis=0, axis=1"),
            "duplicate-attribute at `axis`: `axis` stands twice, and no "
            "operation but the split takes one\n");
}

TEST(Statements, AMergeWithoutAxisTakes0) {
  auto analysis = run("s0, s1 -> c", two);
  EXPECT_EQ(analysis->report(), "implicit-axis at `->`: a merge without `axis` "
                                "takes 0; write `axis=0`\n"
                                "  fix behind `c`: `, axis=0`\n");
  EXPECT_EQ(analysis->results(), "c: F32 [4, 2]\n");
}

TEST(Statements, UnequalMerges) {
  EXPECT_EQ(reportOf("a, i -> c, axis=0"),
            "unequal-merge at `i`: `i` is I32, expected F32 as `a` is; a cast "
            "is never implied\n");
  std::vector<Tensor> source = {{"a", DType::F32, {2, 3}, {}},
                                {"b", DType::F32, {2, 5}, {}}};
  std::string expected =
      "unequal-merge at `b`: `b` has shape [2, 5], `a` has [2, 3]: axis 1 "
      "differs in a merge along axis 0\n";
  EXPECT_EQ(reportOf("a, b -> c, axis=0", source), expected);
  EXPECT_EQ(reportOf("a, b -> c, axis=0", source, ast::Dialect::Paddle),
            expected);
}

TEST(Statements, MergesSeeCasts) {
  EXPECT_EQ(reportOf("b -> b2, dtype='float32'\na, b2 -> c, axis=0"), "");
}

TEST(Statements, ASplitGivesBothNumbers) {
  EXPECT_EQ(reportOf("a -> p, q, r, s, axis=1"),
            "uneven-split at `a`: axis 1 of `a` has extent 6, which is not "
            "divisible in 4 equal parts (shape [4, 6, 2])\n");
}

TEST(Statements, Permutations) {
  EXPECT_EQ(run("a -> p, permute='[2, 0,1]'", cube)->results(),
            "b: BF16 [4, 6, 2]\ni: I32 [3]\np: F32 [2, 4, 6]\n");
  EXPECT_EQ(run("a -> p, permute='[]'", cube)->results(),
            "b: BF16 [4, 6, 2]\ni: I32 [3]\np: F32 [2, 6, 4]\n");
  EXPECT_EQ(reportOf("a -> p, permute=[0, 2, 2]"),
            "wrong-permutation at `[0, 2, 2]`: permutation [0, 2, 2] has axis "
            "2 twice and axis 1 never\n");
  EXPECT_EQ(reportOf("a -> p, permute=[0, 1]"),
            "wrong-permutation at `[0, 1]`: permutation [0, 1] has 2 entries, "
            "expected 3 for `a`, which has shape [4, 6, 2]\n");
  EXPECT_EQ(reportOf("a -> p, permute=1"),
            "attribute-value at `1`: `permute` is 1, expected a list of axes "
            "such as [1, 0]\n");
  EXPECT_EQ(reportOf("a -> p, permute='[1, x]'"),
            "attribute-value at `'[1, x]'`: `permute` is \"[1, x]\", expected "
            "a list of axes such as \"[1, 0]\"\n");
  EXPECT_NE(reportOf("a -> p, permute=[-1, 0, 1]"), "");
  EXPECT_EQ(paddle("a -> p, permute='[-1, 0, 1]'"), "");
}

TEST(Statements, Casts) {
  EXPECT_EQ(reportOf("a -> p, dtype=F8_E4M3"), "");
  EXPECT_EQ(reportOf("a -> p, dtype=int32"),
            "refused-cast at `int32`: `a` is F32, which has no cast to I32: "
            "casts go between floats, or from an integer to a wider one\n");
  EXPECT_EQ(reportOf("a -> p, dtype=bfloat61"),
            "unknown-cast-dtype at `bfloat61`: unknown dtype `bfloat61`; did "
            "you mean `bfloat16`?\n");
  EXPECT_EQ(reportOf("a -> p, dtype=16"),
            "attribute-value at `16`: `dtype` is 16, expected a dtype such as "
            "bfloat16\n");
  EXPECT_EQ(reportOf("i -> p, dtype=int64"), "");
}

TEST(Statements, UnknownAttributesGetAHint) {
  EXPECT_EQ(reportOf("a -> p, permut=[0, 1, 2]"),
            "unknown-attribute at `permut`: unknown attribute `permut`; did "
            "you mean `permute`?\n"
            "  fix at `permut`: `permute`\n");
  EXPECT_EQ(paddle("a -> p, sizes=1"),
            "unknown-attribute at `sizes`: unknown attribute `sizes`, which "
            "--std=paddle does not have\n");
}

TEST(Statements, WrongArity) {
  EXPECT_EQ(reportOf("a, b -> c, d, axis=0"),
            "wrong-arity at `->`: 2 left names and 2 right names, expected one "
            "on either side\n");
}

TEST(Statements, PaddleTakesOneOperation) {
  EXPECT_EQ(paddle("a -> p, permute='[]', dtype='float16'"),
            "one-operation at `dtype`: a second operation `dtype` after "
            "`permute`: --std=paddle takes one a statement\n");
  EXPECT_EQ(paddle("a, a -> p, axis=0, dtype='float16'"),
            "one-operation at `dtype`: a second operation `dtype` after "
            "`axis`: --std=paddle takes one a statement\n");
  EXPECT_EQ(paddle("a -> p, q, axis=0, axis=1"),
            "duplicate-attribute at `axis`: `axis` stands twice in one "
            "statement\n");
  EXPECT_EQ(paddle("a -> p, src_dtype='float32', dst_dtype='float16'"), "");
  EXPECT_EQ(paddle("a -> p, dst_dtype='float16', src_dtype='float32'"),
            "one-operation at `dst_dtype`: `dst_dtype` stands before "
            "`src_dtype`, expected after it with --std=paddle\n");
}

TEST(Statements, PaddleIsStricterAboutValues) {
  EXPECT_EQ(paddle("a, a -> c"), "missing-axis at `->`: a merge without "
                                 "`axis`, which --std=paddle wants\n");
  EXPECT_EQ(paddle("a -> p, dtype='float64'"),
            "refused-cast at `'float64'`: a cast to `float64`, expected "
            "float16, bfloat16 or float32 with --std=paddle\n");
  EXPECT_EQ(paddle("a -> p, dtype=float16"),
            "attribute-value at `float16`: `dtype` is float16, expected a "
            "dtype in quotes\n");
  EXPECT_EQ(paddle("a -> p, permute=[0, 1, 2]"),
            "attribute-value at `[0, 1, 2]`: `permute` is [0, 1, 2], expected "
            "a list in quotes with --std=paddle\n");
  EXPECT_EQ(paddle("a -> p, q, axis=-1"),
            "axis-out-of-range at `-1`: axis -1 of `a`, which has shape [4, 6, "
            "2], expected 0 to 2\n");
  EXPECT_EQ(paddle("a -> p, q, axis=3"),
            "axis-out-of-range at `3`: axis 3 of `a`, which has shape [4, 6, "
            "2], expected 0 to 2\n");
  EXPECT_EQ(paddle("a -> p, axis=9"), "");
  EXPECT_EQ(paddle("a -> p, axis=0, q"),
            "unknown-word at `q`: name `q` after an attribute: --std=paddle "
            "wants all names before them\n");
}

TEST(Statements, OnlyPaddleMakesFloatsOfIntegers) {
  std::vector<Tensor> source = {{"i", DType::I32, {2}, {}},
                                {"t", DType::BOOL, {2}, {}},
                                {"z", DType::C64, {2}, {}}};
  EXPECT_EQ(run("i -> j, dtype='float32'\nt -> u, dtype='bfloat16'", source, {},
                ast::Dialect::Paddle)
                ->results(),
            "j: F32 [2]\nu: BF16 [2]\nz: C64 [2]\n");
  EXPECT_EQ(run("z -> y, dtype='float32'", source, {}, ast::Dialect::Paddle)
                ->report(),
            "refused-cast at `'float32'`: `z` is C64, which has no cast to "
            "F32: such elements are only moved, not converted\n");
  EXPECT_EQ(reportOf("i -> j, dtype=float32", source),
            "refused-cast at `float32`: `i` is I32, which has no cast to F32: "
            "casts go between floats, or from an integer to a wider one\n");
}

// Upstream defers casts: its merges see the dtypes of the source.
TEST(Statements, PaddleMergesByTheDTypesBeforeCasts) {
  std::vector<Tensor> source = {{"a", DType::BF16, {2, 2}, {}},
                                {"b", DType::F32, {2, 2}, {}},
                                {"c", DType::F32, {2, 2}, {}}};
  auto report = [&](const std::string &text, ast::Dialect dialect) {
    return run(text, source, {}, dialect)->report();
  };
  std::string widened = "a -> w, dtype='float32'\nw^T -> v\nv, b -> d, axis=0";
  EXPECT_EQ(report(widened, ast::Dialect::Paddle),
            "unequal-merge at `b`: `b` is made of F32, `v` of BF16: with "
            "--std=paddle a merge compares the dtypes before casts; --std=aoa "
            "accepts it\n");
  EXPECT_EQ(report(widened, ast::Dialect::Aoa), "");
  // Upstream takes this, though the parts differ.
  EXPECT_EQ(report("b -> n, dtype='bfloat16'\nn, c -> d, axis=0",
                   ast::Dialect::Paddle),
            "unequal-merge at `c`: `c` is F32, expected BF16 as `n` is; a cast "
            "is never implied\n");
  EXPECT_EQ(report("b -> n, dtype='bfloat16'\nc -> o, dtype='bfloat16'\n"
                   "n, o -> d, axis=0\nd -> e, f, axis=1\ne, f -> g, axis=0",
                   ast::Dialect::Paddle),
            "");
}

TEST(Statements, AllIndependentErrorsAreReported) {
  EXPECT_EQ(reportOf("zz -> c\n"
                     "c -> d, permute=[1]\n" // Follows from the first.
                     "d, c -> e, axis=0\n"
                     "a -> p, q, r, axis=0\n"
                     "p -> p2, dtype=F23\n"),
            "unknown-name at `zz`: `zz` is neither bound before nor a tensor "
            "of the source\n"
            "uneven-split at `a`: axis 0 of `a` has extent 4, which is not "
            "divisible in 3 equal parts (shape [4, 6, 2])\n"
            "unknown-cast-dtype at `F23`: unknown dtype `F23`; did you mean "
            "`F32`?\n");
}

TEST(Statements, SubByteTensorsAreOnlyRenamed) {
  std::vector<Tensor> source = {{"f", DType::F4, {2, 2}, {}}};
  EXPECT_EQ(run("f -> g", source)->results(), "g: F4 [2, 2]\n");
  EXPECT_EQ(reportOf("f^T -> g", source),
            "wrong-permutation at `f^T -> g`: `f` is F4, which is moved as a "
            "whole tensor only\n");
}

} // namespace
