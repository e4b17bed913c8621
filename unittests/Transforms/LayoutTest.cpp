//===- LayoutTest.cpp - Results placed by layouts ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Targets that are layouts: every element where the rule says, and what is
// reported when it cannot be.
//===----------------------------------------------------------------------===//

#include "ElementCheck.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Transforms/Pass.h"

#include <gtest/gtest.h>

using namespace aoa;
using namespace aoa::test;

namespace {

Tensor tensor(std::string name, Shape shape, DType dtype = DType::F32,
              std::vector<Shard> shards = {}) {
  return {std::move(name), dtype, std::move(shape), std::move(shards)};
}

Catalog catalog(std::vector<Tensor> tensors) {
  Catalog source;
  source.tensors = std::move(tensors);
  EXPECT_EQ(sortByName(source.tensors), std::nullopt);
  return source;
}

/// A source, a program that renames all of it, and what composing says.
struct Composed {
  explicit Composed(Catalog from) : source(std::move(from)), builder(source) {
    for (size_t i = 0; i < source.tensors.size(); ++i)
      builder.source(i);
  }

  void run(std::string_view json) {
    layout = parseLayout(json, FileId(3), sink);
    ASSERT_TRUE(layout) << sink.list.front().message;
    Target target;
    target.layout = &*layout;
    run(target);
  }

  void run(const Target &target) {
    ir::Program &program = builder.finish();
    PassContext context{target, script, sink};
    placeResults(program, context);
    lowerToPieces(program, context);
    checkCoverage(program, context);
    if (sink.numErrors() == 0)
      composeLayouts(program, context);
    if (sink.numErrors() != 0)
      return;
    checkTransfers(program, context);
    foldPieces(program, context);
    if (sink.numErrors() == 0)
      expectRightElements(builder);
  }

  std::string messages() const {
    std::string text;
    for (const Diagnostic &diagnostic : sink.list) {
      text +=
          std::string(diagnostic.kind->name) + ": " + diagnostic.message + "\n";
      for (const Note &note : diagnostic.notes)
        text += "  note: " + note.message + "\n";
    }
    return text;
  }
  const ir::Result &result(std::string_view name) const {
    return *llvm::find_if(builder.program.results, [&](const ir::Result &each) {
      return each.name == name;
    });
  }

  size_t numPieces(std::string_view name, size_t shard = 0) const {
    return builder.program.piecesOf(result(name), shard).size();
  }

  Catalog source;
  ProgramBuilder builder;
  ast::Script script;
  DiagnosticList sink;
  std::optional<Layout> layout;
};

constexpr std::string_view tp2 = R"({"schema": "aoa.layout/1",
  "mesh": {"dp": 2, "tp": 2},
  "rules": [
    {"match": "fused", "shard": {"0": "tp"}, "segments": {"0": [4, 2, 2]}},
    {"match": "padded", "shard": {"0": "tp"}, "pad": {"0": {"multiple": 4}},
     "pad_value": 1},
    {"match": "uneven", "shard": {"1": ["tp", "dp"]}, "chunk": "ceil"},
    {"match": "sized", "shard": {"-1": "tp"}, "sizes": {"-1": [0, 5]}},
    {"match": "*", "replicate": true}]})";

TEST(Layouts, EveryElementIsWhereTheRuleSays) {
  Composed composed(catalog({tensor("fused", {8, 3}), tensor("padded", {5, 2}),
                             tensor("uneven", {3, 5}), tensor("sized", {2, 5}),
                             tensor("other", {}), tensor("empty", {0, 4})}));
  composed.run(tp2);
  EXPECT_EQ(composed.messages(), "");
  EXPECT_EQ(composed.result("fused").shards.size(), 2u);
  EXPECT_EQ(composed.result("fused").shards[0].blocks.size(), 3u);
  EXPECT_EQ(composed.result("padded").padValue, 1);
  EXPECT_EQ(composed.result("padded").shards[1].localShape, Shape({4, 2}));
  ASSERT_EQ(composed.result("other").shards.size(), 1u);
  EXPECT_EQ(composed.result("other").shards[0].ranks,
            std::vector<uint32_t>({0, 1, 2, 3}));
  // Segments of one source fold to what the strides allow.
  EXPECT_EQ(composed.numPieces("fused"), 2u);
}

