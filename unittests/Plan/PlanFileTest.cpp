//===- PlanFileTest.cpp - Plans to bytes, JSON and back ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/PlanFile.h"
#include "aoa/Plan/RegionTransfers.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <xxhash.h>

namespace aoa {
namespace {

/// Two columns [4, 2] of F32 become the BF16 tensor [4, 4]; another region is
/// half padding.
TransferPlan columnsPlan() {
  TransferPlan plan;
  plan.sourceRoot = "/checkpoints/a";
  plan.sources = {{"s0.safetensors", 40, 0x1234},
                  {"s1.safetensors", 40, ~0ull}};
  plan.elementOps = {{DType::F32, {{ElementOp::Kind::Cast, DType::BF16, 1}}},
                     {DType::F32, {}}};
  plan.classes = {
      {{{0, {{4, 2, 4}, {2, 1, 1}}}}, {{0, 0, 0, 0}, {0, 1, 0, 2}}, 2},
      {{{1, {}}}, {{0, 0, 7, 1}}, 1}};
  TargetFile file;
  file.file = "rank-0/model.safetensors";
  file.prefix = std::string("prefix\0!", 8);
  TargetRegion joined{"joined", DType::BF16, {4, 4}, 8, 32, "", 0, {}};
  joined.slots = {{2, 0, 1, 8, 0}};
  TargetRegion padded{"padded", DType::F32,           {2}, 40,
                      8,        std::string(4, '\0'), 1,   {}};
  padded.slots = {{1, 1, 0, 8, 0}};
  file.regions = {joined, padded};
  file.bytes = 48;
  plan.targets = {file};
  plan.indexes = {{"model.safetensors.index.json", "{}\n"}};
  plan.copies = {{"tokenizer/vocab.txt", 12}};
  plan.origin.scriptName = "a.aoa";
  plan.origin.script = "x -> y\n";
  plan.origin.includes = {{{"b.aoa", "y -> z\n"}, {"lib/c.aoa", ""}},
                          {0, 1, 0}};
  plan.origin.isReversed = true;
  plan.origin.dialect = "aoa";
  plan.origin.states = "deepspeed";
  plan.origin.sourcePath = "/checkpoints/a";
  plan.origin.target = "{}";
  plan.origin.resultDType = "BF16";
  plan.origin.include = {"model.*", "{a,b}"};
  plan.origin.exclude = {""};
  plan.origin.parameters = "heads=8";
  plan.origin.version = "0.1";
  return plan;
}

/// Two rows of three F32, the second 1 everywhere; a row of the file, twice,
/// is compared with them.
TransferPlan valuesPlan() {
  TransferPlan plan;
  plan.sources = {{"s", 24, 7}, {"", 4, 0, std::string("\0\0\x80\x3f", 4)}};
  plan.elementOps = {{DType::F32, {}}};
  plan.classes = {
      {{{0, {{3, 1, 1}}}, {0, {{3, 0, 1}}}}, {{0, 0, 0, 0}, {1, 1, 0, 3}}, 2},
      {{{0, {{2, 0, 3}, {3, 1, 1}}}}, {{0, 0, 0, 0}}, 1}};
  const TargetRegion rows{
      "rows", DType::F32, {2, 3}, 0,
      24,     "",         0,      {{1, 0, 0, 12, 0}, {1, 1, 0, 0, 0}}};
  const TargetRegion repeated{"repeated", DType::F32, {2, 3},           0, 24,
                              "",         1,          {{1, 0, 0, 0, 0}}};
  plan.targets = {{"t", 24, "", {rows}}};
  plan.comparisons = {{"rows tied to repeated", repeated, rows}};
  return plan;
}

std::string faultOf(const TransferPlan &plan) {
  Expected<void> sound = verifyPlan(plan);
  return sound ? "" : sound.error().str();
}

TEST(TransferPlan, Counts) {
  const TransferPlan plan = columnsPlan();
  EXPECT_EQ(plan.numTransfers(), 3);
  EXPECT_EQ(plan.transferBytesRead(), 2 * 8 * 4 + 4);
  EXPECT_EQ(plan.transferBytesWritten(), 2 * 8 * 2 + 4);
  EXPECT_EQ(plan.outputBytes(), 48 + 3 + 12);
}

TEST(PlanFile, RoundTrip) {
  const TransferPlan plan = columnsPlan();
  const std::string bytes = encodePlan(plan);
  EXPECT_EQ(bytes, encodePlan(plan));
  Expected<TransferPlan> decoded = decodePlan(bytes);
  ASSERT_TRUE(decoded) << decoded.error().str();
  EXPECT_EQ(*decoded, plan);
}

TEST(TransferPlan, CountsWhatIsReadOnce) {
  const TransferPlan plan = valuesPlan();
  EXPECT_EQ(plan.transferBytesWritten(), 24);
  EXPECT_EQ(plan.transferBytesRead(), 12);
  EXPECT_EQ(plan.comparedBytesRead(), 24);
  EXPECT_EQ(plan.comparedBytes(), 24);
  EXPECT_EQ(plan.bytesToRead(), 36);
}

TEST(PlanFile, ValuesAndComparisonsRoundTrip) {
  const TransferPlan plan = valuesPlan();
  Expected<TransferPlan> decoded = decodePlan(encodePlan(plan));
  ASSERT_TRUE(decoded) << decoded.error().str();
  EXPECT_EQ(*decoded, plan);
  const std::string json = printPlanJson(plan);
  EXPECT_NE(json.find(R"({"bytes": 4, "inlined": "0000803f"})"), json.npos);
  EXPECT_NE(json.find(R"("reason": "rows tied to repeated")"), json.npos);
}

TEST(VerifyPlan, IncludesOfThePlan) {
  TransferPlan plan = columnsPlan();
  EXPECT_EQ(faultOf(plan), "");
  plan.origin.includes.order = {0, 2};
  EXPECT_EQ(faultOf(plan), "checking the plan: include 1 of the script is file "
                           "2, the plan keeps 2");
}

TEST(PlanFile, ShowsIncludesAsJson) {
  const auto json = nlohmann::json::parse(printPlanJson(columnsPlan()));
  const auto &origin = json["origin"];
  ASSERT_EQ(origin["includes"].size(), 2U);
  EXPECT_EQ(origin["includes"][0]["name"], "b.aoa");
  EXPECT_EQ(origin["includes"][0]["text"], "y -> z\n");
  EXPECT_EQ(origin["include_order"], (std::vector<int>{0, 1, 0}));
}

TEST(VerifyPlan, ValuesOfThePlan) {
  const std::string in = "checking the plan: ";
  TransferPlan plan = valuesPlan();
  EXPECT_EQ(faultOf(plan), "");
  plan.sources[1].file = "x";
  EXPECT_EQ(faultOf(plan), in + "source file `x` is in the plan itself");
  plan = valuesPlan();
  plan.sources[1].bytes = 8;
  EXPECT_EQ(faultOf(plan), in + "4 bytes of a source are in the plan, expected "
                                "8");
  plan = valuesPlan();
  plan.targets[0].regions[0].slots[1].atBytes = 1;
  EXPECT_EQ(faultOf(plan),
            "checking the plan of `t`: slot 1 of `rows` reads behind the end "
            "of the plan's own values, byte 4");
}

TEST(VerifyPlan, Comparisons) {
  const std::string in = "checking the plan's comparisons: ";
  TransferPlan plan = valuesPlan();
  plan.comparisons[0].right.shape = {3, 2};
  EXPECT_EQ(faultOf(plan),
            in + "`rows` is F32 [3, 2], expected F32 [2, 3] as `repeated`");
  plan = valuesPlan();
  plan.comparisons[0].left.atBytes = 8;
  EXPECT_EQ(faultOf(plan),
            in + "`repeated` is compared, but has a place or padding");
  plan = valuesPlan();
  plan.comparisons[0].right.slots[0].source = 2;
  EXPECT_EQ(faultOf(plan),
            in + "slot 0 of `rows` lies in source 2, expected less than 2");
  plan = valuesPlan();
  plan.comparisons[0].left.slots[0].atBytes = 13;
  EXPECT_EQ(faultOf(plan), in + "slot 0 of `repeated` reads behind the end of "
                                "`s`, byte 24");
}

TEST(PlanFile, EmptyPlan) {
  Expected<TransferPlan> decoded = decodePlan(encodePlan({}));
  ASSERT_TRUE(decoded) << decoded.error().str();
  EXPECT_EQ(*decoded, TransferPlan());
}

TEST(PlanFile, EveryCutAndFlipIsRefused) {
  const std::string bytes = encodePlan(columnsPlan());
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(decodePlan(std::string_view(bytes).substr(0, length)));
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] ^= 0x41;
    EXPECT_FALSE(decodePlan(flipped)) << at;
  }
}

