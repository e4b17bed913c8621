//===- OperationsTest.cpp - Every operation of the aoa dialect --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SemaTest.h"

using namespace aoa;
using namespace aoa::test;

namespace {

/// What a script makes of these tensors: reports, and without errors the
/// operations, those left out that only name a source.
std::string madeBy(std::string text) {
  static const std::vector<Tensor> source = {{"a", DType::F32, {4, 6, 2}, {}},
                                             {"b", DType::F32, {4, 6, 2}, {}},
                                             {"i", DType::I32, {3}, {}},
                                             {"v", DType::F32, {6}, {}}};
  auto analysis = run(std::move(text), source);
  std::string out = analysis->report();
  if (analysis->diagnostics.numErrors() != 0)
    return out;
  std::string graph = analysis->graph();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(graph).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (line.starts_with("  ") && !line.contains(" = source "))
      out += line.trim().str() + "\n";
  return out;
}

TEST(Operations, SizesAndDiscards) {
  EXPECT_EQ(
      madeBy("v -> x, y, z, axis=0, sizes=[3, 0, 3]"),
      "%1, %2, %3 = split %0 axis=0 : F32 [3], F32 [0], F32 [3] as x, y, z\n");
  EXPECT_EQ(madeBy("v -> x, _, axis=0"),
            "%1, %2 = split %0 axis=0 : F32 [3] as x, _\n");
  EXPECT_EQ(
      madeBy("v -> x, _, z, axis=-1, sizes=[1, 2, 3]"),
      "%1, %2, %3 = split %0 axis=0 : F32 [1], F32 [2], F32 [3] as x, _, z\n");
  EXPECT_EQ(madeBy("a -> x, y, axis=1, sizes=[2, 3]"),
            "uneven-split at `[2, 3]`: sizes [2, 3] sum to 5, expected 6: axis "
            "1 of `a` has extent 6\n");
  EXPECT_EQ(madeBy("v -> x, y, z, axis=0, sizes=[3, 3]"),
            "uneven-split at `[3, 3]`: sizes [3, 3] for 3 parts of `v`, "
            "expected one a part\n");
  EXPECT_EQ(
      madeBy("a -> x, y, axis=0, sizes=[5, -1]"),
      "uneven-split at `[5, -1]`: size -1 in [5, -1], expected none below 0\n");
}

TEST(Operations, GroupsOfMergeAndSplit) {
  EXPECT_EQ(madeBy("a, b -> f, axis=1, groups=3"),
            "%2 = merge %0, %1 axis=1 groups=3 : F32 [4, 12, 2] as f\n");
  EXPECT_EQ(madeBy("a, b -> f, groups=3, sizes=[2, 2], axis=1"),
            "%2 = merge %0, %1 axis=1 groups=3 : F32 [4, 12, 2] as f\n");
  EXPECT_EQ(madeBy("a, b -> f, axis=1, groups=3, sizes=[2, 3]"),
            "unequal-merge at `[2, 3]`: `b` has 2 of axis 1 in each group, "
            "`sizes` says 3\n");
  EXPECT_EQ(madeBy("a, b -> f, axis=1, groups=3, sizes=[2]"),
            "unequal-merge at `[2]`: 1 sizes for 2 left names\n");
  EXPECT_EQ(madeBy("a, b -> f, axis=1, groups=4"),
            "unequal-merge at `a`: axis 1 of `a` has extent 6, which is not "
            "divisible in 4 groups\n");
  EXPECT_EQ(madeBy("a, b -> f, axis=1, groups=0"),
            "attribute-value at `0`: `groups` is 0, expected at least 1\n");
  EXPECT_EQ(madeBy("a -> x, y, axis=1, groups=3, sizes=[2, 0]"),
            "%1, %2 = split %0 axis=1 groups=3 : F32 [4, 6, 2], F32 [4, 0, 2] "
            "as x, y\n");
  EXPECT_EQ(madeBy("a -> x, y, axis=1, groups=3"),
            "%1, %2 = split %0 axis=1 groups=3 : F32 [4, 3, 2] as x, y\n");
  EXPECT_EQ(madeBy("a -> x, y, axis=1, groups=4"),
            "uneven-split at `a`: axis 1 of `a` has extent 6, which is not "
            "divisible in 4 groups (shape [4, 6, 2])\n");
  EXPECT_EQ(madeBy("a -> x, axis=1, groups=4"),
            "unequal-merge at `a`: axis 1 of `a` has extent 6, which is not "
            "divisible in 4 groups\n");
}

TEST(Operations, StackAndUnstack) {
  EXPECT_EQ(madeBy("a, b -> c, stack=-1"),
            "%2 = stack %0, %1 axis=3 : F32 [4, 6, 2, 2] as c\n");
  EXPECT_EQ(madeBy("a, b -> c, stack=4"),
            "axis-out-of-range at `4`: axis 4 of a stack of `a`, which has "
            "shape [4, 6, 2], expected -4 to 3\n");
  EXPECT_EQ(madeBy("a, i -> c, stack=0"),
            "unequal-merge at `i`: `i` is I32, expected F32 as `a` is; a cast "
            "is never implied\n");
  EXPECT_EQ(madeBy("i -> x, y, z, unstack=0"),
            "%1, %2, %3 = unstack %0 axis=0 : I32 [] as x, y, z\n");
  EXPECT_EQ(madeBy("i -> x, y, _, unstack=-1"),
            "%1, %2, %3 = unstack %0 axis=0 : I32 [] as x, y, _\n");
  EXPECT_EQ(madeBy("i -> x, y, unstack=0"),
            "uneven-split at `0`: axis 0 of `i` has extent 3, which is "
            "unstacked in 2 tensors\n");
  EXPECT_EQ(madeBy("v -> x, stack=0, stack=-1, unstack=0"),
            "%1 = stack %0 axis=0 : F32 [1, 6] as x\n"
            "%2 = stack %1 axis=2 : F32 [1, 6, 1] as x\n"
            "%3 = unstack %2 axis=0 : F32 [6, 1] as x\n");
  EXPECT_EQ(madeBy("v -> x, unstack=0"),
            "uneven-split at `0`: axis 0 of `v` has extent 6, which is "
            "unstacked in 1 tensor\n");
}

TEST(Operations, TieAndCopy) {
  EXPECT_EQ(madeBy("a, b -> c, tie=verify"),
            "compare %0, %1\n"
            "%2 = rename %0 : F32 [4, 6, 2] as c\n");
  EXPECT_EQ(madeBy("a, b, a -> c, tie=first, dtype=F16"),
            "%2 = cast %0 : F16 [4, 6, 2] as c\n");
  EXPECT_EQ(madeBy("a, a -> c, tie=verify"),
            "%1 = rename %0 : F32 [4, 6, 2] as c\n");
  EXPECT_EQ(madeBy("a, i -> c, tie=verify"),
            "unequal-tie at `i`: `i` is I32, expected F32 as `a` is; a cast is "
            "never implied\n");
  EXPECT_EQ(madeBy("a, b -> c, tie=sometimes"),
            "attribute-value at `sometimes`: `tie` is sometimes, expected "
            "`verify` or `first`\n");
  EXPECT_EQ(madeBy("a -> x, y, copy"), "%1 = rename %0 : F32 [4, 6, 2] as x\n"
                                       "%2 = rename %0 : F32 [4, 6, 2] as y\n");
  EXPECT_EQ(madeBy("a -> x, copy, dtype=BF16"),
            "%1 = cast %0 : BF16 [4, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, _, copy"),
            "misplaced-discard at `_`: `_` among the names of a copy: nothing "
            "is left out\n");
  EXPECT_EQ(madeBy("a -> x, y, copy\na -> z"),
            "%1 = rename %0 : F32 [4, 6, 2] as x\n"
            "%2 = rename %0 : F32 [4, 6, 2] as y\n"
            "%3 = rename %0 : F32 [4, 6, 2] as z\n");
  EXPECT_EQ(madeBy("a -> x, copy\nx -> y, copy\nv -> a"),
            "%1 = rename %0 : F32 [4, 6, 2] as x\n"
            "%2 = rename %1 : F32 [4, 6, 2] as y\n"
            "%4 = rename %3 : F32 [6] as a\n");
}

