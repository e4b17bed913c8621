//===- PlanFileTest.cpp - Plans to bytes, JSON and back ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/PlanFile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
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
  plan.castChains = {{DType::F32, DType::BF16}, {DType::F32}};
  TargetFile file;
  file.file = "rank-0/model.safetensors";
  file.prefix = std::string("prefix\0!", 8);
  TargetRegion joined{"joined", DType::BF16, {4, 4}, 8, 32, "", {}};
  joined.transfers = {{0, 0, 8, 0, {{4, 2, 4}, {2, 1, 1}}},
                      {1, 0, 8, 2, {{4, 2, 4}, {2, 1, 1}}}};
  TargetRegion padded{"padded", DType::F32,           {2}, 40,
                      8,        std::string(4, '\0'), {}};
  padded.transfers = {{1, 1, 36, 1, {}}};
  file.regions = {joined, padded};
  file.bytes = 48;
  plan.targets = {file};
  plan.indexes = {{"model.safetensors.index.json", "{}\n"}};
  plan.copies = {{"tokenizer/vocab.txt", 12}};
  plan.origin = {"a.aoa",          "x -> y\n", false, "aoa",
                 "/checkpoints/a", "",         "{}",  "0.1"};
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

/// A forger makes the checksum right: what is decoded then is still sound.
TEST(PlanFile, ForgedBytesNeverCrash) {
  const std::string bytes = encodePlan(columnsPlan());
  const std::string body = bytes.substr(0, bytes.size() - 8);
  for (size_t at = 8; at < body.size(); ++at)
    for (unsigned char value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string forged = body;
      forged[at] = static_cast<char>(value);
      Expected<TransferPlan> decoded = decodePlan(withChecksum(forged));
      if (decoded) {
        EXPECT_EQ(faultOf(*decoded), "");
      }
    }
  for (size_t length = 8; length < body.size(); ++length)
    EXPECT_FALSE(decodePlan(withChecksum(body.substr(0, length))));
  EXPECT_FALSE(decodePlan(withChecksum(body + '\0')));
}

TEST(PlanFile, HugeLengthIsRefusedBeforeAllocating) {
  std::string body = "AOAPLAN1";
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

TEST(PlanJson, OneTransferALineAndNamesThatAreNotUtf8) {
  TransferPlan plan = columnsPlan();
  plan.targets[0].regions[0].tensor = "w\xff\"";
  const std::string text = printPlanJson(plan);
  EXPECT_EQ(text, printPlanJson(plan));
  const auto json = nlohmann::json::parse(text);
  const auto &region = json["targets"][0]["regions"][0];
  EXPECT_EQ(region["tensor"], "w\uFFFD\"");
  EXPECT_EQ(region["transfers"].size(), 2u);
  EXPECT_EQ(json["cast_chains"][0][1], "BF16");
  EXPECT_NE(text.find("{\"source\": 1, \"at_bytes\": 8, \"cast\": 0, "
                      "\"offset\": 2, \"dims\": [[4, 2, 4], [2, 1, 1]]}\n"),
            text.npos);
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

TEST(VerifyPlan, TransfersStayInside) {
  const std::string in = "checking the plan of `rank-0/model.safetensors`: ";
  const auto faultWith = [](auto change) {
    TransferPlan plan = columnsPlan();
    change(plan, plan.targets[0].regions[0].transfers[1]);
    return faultOf(plan);
  };
  EXPECT_EQ(faultWith([](auto &, Transfer &t) { t.source = 2; }),
            in + "transfer 1 of `joined` reads source 2, expected less than 2");
  EXPECT_EQ(faultWith([](auto &, Transfer &t) { t.srcAtBytes = 9; }),
            in + "transfer 1 of `joined` reads behind the end of "
                 "`s1.safetensors`, byte 40");
  EXPECT_EQ(faultWith([](auto &, Transfer &t) { t.dstOffset = 3; }),
            in + "transfer 1 of `joined` writes behind the end of the region, "
                 "element 16");
  EXPECT_EQ(faultWith([](auto &, Transfer &t) { t.dims[0].extent = 3; }),
            in + "transfers write 14 elements of `joined`, expected 16");
  EXPECT_EQ(faultWith([](auto &, Transfer &t) {
              t.dims[0] = {INT64_MAX, INT64_MAX, INT64_MAX};
            }),
            in + "transfer 1 of `joined` has more elements than fit 63 bits");
  EXPECT_NE(faultWith([](auto &, Transfer &t) { t.dims[0].dstStride = 0; }),
            "");
  EXPECT_NE(faultWith([](auto &, Transfer &t) { t.dims[0].srcStride = -1; }),
            "");
  EXPECT_NE(
      faultWith([](auto &, Transfer &t) { std::swap(t.dims[0], t.dims[1]); }),
      "");
  EXPECT_NE(faultWith([](auto &, Transfer &t) { t.castChain = 1; }), "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) { p.castChains[0].clear(); }),
            "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) {
              p.castChains[0] = {DType::C64, DType::BF16};
            }),
            "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) { p.targets[0].bytes = 49; }),
            "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) {
              p.targets[0].regions[1].padding = "";
            }),
            "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) {
              p.targets[0].regions[1].padding = "x";
            }),
            "");
  EXPECT_NE(faultWith([](auto &p, Transfer &) {
              p.targets[0].regions[0].shape = {int64_t(1) << 40, int64_t(1)
                                                                     << 40};
            }),
            "");
}

TEST(VerifyPlan, SubByteElementsMoveTogether) {
  TransferPlan plan;
  plan.sources = {{"s", 100, 0}};
  plan.castChains = {{DType::F4}};
  TargetRegion region{"w", DType::F4, {4, 4}, 0, 8, "", {}};
  region.transfers = {{0, 0, 10, 0, {{4, 4, 4}, {4, 1, 1}}}};
  plan.targets = {{"t", 8, "", {region}}};
  EXPECT_EQ(faultOf(plan), "");
  plan.targets[0].regions[0].transfers[0].dims = {{4, 1, 4}, {4, 4, 1}};
  EXPECT_EQ(faultOf(plan), "checking the plan of `t`: transfer 0 of `w` moves "
                           "parts of bytes of F4");
}

} // namespace
} // namespace aoa