std::string withChecksum(std::string body) {
  const uint64_t hash = XXH3_64bits(body.data(), body.size());
  for (unsigned i = 0; i < 8; ++i)
    body.push_back(static_cast<char>(hash >> (8 * i)));
  return body;
}

/// Three chunks of F32 that hold their values times 4, in three files, and one
/// more of BF16 in another: the F32 tensor [16], and its first chunk alone.
TransferPlan scaledPlan() {
  TransferPlan plan;
  plan.sourceRoot = "/";
  for (const char *name : {"a", "b", "c", "d"})
    plan.sources.push_back({name, 100, 7});
  ElementOps divided{DType::F32, {}}, widened{DType::BF16, {}};
  divided.divide(4);
  widened.cast(DType::F32);
  widened.multiply(1.0 / 3);
  plan.elementOps = {divided, widened};
  plan.classes = {{{{0, {{4, 1, 1}}}, {1, {{2, 2, 2}, {2, 1, 1}}}},
                   {{0, 0, 0, 0}, {0, 1, 0, 4}, {0, 2, 0, 8}, {1, 3, 5, 12}},
                   4},
                  {{{0, {{4, 1, 1}}}}, {{0, 0, 2, 0}}, 1}};
  TargetFile file{"t", 82, "xy", {}};
  file.regions = {{"whole",
                   DType::F32,
                   {16},
                   2,
                   64,
                   "",
                   0,
                   {{3, 0, 1, 84, -40}, {1, 3, 0, 70, 0}}},
                  {"part", DType::F32, {4}, 66, 16, "", 1, {{1, 0, 0, 76, 0}}}};
  plan.targets = {file};
  return plan;
}

