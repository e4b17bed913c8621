//===- BuildPlanTest.cpp - Files, places, replicas --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Planner/BuildPlan.h"

#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Formats/Safetensors/Header.h"
#include "aoa/Plan/PlanFile.h"
#include "aoa/Plan/RegionTransfers.h"

#include <gtest/gtest.h>

using namespace aoa;
using affine::Extents;

namespace {

/// Programs that move source tensors as they are, between shards that are
/// boxes: composed by hand.
struct Fixture {
  Catalog source;
  ir::Program program;
  Catalog list;
  std::optional<Layout> layout;
  Target target;
  BuildPlanOptions options;

  StorageId addStorage(std::string file, int64_t bytes = 4096) {
    source.storages.push_back({std::move(file), bytes, 7});
    return StorageId(source.storages.size() - 1);
  }

  static Shard shard(std::vector<uint32_t> ranks, Shape at, Shape shape) {
    Shard made;
    made.ranks = std::move(ranks);
    made.localShape = shape;
    bool isEmpty = std::ranges::count(shape, 0) != 0;
    if (!isEmpty)
      made.blocks = {{std::move(at), Shape(shape.size(), 0), shape}};
    return made;
  }

  void addTensor(std::string name, DType dtype, Shape shape,
                 std::vector<Shard> shards = {},
                 std::vector<ShardPlace> places = {}) {
    source.tensors.push_back({std::move(name), dtype, std::move(shape),
                              std::move(shards), std::move(places)});
  }

  void useLayout(std::string_view json) {
    DiagnosticList sink;
    layout = parseLayout(json, FileId(0), sink);
    ASSERT_TRUE(layout) << sink.list.front().message;
    target.layout = &*layout;
  }

  /// Makes a result of each tensor, held by `shardsOf(tensor)`; every piece
  /// comes from the source shard with the same box, the first one.
  template <typename ShardsOf> void compose(ShardsOf shardsOf) {
    program.source = &source;
    for (const Tensor &tensor : source.tensors) {
      ir::ValueId value(program.values.size());
      program.values.push_back(
          {.name = tensor.name,
           .dtype = tensor.dtype,
           .shape = Extents(tensor.shape.begin(), tensor.shape.end()),
           .definition = ir::OpId(program.ops.size())});
      program.ops.push_back(
          {.kind = ir::OpKind::Source, .operands = {}, .results = {value}});
      ir::Result result{.name = tensor.name, .value = value};
      result.shards = ShardList(shardsOf(tensor));
      result.slots = {value};
      result.layoutClass = ir::LayoutClassId(program.classes.size());
      ir::LayoutClass made;
      for (const Shard &held : result.shards)
        made.shards.push_back(composeShard(tensor, held));
      for (uint32_t i = 0; i < std::max<size_t>(tensor.shards.size(), 1); ++i)
        made.origins.push_back({0, i, ir::ElementOpsId()});
      made.numResults = 1;
      program.classes.push_back(std::move(made));
      program.results.push_back(std::move(result));
    }
  }
  void composeWhole() {
    compose([](const Tensor &tensor) {
      return std::vector<Shard>{wholeShard(tensor.shape)};
    });
  }