TEST(Operations, OneOperationJoinsOrCuts) {
  EXPECT_EQ(madeBy("a, b -> c, permute=[], stack=0"),
            "one-operation at `permute`: an operation before `stack`: a join "
            "comes first, and what follows acts on its result\n");
  EXPECT_EQ(madeBy("i -> x, y, z, unstack=0, dtype=I64"),
            "one-operation at `dtype`: an operation after `unstack`: a cut "
            "comes last, and what stands before acts on its operand\n");
  EXPECT_EQ(madeBy("i -> x, y, z, stack=0"),
            "one-operation at `stack`: `stack` with 1 left and 3 right names, "
            "expected one right name; `unstack` cuts\n");
  EXPECT_EQ(madeBy("a, b -> c, unstack=0"),
            "one-operation at `unstack`: `unstack` with 2 left and 1 right "
            "names, expected one left name; `stack` joins\n");
  EXPECT_EQ(madeBy("a -> x, y, tie=first"),
            "one-operation at `tie`: `tie` with 1 left and 2 right names, "
            "expected one right name; `copy` makes several\n");
  EXPECT_EQ(madeBy("a, b -> x, copy, axis=0"),
            "one-operation at `a, b -> x, copy, axis=0`: `copy` with 2 left "
            "and 1 right names, expected one left name\n");
  EXPECT_EQ(madeBy("a -> x, y, copy, axis=0"),
            "unknown-attribute at `axis`: `axis` belongs to no operation: "
            "`copy` cuts without one\n");
  EXPECT_EQ(madeBy("a, b -> c, tie=verify, axis=0"),
            "unknown-attribute at `axis`: `axis` belongs to no operation: "
            "`tie` joins without one\n");
  EXPECT_EQ(madeBy("a, b -> c, stack=0, sizes=[1, 1]"),
            "unknown-attribute at `sizes`: `sizes` belongs to no operation: "
            "`stack` joins without one\n");
  EXPECT_EQ(madeBy("a, b -> c, tie=verify, stack=0"),
            "one-operation at `stack`: `stack` and `tie` in one statement: one "
            "operation joins or cuts\n");
  EXPECT_EQ(madeBy("a, b -> c, stack=0, stack=0"),
            "duplicate-attribute at `stack`: `stack` stands twice in one "
            "statement\n");
}