TEST(PlanFile, ScalingsAndStepsComeBack) {
  const TransferPlan plan = scaledPlan();
  ASSERT_EQ(faultOf(plan), "");
  Expected<TransferPlan> decoded = decodePlan(encodePlan(plan));
  ASSERT_TRUE(decoded) << decoded.error().str();
  EXPECT_EQ(*decoded, plan);
  const RegionTransfers transfers(plan, plan.targets[0].regions[0]);
  EXPECT_EQ(transfers[2].source, 2u);
  EXPECT_EQ(transfers[2].srcAtBytes, 4);
  EXPECT_EQ(transfers[3].source, 3u);
  EXPECT_EQ(transfers[3].srcAtBytes, 70 + 5 * 2);
}

/// Does with a plan all that is done with one that verifyPlan accepts, short of
/// running it.
void useAll(const TransferPlan &plan) {
  EXPECT_EQ(faultOf(plan), "");
  EXPECT_GE(plan.transferBytesRead(), 0);
  EXPECT_GE(plan.transferBytesWritten(), 0);
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions) {
      const RegionTransfers transfers(plan, region);
      for (size_t i = 0; i < transfers.size(); ++i) {
        const Transfer transfer = transfers[i];
        ASSERT_LT(transfer.source, plan.sources.size());
        ASSERT_GE(transfer.srcAtBytes, 0);
        ASSERT_LT(transfer.srcAtBytes, plan.sources[transfer.source].bytes);
      }
    }
  EXPECT_FALSE(printPlanJson(plan).empty());
}