  /// Tags: the shards of the tensor.
  static affine::PieceSet composeShard(const Tensor &tensor,
                                       const Shard &held) {
    affine::PieceSet made;
    std::vector<Shard> from = tensor.shards.all();
    if (from.empty())
      from.push_back(wholeShard(tensor.shape));
    std::vector<std::pair<Extents, Extents>> read;
    for (uint32_t i = 0; i < from.size(); ++i)
      for (const Block &to : held.blocks)
        for (const Block &block : from[i].blocks) {
          Extents begin, shape;
          for (size_t axis = 0; axis < to.shape.size(); ++axis) {
            begin.push_back(
                std::max(to.fullOffset[axis], block.fullOffset[axis]));
            shape.push_back(
                std::min(to.fullOffset[axis] + to.shape[axis],
                         block.fullOffset[axis] + block.shape[axis]) -
                begin.back());
          }
          if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }) ||
              llvm::is_contained(read, std::pair(begin, shape)))
            continue;
          read.emplace_back(begin, shape);
          affine::Piece piece{shape,
                              {0, affine::rowMajorStrides(from[i].localShape)},
                              {0, affine::rowMajorStrides(held.localShape)}};
          for (size_t axis = 0; axis < shape.size(); ++axis) {
            piece.src.offset += (begin[axis] - block.fullOffset[axis] +
                                 block.localOffset[axis]) *
                                piece.src.strides[axis];
            piece.dst.offset +=
                (begin[axis] - to.fullOffset[axis] + to.localOffset[axis]) *
                piece.dst.strides[axis];
          }
          made.add(affine::foldDims(piece), i);
        }
    return made;
  }

  TransferPlan build() {
    auto plan = buildPlan(program, target, options);
    EXPECT_TRUE(plan) << plan.error().str();
    return plan ? std::move(*plan) : TransferPlan();
  }
  std::string fault() {
    auto plan = buildPlan(program, target, options);
    return plan ? "" : plan.error().str();
  }
};

std::vector<std::string> fileNames(const TransferPlan &plan) {
  std::vector<std::string> names;
  for (const TargetFile &file : plan.targets)
    names.push_back(file.file);
  return names;
}

using Names = std::vector<std::string>;

TEST(BuildPlan, ValuesOfFillsAreInThePlan) {
  Fixture f;
  f.addStorage("a.safetensors");
  f.addTensor("a", DType::F32, {2}, {Fixture::shard({0}, {0}, {2})},
              {{StorageId(0), 8}});
  f.composeWhole();
  const auto addFill = [&](std::string name, DType dtype,
                           std::variant<int64_t, double> value) {
    const ir::ValueId id(f.program.values.size());
    f.program.values.push_back({.name = name,
                                .dtype = dtype,
                                .shape = {3, 2},
                                .definition = ir::OpId(f.program.ops.size())});
    f.program.ops.push_back(
        {.kind = ir::OpKind::Fill, .operands = {}, .results = {id}});
    f.program.ops.back().value = value;
    ir::Result result{.name = name, .value = id};
    result.shards = ShardList({wholeShard({3, 2})});
    result.slots = {id};
    result.layoutClass = ir::LayoutClassId(f.program.classes.size());
    ir::LayoutClass made;
    affine::PieceSet pieces;
    pieces.add({{6}, {0, {0}}, {0, {1}}}, 0);
    made.shards = {pieces};
    made.origins = {{0, 0, ir::ElementOpsId()}};
    made.numResults = 1;
    f.program.classes.push_back(std::move(made));
    f.program.results.push_back(std::move(result));
  };
  addFill("b", DType::F32, 1.5);
  addFill("c", DType::F32, int64_t(-2));
  addFill("d", DType::F32, 1.5);
  addFill("e", DType::U64, int64_t(0x7ffffffffffffffd));
  const TransferPlan plan = f.build();
  ASSERT_EQ(plan.sources.size(), 2u);
  EXPECT_EQ(plan.sources[1].inlined,
            std::string("\0\0\xc0\x3f\0\0\0\xc0\xfd\xff\xff\xff\xff\xff\xff"
                        "\x7f",
                        16));
  EXPECT_EQ(plan.sources[1].bytes, 16);
  std::map<std::string, int64_t> placed;
  for (const TargetRegion &region : plan.targets[0].regions)
    if (region.slots[0].source == 1)
      placed[region.tensor] = region.slots[0].atBytes;
  EXPECT_EQ(placed, (std::map<std::string, int64_t>{
                        {"b", 0}, {"c", 4}, {"d", 0}, {"e", 8}}));
  EXPECT_EQ(plan.transferBytesRead(), 8);

  addFill("f", DType::BF16, 1e-60);
  EXPECT_EQ(f.fault(), "reading `f`: the value of `f` is no value of BF16");
}