TEST(Operations, Reshape) {
  EXPECT_EQ(madeBy("a -> x, reshape=[24, -1]"),
            "%1 = reshape %0 : F32 [24, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, reshape='[48]'"),
            "%1 = reshape %0 : F32 [48] as x\n");
  EXPECT_EQ(madeBy("a -> x, reshape=[5, -1]"),
            "wrong-reshape at `[5, -1]`: `a` of shape [4, 6, 2] is reshaped to "
            "[5, -1]: 48 elements, which is no multiple of the 5 that the "
            "other axes have\n");
  EXPECT_EQ(madeBy("a -> x, reshape=[7, 7]"),
            "wrong-reshape at `[7, 7]`: `a` of shape [4, 6, 2] is reshaped to "
            "[7, 7]: 48 elements, expected 49\n");
}

TEST(Operations, Rearrange) {
  EXPECT_EQ(madeBy("a -> x, rearrange='(h p) d c -> (p h) c d', p=2"),
            "%1 = rearrange %0 shape=[2, 2, 6, 2] perm=[1, 0, 3, 2] : F32 [4, "
            "2, 6] as x\n");
  EXPECT_EQ(madeBy("a -> x, rearrange='(h p) ... -> (p h) ...', h=2, "
                   "rearrange='(h p) ... -> (p h) ...', h=4, permute=[]"),
            "%1 = rearrange %0 shape=[2, 2, 6, 2] perm=[1, 0, 2, 3] : F32 [4, "
            "6, 2] as x\n"
            "%2 = rearrange %1 shape=[4, 1, 6, 2] perm=[1, 0, 2, 3] : F32 [4, "
            "6, 2] as x\n"
            "%3 = transpose %2 perm=[2, 1, 0] : F32 [2, 6, 4] as x\n");
  EXPECT_EQ(madeBy("a -> x, rearrange='(h p) d c -> (p h) c d', p=2, p=2"),
            "duplicate-attribute at `p`: factor `p` gets a second size\n");
  EXPECT_EQ(madeBy("a -> x, rearrange='(h p) d c -> (p h) c d', q=2"),
            "unknown-attribute at `q`: unknown attribute `q`\n");
  EXPECT_EQ(madeBy("a -> x, p=2, rearrange='(h p) d c -> (p h) c d'"),
            "unknown-attribute at `p`: `p` belongs to no operation on its "
            "left; expected its `rearrange` before it\n");
  EXPECT_EQ(madeBy("a -> x, rearrange='(axis p) d c -> (p axis) c d', p=2"),
            "wrong-rearrange at `'(axis p) d c -> (p axis) c d'`: factor "
            "`axis` is named like an attribute, so its size could not be "
            "given; choose another name\n");
  EXPECT_EQ(
      madeBy("a -> x, rearrange='(h p) d c -> (p h) c d', p=3"),
      "wrong-rearrange at `'(h p) d c -> (p h) c d'`: axis 0 of `a` has extent "
      "4, which is no multiple of the 3 that the factors beside `h` have\n");
}