/// A forger makes the checksum right: what is decoded then is still sound.
TEST(PlanFile, ForgedBytesNeverCrash) {
  std::mt19937 random(41);
  size_t numAccepted = 0;
  const auto useForged = [&](const std::string &body) {
    Expected<TransferPlan> decoded = decodePlan(withChecksum(body));
    if (decoded) {
      ++numAccepted;
      useAll(*decoded);
    }
  };
  for (const TransferPlan &plan : {columnsPlan(), scaledPlan()}) {
    const std::string bytes = encodePlan(plan);
    const std::string body = bytes.substr(0, bytes.size() - 8);
    for (size_t at = 8; at < body.size(); ++at)
      for (unsigned char value : {0x00, 0x01, 0x02, 0x7f, 0x80, 0xff}) {
        std::string forged = body;
        forged[at] = static_cast<char>(value);
        useForged(forged);
      }
    for (int repeat = 0; repeat < 20'000; ++repeat) {
      std::string forged = body;
      for (size_t count = 1 + random() % 3; count > 0; --count)
        forged[8 + random() % (body.size() - 8)] =
            static_cast<char>(random() % 2 ? random() % 8 : random());
      useForged(forged);
    }
    for (size_t length = 8; length < body.size(); ++length)
      EXPECT_FALSE(decodePlan(withChecksum(body.substr(0, length))));
    EXPECT_FALSE(decodePlan(withChecksum(body + '\0')));
  }
  EXPECT_GT(numAccepted, 100u); // Names and padding may be anything.
}

/// Lists that say they are long, and a run of as many slots as there can be,
/// are refused without memory for them.
TEST(PlanFile, ARunOfAllSlotsTakesNoMemory) {
  TransferPlan plan = scaledPlan();
  plan.classes[0].numSlots = UINT32_MAX;
  plan.targets[0].regions[0].slots = {{UINT32_MAX, 0, 0, 0, 0}};
  Expected<TransferPlan> decoded = decodePlan(encodePlan(plan));
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().str(),
            "checking the plan: class 0 has 4294967295 slots, expected at most "
            "one for each of its 4 transfers");
}

TEST(PlanFile, HugeLengthIsRefusedBeforeAllocating) {
  std::string body = "AOAPLAN2";
  body += "\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  Expected<TransferPlan> decoded = decodePlan(withChecksum(body));
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().str(),
            "decoding the plan: byte 8: length 9223372036854775807 is more "
            "than the 0 bytes that are left can hold");
}

TEST(PlanFile, MissingFile) {
  Expected<TransferPlan> plan = readPlanFile("/nonexistent/plan");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind(), ErrorKind::Io);
  EXPECT_EQ(plan.error().str(),
            "reading `/nonexistent/plan`: No such file or directory");
  EXPECT_FALSE(readPlanFile("/"));
}

TEST(PlanFile, OlderPlansAreToBeCompiledAgain) {
  Expected<TransferPlan> decoded =
      decodePlan(withChecksum("AOAPLAN1 and what followed"));
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().str(),
            "byte 0: found a plan of an older version, `AOAPLAN1`, expected "
            "`AOAPLAN2`; compile it again");
}

TEST(PlanJson, OneTransferALineAndNamesThatAreNotUtf8) {
  TransferPlan plan = columnsPlan();
  plan.targets[0].regions[0].tensor = "w\xff\"";
  const std::string text = printPlanJson(plan);
  EXPECT_EQ(text, printPlanJson(plan));
  const auto json = nlohmann::json::parse(text);
  const auto &region = json["targets"][0]["regions"][0];
  EXPECT_EQ(region["tensor"], "w\uFFFD\"");
  EXPECT_EQ(region["class"], 0);
  EXPECT_EQ(json["classes"][0]["slots"], 2);
  EXPECT_EQ(json["classes"][0]["transfers"].size(), 2u);
  EXPECT_EQ(json["element_ops"][0], "F32 -> BF16");
  EXPECT_NE(text.find("{\"slot\": 1, \"at\": 0, \"ops\": 0, \"offset\": 2, "
                      "\"dims\": [[4, 2, 4], [2, 1, 1]]}\n"),
            text.npos);
  EXPECT_NE(text.find("{\"source\": 0, \"at_bytes\": 8, \"count\": 2, "
                      "\"source_step\": 1, \"at_step\": 0}\n"),
            text.npos);
  EXPECT_NE(text.find("{\"source\": 1, \"at_bytes\": 8}\n"), text.npos);
  EXPECT_TRUE(nlohmann::json::parse(printPlanJson({})).is_object());
}

TEST(VerifyPlan, AcceptsTheExample) { EXPECT_EQ(faultOf(columnsPlan()), ""); }