TEST(BuildPlan, ComparedResultsAreNotWritten) {
  Fixture f;
  f.addStorage("a.safetensors");
  f.addStorage("b.safetensors");
  for (const char *name : {"embed", "head"})
    f.addTensor(name, DType::F32, {2}, {Fixture::shard({0}, {0}, {2})},
                {{StorageId(*name == 'h'), 8}});
  f.composeWhole();
  // embed, head -> embed, tie=verify
  ir::Result compared = f.program.results[0];
  compared.isCompared = true;
  f.program.results[1].isCompared = true;
  f.program.results.insert(f.program.results.begin() + 1, compared);
  f.program.ops.push_back({.kind = ir::OpKind::Compare,
                           .operands = {ir::ValueId(0), ir::ValueId(1)},
                           .results = {}});
  f.options.placeOf = [](SourceRange) { return "s.aoa:1"; };
  const TransferPlan plan = f.build();
  ASSERT_EQ(plan.targets.size(), 1u);
  EXPECT_EQ(plan.targets[0].regions.size(), 1u);
  ASSERT_EQ(plan.comparisons.size(), 1u);
  const Comparison &comparison = plan.comparisons[0];
  EXPECT_EQ(comparison.reason, "head tied to embed at s.aoa:1");
  EXPECT_EQ(comparison.left.tensor, "embed");
  EXPECT_EQ(comparison.right.tensor, "head");
  // The file that is only compared is a source, too.
  ASSERT_EQ(plan.sources.size(), 2u);
  EXPECT_EQ(plan.sources[comparison.right.slots[0].source].file,
            "b.safetensors");
}

TEST(BuildPlan, FullIsADirectoryThatReadsOnlyTheFilesItNeeds) {
  Fixture f;
  StorageId unused = f.addStorage("unused.safetensors");
  StorageId first = f.addStorage("first.safetensors");
  (void)unused;
  f.addTensor("w", DType::BF16, {4, 2},
              {Fixture::shard({0}, {0, 0}, {2, 2}),
               Fixture::shard({1}, {2, 0}, {2, 2})},
              {{first, 100}, {first, 200}});
  f.composeWhole();
  TransferPlan plan = f.build();
  ASSERT_EQ(fileNames(plan), Names({"model.safetensors"}));
  ASSERT_EQ(plan.sources.size(), 1u);
  EXPECT_EQ(plan.sources[0], (PlanSource{"first.safetensors", 4096, 7}));
  const TargetRegion &region = plan.targets[0].regions[0];
  EXPECT_EQ(region.sizeBytes, 16);
  EXPECT_EQ(region.atBytes,
            static_cast<int64_t>(plan.targets[0].prefix.size()));
  EXPECT_EQ(region.padding, "");
  EXPECT_EQ(region.slots, (std::vector<SlotRun>{{2, 0, 0, 100, 100}}));
  ASSERT_EQ(plan.classes.size(), 1u);
  EXPECT_EQ(plan.classes[region.regionClass],
            (RegionClass{{{0, {{4, 1, 1}}}}, {{0, 0, 0, 0}, {0, 1, 0, 4}}, 2}));
  EXPECT_EQ(plan.elementOps, (std::vector<ElementOps>{{DType::BF16, {}}}));
}

TEST(BuildPlan, LargeResultsBecomeSeveralFilesAndAnIndex) {
  Fixture f;
  f.addTensor("a", DType::F32, {16});
  f.addTensor("b", DType::F32, {16});
  f.composeWhole();
  f.options.maxShardBytes = 64;
  TransferPlan plan = f.build();
  EXPECT_EQ(fileNames(plan), Names({"model-00001-of-00002.safetensors",
                                    "model-00002-of-00002.safetensors"}));
  EXPECT_EQ(plan.targets[1].regions[0].tensor, "b");
  ASSERT_EQ(plan.indexes.size(), 1u);
  EXPECT_EQ(plan.indexes[0].file, "model.safetensors.index.json");
}

