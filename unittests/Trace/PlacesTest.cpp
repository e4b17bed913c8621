//===- PlacesTest.cpp - The bytes of traced elements ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A plan that does not do what program and source say gives an error and no
// answer, wherever the two differ.
//===----------------------------------------------------------------------===//
#include "aoa/Trace/Places.h"

#include "../Transforms/ProgramBuilder.h"

#include <gtest/gtest.h>

using namespace aoa;
using namespace aoa::test;
using namespace aoa::trace;

namespace {

Catalog sourceOfTest() {
  Catalog source;
  source.root = "/src";
  source.storages.push_back({"s.safetensors", 1000, 7});
  Tensor w{"w", DType::F32, {2, 3}};
  w.places.push_back({StorageId(0), 100});
  source.tensors.push_back(w);
  return source;
}

/// `w` [2, 3], transposed and cast to BF16, and a constant, in one file.
class PlacesTest : public testing::Test {
protected:
  PlacesTest() : source(sourceOfTest()), builder(source) {
    ir::ValueId turned = builder.transpose(builder.source(0), {1, 0});
    ir::ValueId cast = builder.cast(turned, DType::BF16);
    ir::ValueId one = builder.constant(DType::I32, {2});
    program = &builder.finish();
    for (ir::Result &result : program->results) {
      const affine::Extents &shape = program->value(result.value).shape;
      result.shards =
          ShardList({wholeShard(Shape(shape.begin(), shape.end()))});
    }
    moved = resultOf(cast);
    filled = resultOf(one);

    plan.sources.push_back({"s.safetensors", 1000, 7});
    plan.sources.push_back({"", 4, 0, std::string("\1\0\0\0", 4)});
    plan.elementOps.resize(2);
    plan.elementOps[0].from = DType::F32;
    plan.elementOps[0].cast(DType::BF16);
    plan.elementOps[1].from = DType::I32;
    plan.targets.push_back({"t.safetensors", 500, "", {}});
    addRegion(moved, DType::BF16, {3, 2}, 40, {0, {{3, 1, 2}, {2, 3, 1}}},
              {1, 0, 0, 100, 0});
    addRegion(filled, DType::I32, {2}, 52, {1, {{2, 0, 1}}}, {1, 1, 0, 0, 0});
  }

  uint32_t resultOf(ir::ValueId value) const {
    for (uint32_t i = 0;; ++i)
      if (program->results[i].value == value)
        return i;
  }
  void addRegion(uint32_t result, DType dtype, Shape shape, int64_t atBytes,
                 TransferForm form, SlotRun slot) {
    TargetRegion region;
    region.tensor = program->results[result].name;
    region.dtype = dtype;
    region.shape = std::move(shape);
    region.atBytes = atBytes;
    region.regionClass = static_cast<uint32_t>(plan.classes.size());
    region.slots.push_back(slot);
    plan.targets[0].regions.push_back(region);
    plan.classes.push_back({{std::move(form)}, {{0, 0, 0, 0}}, 1});
  }

  Expected<std::vector<std::vector<WrittenPlace>>>
  find(uint32_t result, const std::vector<int64_t> &elements) const {
    auto ways = walkBack(*program, program->results[result].value, elements);
    return PlaceFinder(*program, Target(), plan, result).find(result, *ways);
  }
  std::string refusalOf(uint32_t result) const {
    auto found = find(result, {1});
    return found ? "none" : found.error().str();
  }

  Catalog source;
  ProgramBuilder builder;
  ir::Program *program;
  TransferPlan plan;
  uint32_t moved, filled;
};

TEST_F(PlacesTest, ReadsAndWrites) {
  auto found = find(moved, {1, 4}); // [0, 1] and [2, 0]
  ASSERT_TRUE(found) << found.error().str();
  ASSERT_EQ(found->size(), 2u);
  const WrittenPlace &first = found->front().front();
  EXPECT_EQ(first.at, (FilePlace{0, "t.safetensors", 40 + 1 * 2}));
  EXPECT_EQ(first.source, (FilePlace{0, "s.safetensors", 100 + 3 * 4}));
  EXPECT_EQ(format(first.ops), "F32 -> BF16");
  const WrittenPlace &second = found->back().front();
  EXPECT_EQ(second.at, (FilePlace{0, "t.safetensors", 40 + 4 * 2}));
  EXPECT_EQ(second.source, (FilePlace{0, "s.safetensors", 100 + 2 * 4}));
  found = find(filled, {1});
  ASSERT_TRUE(found) << found.error().str();
  EXPECT_EQ(found->front().front().at, (FilePlace{0, "t.safetensors", 56}));
  EXPECT_FALSE(found->front().front().source);
}

TEST_F(PlacesTest, OtherBytesOfTheSource) {
  plan.classes[0].forms[0].dims[1].srcStride = 2;
  EXPECT_EQ(refusalOf(moved),
            "the plan reads byte 108 of `s.safetensors` where its script takes "
            "element [1, 0] of `w`, which lies elsewhere; was the source "
            "changed since?");
  plan.sources[0].file = "r.safetensors";
  EXPECT_NE(refusalOf(moved).find("of `r.safetensors` where"),
            std::string::npos);
}

TEST_F(PlacesTest, OtherOperations) {
  plan.elementOps[0].scale(2);
  EXPECT_EQ(refusalOf(moved),
            "the plan makes `" + program->results[moved].name +
                "` by F32 -> BF16 -> scale 2, its script and layouts say F32 "
                "-> BF16");
}

TEST_F(PlacesTest, AnotherConstant) {
  plan.sources[1].inlined[0] = 2;
  EXPECT_EQ(refusalOf(filled),
            "the plan does not write the constant that its script says for "
            "element [1] of `" +
                program->results[filled].name + "`");
}

TEST_F(PlacesTest, AnotherRegion) {
  std::string name = program->results[moved].name;
  plan.targets[0].regions[0].shape = {2, 3};
  EXPECT_EQ(refusalOf(moved),
            "the plan writes `" + name +
                "` [2, 3] to `t.safetensors`, its script and source say [3, "
                "2]; was the source changed since?");
  plan.targets[0].regions[0].tensor = "other";
  EXPECT_EQ(refusalOf(moved), "the plan does not write `" + name +
                                  "` to any file, as its script and source "
                                  "say; was the source changed since?");
}

TEST_F(PlacesTest, AnotherSource) {
  EXPECT_TRUE(checkSource(plan, source));
  source.storages[0].fingerprint = 8;
  EXPECT_EQ(checkSource(plan, source).error().str(),
            "`/src/s.safetensors` has changed since the plan was made: its "
            "header is another one");
  source.storages[0].bytes = 999;
  EXPECT_EQ(checkSource(plan, source).error().str(),
            "`/src/s.safetensors` has changed since the plan was made: it has "
            "999 bytes, expected 1000");
  source.storages[0].file = "other";
  EXPECT_EQ(checkSource(plan, source).error().str(),
            "the source has no file `/src/s.safetensors`, which the plan "
            "reads");
}

} // namespace