TEST(VerifyPlan, NamesStayBelowTheirRoot) {
  for (const char *name : {"", "/etc/x", "..", "a/../b", "./a", "a//b", "a/"}) {
    TransferPlan plan = columnsPlan();
    plan.targets[0].file = name;
    EXPECT_NE(faultOf(plan), "") << name;
    plan = columnsPlan();
    plan.copies[0].file = name;
    EXPECT_NE(faultOf(plan), "") << name;
    plan = columnsPlan();
    plan.sources[0].file = name;
    // A source without a file comes from names and shapes alone.
    EXPECT_EQ(faultOf(plan) == "", *name == '\0') << name;
  }
  TransferPlan plan = columnsPlan();
  plan.indexes[0].file = "tokenizer/vocab.txt";
  EXPECT_EQ(faultOf(plan),
            "checking the plan: file `tokenizer/vocab.txt` is written twice");
  plan.indexes[0].file = "tokenizer";
  EXPECT_EQ(faultOf(plan), "checking the plan: file `tokenizer` stands where "
                           "`tokenizer/vocab.txt` needs a folder");
}

/// The fault of the example after `change(plan)`.
template <typename Change> std::string faultWith(Change change) {
  TransferPlan plan = columnsPlan();
  change(plan);
  return faultOf(plan);
}

TEST(VerifyPlan, ClassesAreSound) {
  const auto faultOfForm = [](auto change) {
    return faultWith(
        [&](TransferPlan &plan) { change(plan.classes[0].forms[0]); });
  };
  const auto faultOfTransfer = [](auto change) {
    return faultWith(
        [&](TransferPlan &plan) { change(plan.classes[0].transfers[1]); });
  };
  const std::string form = "checking the plan: form 0 of class 0 ",
                    transfer = "checking the plan: transfer 1 of class 0 ";
  EXPECT_EQ(faultOfForm([](auto &f) { f.ops = 2; }),
            form + "uses element operations 2, expected less than 2");
  EXPECT_EQ(faultOfForm([](auto &f) { f.dims[1].extent = 0; }),
            form + "has extent 0, expected at least 1");
  EXPECT_EQ(faultOfForm([](auto &f) { f.dims[0].srcStride = -1; }),
            form + "has a negative stride");
  EXPECT_EQ(faultOfForm([](auto &f) { f.dims[0].dstStride = 0; }),
            form + "writes one element 4 times");
  EXPECT_EQ(faultOfForm([](auto &f) { std::swap(f.dims[0], f.dims[1]); }),
            form + "has target stride 4 behind 1, expected the largest first");
  EXPECT_EQ(faultOfForm(
                [](auto &f) { f.dims[0] = {INT64_MAX, INT64_MAX, INT64_MAX}; }),
            form + "has more elements than fit 63 bits");
  EXPECT_EQ(faultOfForm([](auto &f) { f.dims[0].srcStride = INT64_MAX; }),
            form + "reaches over more elements than fit 63 bits");
  EXPECT_EQ(faultOfTransfer([](auto &t) { t.form = 1; }),
            transfer + "has form 1, expected less than 1");
  EXPECT_EQ(faultOfTransfer([](auto &t) { t.slot = 2; }),
            transfer + "reads slot 2, expected less than 2");
  EXPECT_EQ(faultOfTransfer([](auto &t) { t.srcOffset = -1; }),
            transfer + "starts at a negative offset");
  EXPECT_EQ(faultOfTransfer([](auto &t) { t.dstOffset = -1; }),
            transfer + "starts at a negative offset");
  for (int64_t huge : {INT64_MAX, INT64_MAX / 32}) {
    EXPECT_EQ(faultOfTransfer([&](auto &t) { t.srcOffset = huge; }),
              transfer + "reaches over more than fits 63 bits");
  }
  EXPECT_EQ(faultOfTransfer([](auto &t) { t.dstOffset = INT64_MAX; }),
            transfer + "reaches over more than fits 63 bits");
  EXPECT_EQ(faultWith([](TransferPlan &plan) {
              plan.classes[0].forms.push_back({1, {}});
              plan.classes[0].transfers[1].form = 1;
            }),
            transfer + "ends in F32, expected BF16 as those before");
  // Nothing is allocated for four billion slots.
  EXPECT_EQ(faultWith([](TransferPlan &plan) {
              plan.classes[0].numSlots = UINT32_MAX;
            }),
            "checking the plan: class 0 has 4294967295 slots, expected at most "
            "one for each of its 2 transfers");
  // A class that no region uses is looked at all the same.
  EXPECT_NE(faultWith([](TransferPlan &plan) {
              plan.classes.push_back({{}, {{0, 0, 0, 0}}, 1});
            }),
            "");
}