TEST(BuildPlan, ANamelessSourceHoldsTheShardsOfARankInARow) {
  Fixture f;
  f.addTensor("a", DType::F32, {4},
              {Fixture::shard({1}, {0}, {2}), Fixture::shard({0}, {2}, {2})});
  f.addTensor("b", DType::I8, {3});
  f.composeWhole();
  TransferPlan plan = f.build();
  ASSERT_EQ(plan.sources.size(), 2u);
  EXPECT_EQ(plan.sources[0].file, "");
  EXPECT_EQ(plan.sources[0].bytes, 8);  // Rank 1, met first.
  EXPECT_EQ(plan.sources[1].bytes, 11); // Rank 0 holds b too.
  int64_t bytesRead = plan.transferBytesRead();
  EXPECT_EQ(bytesRead, 19);
}

constexpr std::string_view tp2 = R"({"schema": "aoa.layout/1",
    "mesh": {"tp": 2}, "rules": [{"match": "*", "replicate": true}]})";

TEST(BuildPlan, ALayoutGivesEachRankItsFile) {
  Fixture f;
  f.useLayout(tp2);
  f.addTensor("cut", DType::F32, {4});
  f.addTensor("empty", DType::F32, {0, 4});
  f.addTensor("half", DType::F32, {2});
  f.compose([](const Tensor &tensor) -> std::vector<Shard> {
    if (tensor.name == "cut")
      return {Fixture::shard({0}, {0}, {2}), Fixture::shard({1}, {2}, {2})};
    if (tensor.name == "empty")
      return {Fixture::shard({0}, {0, 0}, {0, 4}),
              Fixture::shard({1}, {0, 0}, {0, 4})};
    return {Fixture::shard({0}, {0}, {2}), Fixture::shard({1}, {2}, {0})};
  });
  TransferPlan plan = f.build();
  ASSERT_EQ(fileNames(plan),
            Names({"rank_00000.safetensors", "rank_00001.safetensors"}));
  auto tensorsOf = [&](size_t file) {
    auto header = safetensors::parseHeader(plan.targets[file].prefix,
                                           plan.targets[file].bytes);
    EXPECT_TRUE(header) << header.error().str();
    Names names;
    for (const safetensors::Entry &entry : header->entries)
      names.push_back(entry.name);
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(tensorsOf(0), Names({"cut", "empty", "half"}));
  EXPECT_EQ(tensorsOf(1), Names({"cut", "empty"}));
}

TEST(BuildPlan, ARankReadsItsOwnReplica) {
  Fixture f;
  f.useLayout(tp2);
  StorageId zero = f.addStorage("0"), one = f.addStorage("1");
  f.addTensor("w", DType::F32, {4},
              {Fixture::shard({0}, {0}, {4}), Fixture::shard({1}, {0}, {4})},
              {{zero, 64}, {one, 128}});
  f.compose([](const Tensor &) -> std::vector<Shard> {
    return {Fixture::shard({0, 1, 2}, {0}, {4})};
  });
  f.useLayout(R"({"schema": "aoa.layout/1", "mesh": {"dp": 3},
                  "rules": [{"match": "*", "replicate": true}]})");
  TransferPlan plan = f.build();
  ASSERT_EQ(plan.targets.size(), 3u);
  auto sourceOf = [&](size_t file) {
    const Transfer transfer =
        RegionTransfers(plan, plan.targets[file].regions[0])[0];
    return std::pair(plan.sources[transfer.source].file, transfer.srcAtBytes);
  };
  EXPECT_EQ(sourceOf(0), std::pair(std::string("0"), int64_t{64}));
  EXPECT_EQ(sourceOf(1), std::pair(std::string("1"), int64_t{128}));
  EXPECT_EQ(sourceOf(2), std::pair(std::string("0"), int64_t{64}));
}