TEST(Operations, SliceAndPad) {
  EXPECT_EQ(madeBy("a -> x, slice='1:3, :, 0:1'"),
            "%1 = slice %0 begin=[1, 0, 0] : F32 [2, 6, 1] as x\n");
  EXPECT_EQ(madeBy("a -> x, slice='1:5'"),
            "wrong-slice at `'1:5'`: range 1:5 of axis 0 of `a`, which has "
            "extent 4; the second must not be above it\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 1], [2, 0], [0, 0]]"),
            "%1 = fill value=0 : F32 [] as x\n"
            "%2 = pad %0, %1 begin=[0, 2, 0] : F32 [5, 8, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 1], [2, 0], [0, 0]], value=0.5"),
            "%1 = fill value=0.5 : F32 [] as x\n"
            "%2 = pad %0, %1 begin=[0, 2, 0] : F32 [5, 8, 2] as x\n");
  EXPECT_EQ(madeBy("i -> x, pad=[[1, 0]], value=7"),
            "%1 = fill value=7 : I32 [] as x\n"
            "%2 = pad %0, %1 begin=[1] : I32 [4] as x\n");
  EXPECT_EQ(madeBy("i -> x, pad='[[1, 0]]', pad=[[0, 1]], value=1, value=2"),
            "%1 = fill value=2 : I32 [] as x\n"
            "%2 = pad %0, %1 begin=[1] : I32 [4] as x\n"
            "%3 = fill value=1 : I32 [] as x\n"
            "%4 = pad %2, %3 begin=[0] : I32 [5] as x\n");
  EXPECT_EQ(madeBy("i -> x, pad=[[0, 1]], value=0.5"),
            "wrong-number at `0.5`: 0.5 is no value of I32\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 1]]"),
            "wrong-pad at `[[0, 1]]`: 1 pair of padding, expected one an axis: "
            "`a` has shape [4, 6, 2]\n");
  EXPECT_EQ(madeBy("a -> x, pad=[1, 0]"),
            "attribute-value at `[1, 0]`: `pad` is [1, 0], expected one pair "
            "of whole numbers an axis such as [[0, 47], [0, 0]]\n");
}

TEST(Operations, PadWithTheLastRow) {
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 3], [0, 0], [0, 0]], value=last"),
            "%1 = slice %0 begin=[3, 0, 0] : F32 [1, 6, 2] as x\n"
            "%2 = repeat %1 axis=0 count=3 block=1 : F32 [3, 6, 2] as x\n"
            "%3 = merge %0, %2 axis=0 : F32 [7, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 0], [0, 0], [0, 0]], value=last"),
            "%1 = rename %0 : F32 [4, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[1, 3], [0, 0], [0, 0]], value=last"),
            "wrong-pad at `last`: `last` with 1 before and 3 behind on axis 0: "
            "the last row is repeated at the end of axis 0 only\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 0], [0, 1], [0, 0]], value=last"),
            "wrong-pad at `last`: `last` with 0 before and 1 behind on axis 1: "
            "the last row is repeated at the end of axis 0 only\n");
  EXPECT_EQ(madeBy("a -> x, pad=[[0, 0], [0, 1], [0, 0]], value=first"),
            "attribute-value at `first`: `value` is first, expected a number "
            "or `last`\n");
}