TEST(VerifyPlan, RegionsFitTheirClass) {
  const std::string in = "checking the plan of `rank-0/model.safetensors`: ";
  const auto faultOfRegion = [](auto change) {
    return faultWith(
        [&](TransferPlan &plan) { change(plan.targets[0].regions[0]); });
  };
  EXPECT_EQ(faultOfRegion([](auto &r) { r.regionClass = 2; }),
            in + "`joined` is of class 2, expected less than 2");
  EXPECT_EQ(faultOfRegion([](auto &r) { r.regionClass = 1; }),
            in + "the transfers of `joined` end in F32, expected BF16");
  EXPECT_EQ(faultWith([](TransferPlan &plan) {
              plan.classes[0].transfers[1].dstOffset = 3;
            }),
            in + "transfer 1 of `joined` writes behind the end of the region, "
                 "element 16");
  EXPECT_EQ(faultWith([](TransferPlan &plan) {
              plan.classes[0].forms[0].dims[0].extent = 3;
            }),
            in + "transfers write 12 elements of `joined`, expected 16");
  EXPECT_EQ(faultWith([](TransferPlan &plan) {
              plan.classes[0].transfers.push_back({0, 0, 0, 0});
            }),
            in + "transfers write more than the 16 elements of `joined`");
  EXPECT_NE(faultOfRegion([](auto &r) { r.atBytes = 9; }), "");
  EXPECT_NE(faultOfRegion([](auto &r) {
              r.shape = {int64_t(1) << 40, int64_t(1) << 40};
            }),
            "");
  EXPECT_NE(faultWith([](TransferPlan &plan) { plan.targets[0].bytes = 49; }),
            "");
  for (const char *padding : {"", "x"}) {
    EXPECT_NE(faultWith([&](TransferPlan &plan) {
                plan.targets[0].regions[1].padding = padding;
              }),
              "");
  }
}

TEST(VerifyPlan, SlotsLieInTheirFiles) {
  const std::string in = "checking the plan of `rank-0/model.safetensors`: ";
  const auto faultOfSlots = [](std::vector<SlotRun> slots) {
    return faultWith([&](TransferPlan &plan) {
      plan.targets[0].regions[0].slots = std::move(slots);
    });
  };
  EXPECT_EQ(faultOfSlots({{1, 1, 0, 8, 0}, {1, 0, 0, 0, 0}}), "");
  EXPECT_EQ(faultOfSlots({{2, 0, 0, 8, -8}}), "");
  EXPECT_EQ(faultOfSlots({{2, 0, 1, 8, 1}}),
            in + "slot 1 of `joined` reads behind the end of `s1.safetensors`, "
                 "byte 40");
  EXPECT_EQ(faultOfSlots({{2, 1, 1, 0, 0}}),
            in + "slot 1 of `joined` lies in source 2, expected less than 2");
  EXPECT_EQ(faultOfSlots({{2, 1, UINT32_MAX, 0, 0}}),
            in + "slot 1 of `joined` lies in source 4294967296, expected less "
                 "than 2");
  EXPECT_EQ(faultOfSlots({{1, 0, 0, 0, 0}}),
            in + "`joined` gives 1 slots, expected 2 for its class");
  EXPECT_EQ(faultOfSlots({}),
            in + "`joined` gives 0 slots, expected 2 for its class");
  EXPECT_EQ(faultOfSlots({{1, 0, 0, 0, 0}, {UINT32_MAX, 0, 0, 0, 0}}),
            in + "a run of 4294967295 slots follows 1 of `joined`, expected 1 "
                 "to 1");
  EXPECT_EQ(faultOfSlots({{0, 0, 0, 0, 0}}),
            in + "a run of 0 slots follows 0 of `joined`, expected 1 to 2");
  for (int64_t step : {int64_t(-9), INT64_MAX, INT64_MIN})
    EXPECT_EQ(faultOfSlots({{2, 0, 0, 8, step}}),
              in + "slots 0 to 1 of `joined` start at byte 8 with steps of " +
                  std::to_string(step) + ", expected numbers of 63 bits");
  EXPECT_NE(faultOfSlots({{2, 0, 0, -1, 0}}), "");
  EXPECT_NE(faultOfSlots({{2, 0, 0, INT64_MAX, 0}}), "");
}