TEST(Layouts, ATensorThatCannotBePlacedIsAnErrorAtTheRule) {
  Composed composed(catalog({tensor("a", {5})}));
  composed.run(R"({"schema": "aoa.layout/1", "mesh": {"tp": 2},
                   "rules": [{"match": "*", "shard": {"0": "tp"}}]})");
  ASSERT_EQ(composed.sink.list.size(), 1u);
  const Diagnostic &diagnostic = composed.sink.list[0];
  EXPECT_EQ(diagnostic.kind->name, "refused-placement");
  EXPECT_EQ(diagnostic.range, composed.layout->rules[0].range);
  EXPECT_EQ(diagnostic.jsonPath, "rules[0]");
  EXPECT_TRUE(llvm::StringRef(diagnostic.message)
                  .starts_with("`a` [5] cannot be "
                               "placed: "))
      << diagnostic.message;
}

TEST(Layouts, ATensorWithoutARuleIsAnError) {
  Composed composed(catalog({tensor("a", {4}), tensor("b", {4})}));
  composed.run(R"({"schema": "aoa.layout/1",
                   "rules": [{"match": "a", "replicate": true}]})");
  EXPECT_EQ(composed.messages(),
            "unplaced-tensor: no rule of the layout matches `b`\n");
}

TEST(Layouts, RulesThatNoTensorReachesAreNamed) {
  Composed composed(catalog({tensor("a.weight", {4}), tensor("b", {4})}));
  composed.run(R"({"schema": "aoa.layout/1",
                   "rules": [{"match": "a.*", "replicate": true},
                             {"match": "*.weight", "replicate": true},
                             {"match": "c", "replicate": true},
                             {"match": "*", "replicate": true}]})");
  EXPECT_EQ(composed.messages(),
            "unused-rule: no tensor reaches the rule for `*.weight`: "
            "`a.weight` is taken by the earlier rule for `a.*`\n"
            "  note: this rule comes first\n"
            "unused-rule: no tensor reaches the rule for `c`: it matches "
            "nothing\n");
  EXPECT_EQ(composed.sink.numErrors(), 0u);
}

TEST(Layouts, DTypeAndShapeMustBeWhatTheRuleSays) {
  Composed composed(catalog({tensor("a", {4}), tensor("b", {4})}));
  composed.builder.rename(ir::ValueId(0));
  composed.run(R"({"schema": "aoa.layout/1",
      "rules": [{"match": "b", "dtype": "BF16", "replicate": true},
                {"match": "*", "shape": [5], "replicate": true}]})");
  EXPECT_EQ(composed.messages(),
            "dtype-mismatch: `b` is F32, the target says BF16\n"
            "shape-mismatch: `v2` is [4], the target says [5]\n"
            "  note: the layout says so here\n");
}

TEST(Layouts, PaddingMustBeAValueOfTheDType) {
  Composed composed(
      catalog({tensor("a", {3}, DType::I32), tensor("b", {4}, DType::I32)}));
  composed.run(R"({"schema": "aoa.layout/1", "mesh": {"tp": 2},
      "rules": [{"match": "*", "shard": {"0": "tp"},
                 "pad": {"0": {"multiple": 4}}, "pad_value": 0.5}]})");
  EXPECT_EQ(composed.messages(), "inexact-padding: padding of `a` with 0.5, "
                                 "which is no value of I32\n");
}

Shard shardAt(Shape fullOffset, Shape shape, uint32_t rank) {
  Shard shard;
  shard.ranks = {rank};
  shard.localShape = shape;
  shard.blocks = {{std::move(fullOffset), Shape(shape.size(), 0), shape}};
  return shard;
}