TEST(BuildPlan, RanksThatShareAFileMustHoldTheSame) {
  auto fixture = [](auto shardsOf) {
    Fixture f;
    f.useLayout(R"({"schema": "aoa.layout/1", "mesh": {"dp": 2, "tp": 2},
        "rules": [{"match": "*", "replicate": true}],
        "files": "tp{tp}.safetensors"})");
    f.addTensor("a", DType::F32, {4});
    f.addTensor("b", DType::F32, {4});
    f.compose(shardsOf);
    return f;
  };
  auto same = fixture([](const Tensor &) -> std::vector<Shard> {
    return {Fixture::shard({0, 2}, {0}, {2}), Fixture::shard({1, 3}, {2}, {2})};
  });
  same.target.layout = &*same.layout;
  same.program.source = &same.source;
  EXPECT_EQ(fileNames(same.build()),
            Names({"tp0.safetensors", "tp1.safetensors"}));

  auto other = fixture([](const Tensor &tensor) -> std::vector<Shard> {
    if (tensor.name == "a")
      return {Fixture::shard({0, 1, 2, 3}, {0}, {4})};
    return {Fixture::shard({0, 1}, {0}, {2}), Fixture::shard({2, 3}, {2}, {2})};
  });
  other.target.layout = &*other.layout;
  other.program.source = &other.source;
  EXPECT_EQ(other.fault(), "ranks 0 and 2 both write `tp0.safetensors`, but "
                           "hold different data of `b`");

  auto missing = fixture([](const Tensor &tensor) -> std::vector<Shard> {
    if (tensor.name == "a")
      return {Fixture::shard({0, 1, 2, 3}, {0}, {4})};
    return {Fixture::shard({0, 1}, {0}, {4})};
  });
  missing.target.layout = &*missing.layout;
  missing.program.source = &missing.source;
  EXPECT_EQ(missing.fault(), "ranks 0 and 2 both write `tp0.safetensors`, but "
                             "hold different data of `b`");
}

TEST(BuildPlan, PaddingIsOneElementOfTheDType) {
  Fixture f;
  f.useLayout(R"({"schema": "aoa.layout/1",
                  "rules": [{"match": "*", "replicate": true}]})");
  f.addTensor("w", DType::BF16, {3});
  f.compose([](const Tensor &) -> std::vector<Shard> {
    Shard padded = Fixture::shard({0}, {0}, {3});
    padded.localShape = {4};
    return {padded};
  });
  f.program.results[0].padValue = 1;
  TransferPlan plan = f.build();
  EXPECT_EQ(plan.targets[0].regions[0].padding, std::string("\x80\x3f"));
  EXPECT_EQ(plan.targets[0].regions[0].sizeBytes, 8);
  f.program.results[0].padValue = 0.1;
  EXPECT_EQ(f.fault(), "the padding of `w`, 0.100000, is no value of BF16");
}

TEST(BuildPlan, AListOfWholeTensorsIsADirectory) {
  Fixture f;
  f.addTensor("w", DType::F32, {4});
  f.composeWhole();
  f.list.tensors = f.source.tensors;
  f.target.list = &f.list;
  EXPECT_EQ(fileNames(f.build()), Names({"model.safetensors"}));
}

