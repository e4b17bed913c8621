//===- OpenRankFilesTest.cpp - Ranks' files with a layout -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TestFiles.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <fmt/format.h>

using namespace aoa;

namespace {

class OpenRankFiles : public testing::Test {
protected:
  Expected<Catalog> open(std::string_view mesh, std::string_view rules,
                         std::string_view files = "") {
    std::string json = fmt::format(
        R"({{"schema":"aoa.layout/1","mesh":{{{}}},"rules":[{}]{}}})", mesh,
        rules,
        files.empty() ? std::string() : fmt::format(R"(,"files":"{}")", files));
    auto layout = parseLayout(json, FileId(0), sink);
    if (!layout)
      return fail(ErrorKind::Format, "bad layout: " + sink.list.back().message);
    return openCheckpoint(folder.path.string(), &*layout, sink);
  }
  /// What went wrong: the error, or else the diagnostics.
  std::string faults(std::string_view mesh, std::string_view rules,
                     std::string_view files = "") {
    sink = {};
    auto catalog = open(mesh, rules, files);
    std::string text = catalog ? "" : catalog.error().str() + "\n";
    for (const Diagnostic &diagnostic : sink.list)
      text +=
          fmt::format("{}: {}\n", diagnostic.kind->name, diagnostic.message);
    return text;
  }
  void writeRank(int rank, const TensorList &tensors) {
    writeTensors(folder, fmt::format("rank_{:05}.safetensors", rank), tensors);
  }

