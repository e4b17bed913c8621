//===- SideFilesTest.cpp - What is taken along ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TestFiles.h"
#include "aoa/Formats/Checkpoint.h"

using namespace aoa;

namespace {

std::string listOf(const std::vector<SideFile> &files) {
  std::string text;
  for (const SideFile &file : files)
    text += file.file + ":" + std::to_string(file.bytes) + " ";
  return text;
}

TEST(SideFiles, TakenAndLeftBehind) {
  TemporaryFolder folder;
  writeTensors(folder, "1.safetensors", {{"a", DType::U8, {4}}});
  folder.write("model.safetensors.index.json",
               R"({"weight_map":{"a":"1.safetensors"}})");
  folder.write("config.json", "{}");
  folder.write("tokenizer/vocab.txt", "abc");
  folder.write("1_Pooling/deep/x", "");
  folder.write("pytorch_model.bin", "12345");
  folder.write("pytorch_model.bin.index.json", "{}");
  folder.write("onnx/model.ONNX", "1");
  folder.write("consolidated.safetensors", "1");
  folder.write(".git/HEAD", "x");
  folder.write(".cache/y", "x");
  folder.write(".aoac-tmp-1/y", "x");
  folder.write(".gitattributes", "x");
  folder.write("large.txt", "");
  std::filesystem::resize_file(folder / "large.txt", (64 << 20) + 1);
  folder.write("largest.txt", "");
  std::filesystem::resize_file(folder / "largest.txt", 64 << 20);
  std::filesystem::create_symlink("config.json", folder / "link.json");
  std::filesystem::create_symlink("gone", folder / "dangling");
  std::filesystem::create_directory_symlink(".", folder / "circle");

  DiagnosticList sink;
  auto catalog = openCheckpoint(folder.path.string(), nullptr, sink);
  ASSERT_TRUE(catalog) << catalog.error().str();
  auto files = findSideFiles(*catalog, folder.path.string());
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_EQ(listOf(files->taken),
            ".gitattributes:1 1_Pooling/deep/x:0 config.json:2 "
            "largest.txt:67108864 link.json:2 tokenizer/vocab.txt:3 ");
  EXPECT_EQ(listOf(files->leftBehind),
            "circle:0 consolidated.safetensors:1 dangling:0 "
            "large.txt:67108865 onnx/model.ONNX:1 pytorch_model.bin:5 "
            "pytorch_model.bin.index.json:2 ");
}

TEST(SideFiles, OneFileHasNone) {
  TemporaryFolder folder;
  writeTensors(folder, "1.safetensors", {{"a", DType::U8, {4}}});
  folder.write("config.json", "{}");
  DiagnosticList sink;
  auto catalog = openCheckpoint(folder / "1.safetensors", nullptr, sink);
  ASSERT_TRUE(catalog);
  auto files = findSideFiles(*catalog, folder / "1.safetensors");
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->taken.empty());
  EXPECT_TRUE(files->leftBehind.empty());
}

} // namespace