TEST(Sources, AHoleIsAnErrorOnlyWhereItIsNeeded) {
  Catalog source = catalog(
      {tensor("w", {4, 4}, DType::F32,
              {shardAt({0, 0}, {4, 2}, 0), shardAt({2, 2}, {2, 2}, 1)})});
  Composed whole(source);
  whole.run(Target());
  EXPECT_EQ(whole.messages(), "source-hole: no shard of the source holds "
                              "element [0, 2] of `w`, which `w` is made of\n");

  Composed half(source);
  auto parts = half.builder.split(ir::ValueId(0), 0, 2);
  ir::Program &program = half.builder.program;
  program.results.push_back(
      {.name = program.value(parts[1]).name, .value = parts[1]});
  Target full;
  PassContext context{full, half.script, half.sink};
  placeResults(program, context);
  lowerToPieces(program, context);
  composeLayouts(program, context);
  checkTransfers(program, context);
  EXPECT_EQ(half.messages(), "");
  expectRightElements(half.builder);
}

TEST(Sources, ReplicasAreReadOnce) {
  Composed composed(catalog({tensor(
      "w", {4}, DType::F32,
      {shardAt({0}, {4}, 0), shardAt({0}, {4}, 1), shardAt({1}, {3}, 2)})}));
  composed.run(Target());
  EXPECT_EQ(composed.messages(), "");
  ASSERT_EQ(composed.numPieces("w"), 1u);
  const ir::LayoutClass &layoutClass = composed.builder.program.classes[0];
  uint32_t origin = layoutClass.shards[0].entries()[0].tag;
  EXPECT_EQ(layoutClass.origins[origin].sourceShard, 0u);
}

TEST(SubByte, WholeTensorsMoveAndPartsDoNot) {
  auto source = [] { return catalog({tensor("f4", {4, 4}, DType::F4)}); };
  Composed whole(source());
  whole.run(Target());
  EXPECT_EQ(whole.messages(), "");
  EXPECT_EQ(whole.numPieces("f4"), 1u);

  Composed cut(source());
  cut.run(R"({"schema": "aoa.layout/1", "mesh": {"tp": 2},
              "rules": [{"match": "*", "shard": {"0": "tp"}}]})");
  EXPECT_EQ(cut.messages(),
            "sub-byte-cut: `f4` of F4 [4, 4] would be cut to [2, 4] for rank "
            "0, but elements smaller than a byte are moved as whole tensors "
            "only\n");

  Composed transposed(source());
  transposed.builder.transpose(ir::ValueId(0), {1, 0});
  transposed.run(Target());
  EXPECT_TRUE(llvm::StringRef(transposed.messages())
                  .contains("is split, merged or transposed"));

  Composed parts(catalog(
      {tensor("f4", {4, 4}, DType::F4,
              {shardAt({0, 0}, {2, 4}, 0), shardAt({2, 0}, {2, 4}, 1)})}));
  parts.run(Target());
  EXPECT_TRUE(llvm::StringRef(parts.messages())
                  .contains("is held in parts by the shards of `f4`"));
}

TEST(Coverage, FaultsAreReportedWithAWitnessAndBothStatements) {
  Composed composed(catalog({tensor("a", {2, 2}), tensor("b", {2, 2})}));
  composed.builder.merge({ir::ValueId(0), ir::ValueId(1)}, 0);
  ir::Program &program = composed.builder.finish();
  Target full;
  PassContext context{full, composed.script, composed.sink};
  lowerToPieces(program, context);
  affine::PieceSet pieces = program.results[0].pieces;
  ASSERT_EQ(pieces.size(), 2u);
  auto check = [&](affine::PieceSet damaged) {
    composed.sink = {};
    program.results[0].pieces = std::move(damaged);
    checkCoverage(program, context);
    return composed.messages();
  };
  EXPECT_EQ(check(pieces), "");
  affine::PieceSet damaged = pieces;
  damaged.truncate(1);
  EXPECT_EQ(check(damaged),
            "missing-piece: element [2, 0] of `v2` comes from no source "
            "tensor\n");
  damaged = pieces;
  damaged.entries()[1].dstOffset = 2;
  EXPECT_EQ(check(damaged),
            "overlapping-pieces: pieces overlap in `v2`: element [1, 0] is "
            "written twice, from `a` and from `b`\n"
            "  note: first by this statement\n");
  damaged.entries()[1].dstOffset = 6;
  EXPECT_EQ(check(damaged),
            "piece-out-of-bounds: a piece of `v2` writes element 9, outside "
            "of its shape [4, 2]\n");
  damaged = pieces;
  damaged.entries()[1].srcOffset = 2;
  EXPECT_EQ(check(damaged),
            "piece-out-of-bounds: a piece of `v2` reads element 5 of `b`, "
            "which has shape [2, 2]\n");
}