  TemporaryFolder folder;
  DiagnosticList sink;
};

constexpr std::string_view rowsOverTp =
    R"({"match":"w*","shard":{"0":"tp"}},{"match":"*","replicate":true})";

TEST_F(OpenRankFiles, ShardsAndReplicas) {
  writeRank(0, {{"n", DType::F32, {2}}, {"w", DType::U8, {3, 4}}});
  writeRank(1, {{"n", DType::F32, {2}}, {"w", DType::U8, {3, 4}}});
  auto catalog = open(R"("tp":2)", rowsOverTp);
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_TRUE(sink.list.empty());
  ASSERT_EQ(catalog->storages.size(), 2u);
  EXPECT_EQ(catalog->storages[1].file, "rank_00001.safetensors");
  EXPECT_NE(catalog->storages[1].fingerprint, 0u);

  ASSERT_EQ(catalog->tensors.size(), 2u);
  const Tensor &n = catalog->tensors[0];
  EXPECT_EQ(n.shape, (Shape{2}));
  ASSERT_EQ(n.shards.size(), 2u); // Two stored copies.
  EXPECT_EQ(n.shards[0].ranks, std::vector<uint32_t>{0});
  EXPECT_EQ(n.shards[1].ranks, std::vector<uint32_t>{1});
  EXPECT_EQ(n.places[1].storage, StorageId(1));

  const Tensor &w = catalog->tensors[1];
  EXPECT_EQ(w.shape, (Shape{6, 4}));
  ASSERT_EQ(w.shards.size(), 2u);
  EXPECT_EQ(w.shards[1].localShape, (Shape{3, 4}));
  EXPECT_EQ(w.shards[1].blocks, (std::vector<Block>{{{3, 0}, {0, 0}, {3, 4}}}));
  auto header = safetensors::readHeader(folder / "rank_00001.safetensors");
  EXPECT_EQ(w.places[1].atBytes, header->entries[1].atBytes);
}

TEST_F(OpenRankFiles, RanksThatShareAFile) {
  writeTensors(folder, "tp0.safetensors", {{"w", DType::U8, {3}}});
  writeTensors(folder, "tp1.safetensors", {{"w", DType::U8, {3}}});
  auto catalog = open(R"("dp":2,"tp":2)", R"({"match":"*","shard":{"0":"tp"}})",
                      "tp{tp}.safetensors");
  ASSERT_TRUE(catalog) << catalog.error().str();
  ASSERT_EQ(catalog->tensors.size(), 1u);
  ASSERT_EQ(catalog->tensors[0].shards.size(), 2u);
  EXPECT_EQ(catalog->tensors[0].shards[0].ranks, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(catalog->tensors[0].shards[1].ranks, (std::vector<uint32_t>{1, 3}));
}

TEST_F(OpenRankFiles, RanksThatShareAFileMustHoldTheSame) {
  writeTensors(folder, "dp0.safetensors", {{"w", DType::U8, {3}}});
  writeTensors(folder, "dp1.safetensors", {{"w", DType::U8, {3}}});
  EXPECT_EQ(faults(R"("dp":2,"tp":2)", R"({"match":"*","shard":{"0":"tp"}})",
                   "dp{dp}.safetensors"),
            "source-contradiction: ranks 0 and 1 share the file "
            "`dp0.safetensors`, but hold different parts of `w`\n");
}

TEST_F(OpenRankFiles, EmptyShardsMayBeMissing) {
  std::string rules = R"({"match":"*","shard":{"0":"tp"},"chunk":"ceil"})";
  writeRank(0, {{"w", DType::U8, {1, 2}}});
  writeRank(1, {{"w", DType::U8, {1, 2}}});
  writeRank(2, {{"w", DType::U8, {0, 2}}});
  // Rank 3 holds nothing and has no file.
  auto catalog = open(R"("tp":4)", rules);
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_TRUE(sink.list.empty());
  ASSERT_EQ(catalog->tensors.size(), 1u);
  EXPECT_EQ(catalog->tensors[0].shape, (Shape{2, 2}));
  EXPECT_EQ(catalog->tensors[0].shards.size(), 2u);
}

TEST_F(OpenRankFiles, EmptyTensorsExist) {
  writeRank(0, {{"w", DType::U8, {0, 2}}});
  writeRank(1, {{"w", DType::U8, {0, 2}}});
  auto catalog = open(R"("tp":2)", rowsOverTp);
  ASSERT_TRUE(catalog) << catalog.error().str();
  ASSERT_EQ(catalog->tensors.size(), 1u);
  EXPECT_EQ(catalog->tensors[0].shape, (Shape{0, 2}));
  for (const Shard &shard : catalog->tensors[0].shards)
    EXPECT_TRUE(shard.blocks.empty());
}

TEST_F(OpenRankFiles, FilesMustExist) {
  writeRank(0, {{"n", DType::U8, {2}}, {"w", DType::U8, {3, 4}}});
  EXPECT_EQ(faults(R"("tp":2)", rowsOverTp),
            "`rank_00001.safetensors` does not exist, but by the source layout "
            "rank 1 of 2 holds `n` and 1 more tensors\n");
  EXPECT_EQ(
      faults(R"("tp":3)", rowsOverTp),
      "`rank_00001.safetensors` does not exist, but by the source layout "
      "rank 1 of 3 holds `n` and 1 more tensors; 1 more files are missing\n");
  EXPECT_EQ(faults(R"("tp":2)", rowsOverTp, "x{rank}"),
            fmt::format("`{}` has none of the files that the source layout "
                        "names, as `x0`\n",
                        folder.path.string()));
}

TEST_F(OpenRankFiles, ContradictionsNameEverything) {
  writeRank(0, {{"w", DType::U8, {3, 4}}});
  writeRank(1, {{"w", DType::U8, {2, 4}}});
  EXPECT_EQ(faults(R"("tp":2)", R"({"match":"*","replicate":true})"),
            "source-contradiction: rank 1 (`rank_00001.safetensors`) has `w` "
            "with shape [2, 4], but rank 0 (`rank_00000.safetensors`) with "
            "shape [3, 4]: both hold the same part of dimension 0\n");
  EXPECT_NE(faults(R"("tp":2)", rowsOverTp).find("source-contradiction"),
            std::string::npos);

  writeRank(1, {{"w", DType::I8, {3, 4}}});
  EXPECT_EQ(faults(R"("tp":2)", R"({"match":"*","replicate":true})"),
            "source-contradiction: `w` is I8 for rank 1 in "
            "`rank_00001.safetensors`, but U8 for rank 0 in "
            "`rank_00000.safetensors`\n");
  writeRank(1, {{"w", DType::U8, {3, 4}}});
  EXPECT_EQ(
      faults(R"("tp":2)", R"({"match":"*","replicate":true,"dtype":"I8"})"),
      "source-contradiction: `w` is U8 for rank 0 in "
      "`rank_00000.safetensors`, but the layout says I8\n");
  EXPECT_NE(
      faults(R"("tp":2)", R"({"match":"*","replicate":true,"on":{"tp":0}})")
          .find("source-contradiction: rank 1"),
      std::string::npos);
}

TEST_F(OpenRankFiles, TensorsNeedARule) {
  writeRank(0, {{"w", DType::U8, {3}}, {"x", DType::U8, {3}}});
  EXPECT_EQ(faults("", R"({"match":"w","replicate":true})"),
            "source-without-rule: `x` in `rank_00000.safetensors` of rank 0 is "
            "matched by no rule of the source layout\n");
}

TEST_F(OpenRankFiles, UnusedRules) {
  writeRank(0, {{"w", DType::U8, {3}}});
  EXPECT_EQ(faults("", R"({"match":"*","replicate":true},)"
                       R"({"match":"w","replicate":true},)"
                       R"({"match":"x","replicate":true})"),
            "unused-rule: no tensor reaches the rule for `w`: `w` is taken by "
            "the earlier rule for `*`\n"
            "unused-rule: no tensor reaches the rule for `x`: it matches "
            "nothing\n");
  EXPECT_EQ(sink.list[0].jsonPath, "rules[1]");
}

TEST_F(OpenRankFiles, FilesThatNoRankReads) {
  for (int rank = 0; rank != 4; ++rank)
    writeRank(rank, {{"w", DType::U8, {3}}});
  EXPECT_EQ(faults(R"("tp":2)", R"({"match":"*","shard":{"0":"tp"}})"),
            "unread-file: `rank_00002.safetensors` belongs to no rank of the "
            "source layout, nor do 1 more files\n");
}

TEST_F(OpenRankFiles, BadFilesAreErrors) {
  writeRank(0, {{"w", DType::U8, {3}}});
  folder.write("rank_00001.safetensors", "123");
  EXPECT_NE(faults(R"("tp":2)", rowsOverTp).find("file of 3 bytes"),
            std::string::npos);
  EXPECT_NE(faults(R"("a":1048576,"b":1024)", R"({"match":"*"})")
                .find("more than the"),
            std::string::npos);
}

} // namespace