TEST(Operations, RepeatAndDedup) {
  EXPECT_EQ(madeBy("a -> x, repeat=2, axis=1, block=3"),
            "%1 = repeat %0 axis=1 count=2 block=3 : F32 [4, 12, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, block=3, repeat=2, axis=1"),
            "unknown-attribute at `block`: `block` belongs to no operation on "
            "its left; expected `repeat` or `dedup` before it\n");
  EXPECT_EQ(madeBy("a -> x, repeat=2, axis=-2, block=4"),
            "uneven-repeat at `4`: axis 1 of `a` has extent 6, which is not "
            "divisible in blocks of 4\n");
  EXPECT_EQ(madeBy("a -> x, repeat=2, axis=1"),
            "missing-attribute at `repeat`: `repeat` stands without `block`; "
            "both must follow it\n");
  EXPECT_EQ(madeBy("a -> x, repeat=2, block=1"),
            "missing-attribute at `repeat`: `repeat` stands without `axis`; "
            "both must follow it\n");
  EXPECT_EQ(madeBy("a -> x, repeat=0, axis=1, block=2"),
            "attribute-value at `0`: `repeat` is 0, expected at least 1\n");
  EXPECT_EQ(madeBy("a -> x, repeat=2, axis=3, block=2"),
            "axis-out-of-range at `3`: axis 3 of `a`, which has shape [4, 6, "
            "2], expected -3 to 2\n");
  EXPECT_EQ(madeBy("a -> x, dedup=2, axis=0, block=1"),
            "%1 = dedup %0 axis=0 count=2 block=1 : F32 [2, 6, 2] as x\n"
            "%2 = repeat %1 axis=0 count=2 block=1 : F32 [4, 6, 2] as x\n"
            "compare %0, %2\n");
  EXPECT_EQ(madeBy("a -> x, dedup=1, axis=0, block=4"),
            "%1 = dedup %0 axis=0 count=1 block=4 : F32 [4, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, dedup=3, axis=0, block=1"),
            "uneven-repeat at `1`: axis 0 of `a` has extent 4, which is not "
            "divisible in 3 blocks of 1\n");
}

TEST(Operations, AttributesBelongToTheNearestOnTheirLeft) {
  EXPECT_EQ(madeBy("a, b -> x, repeat=2, axis=1, block=3, axis=0"),
            "%2 = merge %0, %1 axis=0 : F32 [8, 6, 2] as x\n"
            "%3 = repeat %2 axis=1 count=2 block=3 : F32 [8, 12, 2] as x\n");
  EXPECT_EQ(madeBy("a, b -> x, axis=0, repeat=2, axis=1, block=3"),
            "%2 = merge %0, %1 axis=0 : F32 [8, 6, 2] as x\n"
            "%3 = repeat %2 axis=1 count=2 block=3 : F32 [8, 12, 2] as x\n");
  EXPECT_EQ(madeBy("a, b -> x, repeat=2, repeat=3, axis=1, block=1, block=2, "
                   "axis=2, axis=0"),
            "%2 = merge %0, %1 axis=0 : F32 [8, 6, 2] as x\n"
            "%3 = repeat %2 axis=2 count=2 block=2 : F32 [8, 6, 4] as x\n"
            "%4 = repeat %3 axis=1 count=3 block=1 : F32 [8, 18, 4] as x\n");
  EXPECT_EQ(madeBy("a -> x, y, repeat=2, axis=2, axis=0, block=1"),
            "%1 = repeat %0 axis=2 count=2 block=1 : F32 [4, 6, 4] as a\n"
            "%2, %3 = split %1 axis=0 : F32 [2, 6, 4] as x, y\n");
  EXPECT_EQ(madeBy("a -> x, axis=0, axis=0"),
            "duplicate-attribute at `axis`: `axis` stands twice, and no "
            "operation but the merge takes one\n");
  EXPECT_EQ(madeBy("a -> x, value=0"),
            "unknown-attribute at `value`: `value` belongs to no operation on "
            "its left; expected `pad` before it\n");
  EXPECT_EQ(madeBy("a -> x, shape=[1]"),
            "unknown-attribute at `shape`: `shape` belongs to no operation on "
            "its left; expected the `_` of a fill before it\n");
}