TEST(VerifyPlan, ElementOperationsAreSound) {
  using Kind = ElementOp::Kind;
  const auto faultOfOps = [](ElementOps ops) {
    TransferPlan plan;
    plan.elementOps = {std::move(ops)};
    return faultOf(plan);
  };
  const std::string in = "checking the plan: element operations 0 ";
  EXPECT_EQ(faultOfOps({DType::BF16,
                        {{Kind::Divide, DType::BF16, 4},
                         {Kind::Cast, DType::F32, 1},
                         {Kind::Multiply, DType::F32, -1e-300}}}),
            "");
  EXPECT_EQ(faultOfOps({DType::C64, {{Kind::Cast, DType::BF16, 1}}}),
            in + "go from C64 to BF16, which is no conversion");
  EXPECT_EQ(
      faultOfOps({DType::F32, {{Kind::Divide, DType::BF16, 4}}}),
      in + "compute from F32 to BF16, expected one and the same float type");
  EXPECT_EQ(
      faultOfOps({DType::I32, {{Kind::Multiply, DType::I32, 4}}}),
      in + "compute from I32 to I32, expected one and the same float type");
  for (const auto &[factor, text] : {std::pair(0.0, "0"), {-0.0, "-0"}})
    EXPECT_EQ(faultOfOps({DType::F32, {{Kind::Multiply, DType::F32, factor}}}),
              in + "scale by " + text + ", which cannot be undone");
  EXPECT_EQ(faultOfOps({DType::F32, {{Kind::Divide, DType::F32, INFINITY}}}),
            in + "compute with inf, which is not finite in F64");
  EXPECT_NE(faultOfOps({DType::F32, {{Kind::Divide, DType::F32, NAN}}}), "");
  // Scripts compute in F32.
  EXPECT_EQ(faultOfOps({DType::F64,
                        {{Kind::Scale, DType::F64, 1e-60},
                         {Kind::Plus, DType::F64, 0},
                         {Kind::Plus, DType::F64, 1e60},
                         {Kind::Cast, DType::BF16, 1},
                         {Kind::Plus, DType::BF16, 1e-60}}}),
            "");
  EXPECT_EQ(faultOfOps({DType::F16, {{Kind::Scale, DType::F16, 1e-60}}}),
            in + "scale by 1e-60, which cannot be undone");
  EXPECT_EQ(faultOfOps({DType::F16, {{Kind::Plus, DType::F16, 1e60}}}),
            in + "compute with 1e+60, which is not finite in F32");
  EXPECT_EQ(faultOfOps({DType::U8, {{Kind::Plus, DType::U8, 1}}}),
            in + "compute from U8 to U8, expected one and the same float type");
}

TEST(VerifyPlan, SubByteElementsMoveTogether) {
  TransferPlan plan;
  plan.sources = {{"s", 100, 0}};
  plan.elementOps = {{DType::F4, {}}};
  plan.classes = {{{{0, {{4, 4, 4}, {4, 1, 1}}}}, {{0, 0, 2, 0}}, 1}};
  TargetRegion region{"w", DType::F4, {4, 4}, 0, 8, "", 0, {{1, 0, 0, 10, 0}}};
  plan.targets = {{"t", 8, "", {region}}};
  EXPECT_EQ(faultOf(plan), "");
  const Transfer transfer =
      RegionTransfers(plan, plan.targets[0].regions[0])[0];
  EXPECT_EQ(transfer.srcAtBytes, 11);
  plan.classes[0].transfers[0].srcOffset = 1;
  EXPECT_EQ(faultOf(plan), "checking the plan: transfer 0 of class 0 moves "
                           "parts of bytes of F4");
  plan.classes[0].transfers[0].srcOffset = 0;
  plan.classes[0].forms[0].dims = {{4, 1, 4}, {4, 4, 1}};
  EXPECT_EQ(faultOf(plan), "checking the plan: form 0 of class 0 moves parts "
                           "of bytes of F4");
}

} // namespace
} // namespace aoa