TEST(BuildPlan, AListOfShardsNamesItsFilesOrHasOneARank) {
  Fixture f;
  f.addTensor("w", DType::F32, {4});
  std::vector<Shard> shards = {Fixture::shard({0}, {0}, {2}),
                               Fixture::shard({1}, {2}, {2})};
  f.compose([&](const Tensor &) { return shards; });
  f.list.storages = {{"b/x.safetensors", 100}, {"a.safetensors", 100}};
  f.list.tensors = {
      {"w", DType::F32, {4}, shards, {{StorageId(1)}, {StorageId(0)}}}};
  f.target.list = &f.list;
  EXPECT_EQ(fileNames(f.build()), Names({"a.safetensors", "b/x.safetensors"}));

  f.list.storages[0].file = "b.distcp";
  EXPECT_EQ(fileNames(f.build()),
            Names({"rank_00000.safetensors", "rank_00001.safetensors"}));

  f.list.storages[0].file = f.list.storages[1].file = "one.safetensors";
  f.list.tensors[0].places[1].storage = StorageId(1);
  EXPECT_EQ(f.fault(), "`one.safetensors` would hold two shards of `w`");
}

TEST(BuildPlan, SideFilesKeepClearOfTheResult) {
  Fixture f;
  f.addTensor("w", DType::F32, {4});
  f.composeWhole();
  f.options.sideFiles = {{"config.json", 10}};
  TransferPlan plan = f.build();
  EXPECT_EQ(plan.copies, (std::vector<CopiedFile>{{"config.json", 10}}));
  f.options.sideFiles = {{"model.safetensors", 10}};
  EXPECT_EQ(f.fault(), "side file `model.safetensors` has the name of a file "
                       "of the result");
  f.options.sideFiles = {{"model.safetensors/config.json", 10}};
  EXPECT_EQ(f.fault(), "file `model.safetensors` stands where side file "
                       "`model.safetensors/config.json` needs a folder");
}

TEST(BuildPlan, WhatTheCallerFillsCannotBeWritten) {
  Fixture f;
  f.addTensor("w", DType::F32, {4});
  f.composeWhole();
  f.program.results[0].leftToCaller = true;
  EXPECT_EQ(f.fault(), "`w` is left to the caller: a conversion to files "
                       "cannot write it");
}

TEST(BuildPlan, CastsAndSubByteTensors) {
  Fixture f;
  f.addTensor("cast", DType::F32, {4, 2});
  f.addTensor("f4", DType::F4, {4, 4});
  f.composeWhole();
  ir::Result &result = f.program.results[0];
  // A cast value of the same shape, read with offset.
  f.program.values[result.value.index()].dtype = DType::F32;
  f.program.values.push_back({.name = "cast",
                              .dtype = DType::BF16,
                              .shape = {2, 2},
                              .definition = ir::OpId(0)});
  result.value = ir::ValueId(f.program.values.size() - 1);
  result.shards = ShardList({wholeShard({2, 2})});
  ElementOps ops{DType::F32, {}};
  ops.cast(DType::F64);
  ops.cast(DType::BF16);
  ir::LayoutClass &layoutClass = f.program.classes[result.layoutClass.index()];
  layoutClass.shards[0] =
      affine::PieceSet(affine::foldDims({{2, 2}, {4, {2, 1}}, {0, {1, 2}}}));
  layoutClass.origins[0].ops = f.program.internOps(ops);
  TransferPlan plan = f.build();
  const TargetRegion *cast = nullptr, *opaque = nullptr;
  for (const TargetRegion &region : plan.targets[0].regions)
    (region.tensor == "cast" ? cast : opaque) = &region;
  ASSERT_TRUE(cast && opaque);
  const Transfer narrowed = RegionTransfers(plan, *cast)[0],
                 moved = RegionTransfers(plan, *opaque)[0];
  EXPECT_EQ(narrowed.srcAtBytes, 16);
  EXPECT_TRUE(std::ranges::equal(
      narrowed.dims, std::vector<TransferDim>{{2, 1, 2}, {2, 2, 1}}));
  EXPECT_EQ(format(plan.elementOps[narrowed.ops]), "F32 -> F64 -> BF16");
  EXPECT_EQ(opaque->sizeBytes, 8);
  EXPECT_TRUE(
      std::ranges::equal(moved.dims, std::vector<TransferDim>{{16, 1, 1}}));
}

} // namespace