TEST(Operations, ScaleAndPlus) {
  EXPECT_EQ(madeBy("a -> x, scale=0.25, plus=1"),
            "%1 = scale %0 number=0.25 : F32 [4, 6, 2] as x\n"
            "%2 = plus %1 number=1 : F32 [4, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, scale=0"),
            "wrong-number at `0`: a factor of 0, which has no way back\n");
  EXPECT_EQ(madeBy("i -> x, scale=2.0"),
            "wrong-number at `2.0`: `i` is I32, only floats are scaled\n");
  EXPECT_EQ(madeBy("i -> x, plus=1"),
            "wrong-number at `1`: `i` is I32, only floats are added to\n");
  EXPECT_EQ(madeBy("a -> x, scale=last"),
            "attribute-value at `last`: `scale` is last, expected a number\n");
}

TEST(Operations, States) {
  EXPECT_EQ(madeBy("a -> x, states=copy"),
            "%1 = rename %0 : F32 [4, 6, 2] as x\n");
  EXPECT_EQ(madeBy("a -> x, states=maybe"),
            "attribute-value at `maybe`: `states` is maybe, expected `copy` or "
            "`fresh`\n");
}

TEST(Operations, Fill) {
  EXPECT_EQ(madeBy("_ -> n, shape=[2, 3], dtype=bfloat16, value=0.5\nn -> m, "
                   "permute=[]"),
            "%0 = fill value=0.5 : BF16 [2, 3] as n\n"
            "%1 = transpose %0 perm=[1, 0] : BF16 [3, 2] as m\n");
  EXPECT_EQ(madeBy("_ -> n, value=-1, dtype=I8, shape=[]"),
            "%0 = fill value=-1 : I8 [] as n\n");
  EXPECT_EQ(madeBy("_ -> n, value=300, dtype=U8, shape=[2]"),
            "wrong-number at `300`: 300 is no value of U8\n");
  EXPECT_EQ(madeBy("_ -> n, dtype=U8, shape=[2, -1]"),
            "add-without-type at `[2, -1]`: a tensor of U8 [2, -1] has no size "
            "that fits in 63 bits and whole bytes\n");
  EXPECT_EQ(
      madeBy("_ -> n, dtype=U8"),
      "add-without-type at `dtype`: `n` is filled, but no `shape` is given\n");
  EXPECT_EQ(
      madeBy("_ -> n, value=1"),
      "add-without-type at `value`: `n` is filled, but no `shape` is given\n");
  EXPECT_EQ(
      madeBy("_ -> n, dtype=U8, shape=[2], axis=0"),
      "unknown-attribute at `axis`: a declaration takes no attribute `axis`\n");
  EXPECT_EQ(madeBy("_ -> n, shap=[2]"),
            "unknown-attribute at `shap`: a declaration takes no attribute "
            "`shap`; did you mean `shape`?\n");
}

TEST(Operations, Fixes) {
  EXPECT_EQ(madeBy("a -> x, rearange='a b c -> c b a'"),
            "unknown-attribute at `rearange`: unknown attribute `rearange`; "
            "did you mean `rearrange`?\n"
            "  fix at `rearange`: `rearrange`\n");
  EXPECT_EQ(madeBy("bb -> x"), "unknown-name at `bb`: `bb` is neither bound "
                               "before nor a tensor of the source\n");
  EXPECT_EQ(madeBy("vv -> x"), "unknown-name at `vv`: `vv` is neither bound "
                               "before nor a tensor of the source\n");
  EXPECT_EQ(madeBy("v -> x, y"), "missing-axis at `->`: `v` is cut in 2 parts, "
                                 "but no `axis` says along which\n"
                                 "  fix behind `y`: `, axis=0`\n");
  EXPECT_EQ(madeBy("a -> x, y, z"), "missing-axis at `->`: `a` is cut in 3 "
                                    "parts, but no `axis` says along which\n"
                                    "  fix behind `z`: `, axis=1`\n");
  EXPECT_EQ(madeBy("a -> x, y"), "missing-axis at `->`: `a` is cut in 2 parts, "
                                 "but no `axis` says along which\n");
  EXPECT_EQ(
      madeBy("a, b -> x"),
      "implicit-axis at `->`: a merge without `axis` takes 0; write `axis=0`\n"
      "  fix behind `x`: `, axis=0`\n"
      "%2 = merge %0, %1 axis=0 : F32 [8, 6, 2] as x\n");
}

} // namespace