TEST(Transfers, FaultsOfAListedTargetAreReported) {
  Catalog list = catalog({tensor("a", {4})});
  auto compose = [&](std::vector<Shard> shards) {
    Composed composed(catalog({tensor("a", {4})}));
    list.tensors[0].shards = std::move(shards);
    Target target;
    target.list = &list;
    composed.run(target);
    return composed.messages();
  };
  Shard shard = shardAt({0}, {4}, 5);
  EXPECT_EQ(compose({shard}), "");
  shard.blocks = {{{0}, {0}, {3}}, {{2}, {2}, {2}}};
  EXPECT_EQ(compose({shard}), "overlapping-pieces: two blocks of the shard of "
                              "`a` on rank 5 hold its local element [2]\n");
  shard.blocks = {{{1}, {1}, {4}}};
  EXPECT_EQ(compose({shard}),
            "piece-out-of-bounds: the shard of `a` on rank 5 [4] has a block "
            "that reaches its element 4, outside of it\n");
}

TEST(Transfers, DamagedPiecesAreReported) {
  Composed composed(catalog({tensor("a", {4, 2})}));
  composed.run(Target());
  ir::Program &program = composed.builder.program;
  Target full;
  PassContext context{full, composed.script, composed.sink};
  auto check = [&](const affine::Piece &piece) {
    composed.sink = {};
    program.classes[0].shards[0] = affine::PieceSet(piece);
    checkTransfers(program, context);
    return composed.messages();
  };
  EXPECT_EQ(check({{4, 2}, {0, {2, 1}}, {0, {2, 1}}}), "");
  EXPECT_EQ(check({{3, 2}, {0, {2, 1}}, {0, {2, 1}}}),
            "missing-piece: local element [3, 0] of the shard of `a` on rank 0 "
            "is not written\n");
  EXPECT_EQ(check({{4, 2}, {1, {2, 1}}, {0, {2, 1}}}),
            "piece-out-of-bounds: a piece of the shard of `a` on rank 0 reads "
            "element 8 of shard 0 of `a`, behind its end\n");
}

TEST(Writable, WhatTheCallerFillsIsNamed) {
  Composed composed(catalog({tensor("a", {4})}));
  composed.builder.fill(DType::F32, {2});
  composed.run(Target());
  EXPECT_EQ(composed.messages(), "");
  checkWritable(composed.builder.program, composed.script, composed.sink);
  EXPECT_EQ(composed.messages(),
            "left-to-caller: `v1` is left to the caller: a conversion to files "
            "cannot write it\n");
}

TEST(Lowering, WhatASplitCutAndAMergePutTogetherIsOnePiece) {
  Composed composed(catalog({tensor("q", {64, 2}), tensor("k", {64, 2})}));
  ProgramBuilder &builder = composed.builder;
  auto k = builder.split(ir::ValueId(0), 0, 8);
  auto q = builder.split(ir::ValueId(1), 0, 32);
  llvm::SmallVector<ir::ValueId> parts;
  for (unsigned group = 0; group < 8; ++group) {
    parts.append(q.begin() + group * 4, q.begin() + group * 4 + 4);
    parts.push_back(k[group]);
  }
  builder.merge(parts, 0);
  composed.run(Target());
  EXPECT_EQ(composed.messages(), "");
  const ir::Result &fused = composed.builder.program.results[0];
  EXPECT_EQ(fused.pieces.size(), 2u); // Folded.
  EXPECT_EQ(composed.numPieces(fused.name), 2u);
}

TEST(Lowering, WhatNoResultNeedsIsNotLowered) {
  Composed composed(catalog({tensor("a", {4}), tensor("b", {4})}));
  ir::Program &program = composed.builder.program;
  program.results.push_back({.name = "a", .value = ir::ValueId(0)});
  Target full;
  PassContext context{full, composed.script, composed.sink};
  lowerToPieces(program, context);
  EXPECT_EQ(program.results[0].pieces.size(), 1u);
}

} // namespace
