//===- OpenCheckpointTest.cpp - Files, folders without layout ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TestFiles.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <fmt/format.h>

using namespace aoa;

namespace {

class OpenCheckpoint : public testing::Test {
protected:
  Expected<Catalog> open(std::string_view name = "") {
    return openCheckpoint(name.empty() ? folder.path.string() : folder / name,
                          nullptr, sink);
  }
  std::string errorOf(std::string_view name = "") {
    auto catalog = open(name);
    if (catalog)
      return "no error";
    // The folder's name is another one each time.
    std::string text = catalog.error().str();
    for (size_t at; (at = text.find(folder.path.string())) != text.npos;)
      text.replace(at, folder.path.string().size(), "DIR");
    return text;
  }
  void writeIndex(std::string_view json) {
    folder.write("model.safetensors.index.json", json);
  }
  /// Tensors `a` in `1.safetensors` (4 bytes), `b` and `c` in `2.safetensors`
  /// (8 and 2 bytes).
  void writeTwoFiles() {
    writeTensors(folder, "1.safetensors", {{"a", DType::U8, {4}}});
    writeTensors(folder, "2.safetensors",
                 {{"c", DType::U8, {2}}, {"b", DType::F32, {2}}});
  }
  static std::string names(const Catalog &catalog) {
    std::string text;
    for (const Tensor &tensor : catalog.tensors)
      text += fmt::format(
          "{}@{} ", tensor.name,
          catalog.storages[tensor.places.at(0).storage.index()].file);
    return text;
  }

  TemporaryFolder folder;
  DiagnosticList sink;
};

TEST_F(OpenCheckpoint, OneFile) {
  writeTensors(folder, "x.safetensors",
               {{"b", DType::F32, {2, 3}},
                {"a", DType::U8, {}},
                {"e", DType::I64, {0, 2}}},
               {{"format", "pt"}});
  auto catalog = open("x.safetensors");
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_EQ(catalog->root, folder.path.string());
  ASSERT_EQ(catalog->storages.size(), 1u);
  auto header = safetensors::readHeader(folder / "x.safetensors");
  EXPECT_EQ(catalog->storages[0].file, "x.safetensors");
  EXPECT_EQ(catalog->storages[0].bytes, header->fileBytes);
  EXPECT_EQ(catalog->storages[0].fingerprint, header->fingerprint);
  EXPECT_EQ(catalog->metadata.at("format"), "pt");

  ASSERT_EQ(names(*catalog),
            "a@x.safetensors b@x.safetensors e@x.safetensors ");
  const Tensor &b = catalog->tensors[1];
  EXPECT_EQ(b.dtype, DType::F32);
  EXPECT_EQ(b.shape, (Shape{2, 3}));
  ASSERT_EQ(b.shards.size(), 1u);
  EXPECT_EQ(b.shards[0].ranks, std::vector<uint32_t>{0});
  EXPECT_EQ(b.shards[0].blocks, (std::vector<Block>{{{0, 0}, {0, 0}, {2, 3}}}));
  EXPECT_EQ(b.places[0].atBytes, header->dataStart);
  EXPECT_TRUE(catalog->tensors[2].shards[0].blocks.empty());
}

TEST_F(OpenCheckpoint, IndexDecides) {
  writeTwoFiles();
  writeTensors(folder, "consolidated.safetensors", {{"a", DType::U8, {4}}});
  writeIndex(R"({"metadata":{"total_size":14,"x":[1]},"weight_map":{)"
             R"("b":"2.safetensors","c":"./2.safetensors",)"
             R"("a":"1.safetensors"},"other":null})");
  auto catalog = open();
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_EQ(names(*catalog), "a@1.safetensors b@2.safetensors "
                             "c@2.safetensors ");
  EXPECT_TRUE(sink.list.empty());
}

TEST_F(OpenCheckpoint, TotalSize) {
  writeTwoFiles();
  std::string map = R"("weight_map":{"b":"2.safetensors",)"
                    R"("c":"2.safetensors","a":"1.safetensors"}})";
  writeIndex("{" + map);
  EXPECT_EQ(errorOf(), "no error");
  writeIndex(R"({"metadata":{"total_size":14.0},)" + map);
  EXPECT_EQ(errorOf(), "no error");
  EXPECT_TRUE(sink.list.empty());
  writeIndex(R"({"metadata":{"total_size":15},)" + map);
  EXPECT_EQ(errorOf(), "no error");
  ASSERT_EQ(sink.list.size(), 1u);
  EXPECT_EQ(sink.list[0].kind, &diag::IndexTotalSize);
  EXPECT_NE(sink.list[0].message.find(
                "gives 15 bytes as `total_size`, but the tensors have 14"),
            std::string::npos);
  writeIndex(R"({"metadata":{"total_size":"14"},)" + map);
  EXPECT_EQ(errorOf(), "reading `DIR/model.safetensors.index.json`: byte 26: "
                       "`total_size` is \"14\", expected a number of bytes");
}

TEST_F(OpenCheckpoint, IndexAndFilesMustAgree) {
  writeTwoFiles();
  auto withMap = [&](std::string_view map) {
    writeIndex(fmt::format(R"({{"weight_map":{{{}}}}})", map));
    std::string text = errorOf();
    std::string context = "reading `DIR/model.safetensors.index.json`: ";
    return text.starts_with(context) ? text.substr(context.size()) : text;
  };
  std::string bc = R"("b":"2.safetensors","c":"2.safetensors")";
  EXPECT_EQ(withMap(bc + R"(,"a":"1.safetensors")"), "no error");
  EXPECT_EQ(withMap(bc + R"(,"a":"3.safetensors")"),
            "`3.safetensors`, where `a` should be, does not exist");
  EXPECT_EQ(withMap(bc + R"(,"a":"1.safetensors","z":"1.safetensors")"),
            "the index says that `z` is in `1.safetensors`, which does not "
            "have it");
  EXPECT_EQ(withMap(R"("a":"1.safetensors","b":"2.safetensors")"),
            "`2.safetensors` has `c`, which is not in the index");
  EXPECT_EQ(withMap(bc + R"(,"a":"2.safetensors","z":"1.safetensors")"),
            "the index says that `z` is in `1.safetensors`, which does not "
            "have it; the index says that `a` is in `2.safetensors`, but it is "
            "in `1.safetensors`");
  writeTensors(folder, "1.safetensors",
               {{"a", DType::U8, {4}}, {"b", DType::F32, {2}}});
  EXPECT_EQ(withMap(bc + R"(,"a":"1.safetensors")"),
            "`b` is in both `1.safetensors` and `2.safetensors`");
}

TEST_F(OpenCheckpoint, IndexStaysInsideItsFolder) {
  for (std::string_view file : {"/etc/x", "../x", "a/../x", "..", "a/.."}) {
    writeIndex(fmt::format(R"({{"weight_map":{{"a":"{}"}}}})", file));
    std::string text = errorOf();
    EXPECT_TRUE(text.find("leaves the folder") != text.npos ||
                text.find("is absolute") != text.npos)
        << text;
  }
  writeIndex(R"({"weight_map":{"a":""}})");
  EXPECT_NE(errorOf().find("names no file"), std::string::npos);
  // Names that only look like it are fine.
  writeTensors(folder, "sub/..x.safetensors", {{"a", DType::U8, {4}}});
  writeIndex(R"({"weight_map":{"a":"sub//..x.safetensors"}})");
  EXPECT_EQ(errorOf(), "no error");
}

TEST_F(OpenCheckpoint, IndexIsChecked) {
  for (std::string_view json :
       {"", "[]", "{}", R"({"weight_map":[]})", R"({"weight_map":{"a":1}})",
        R"({"weight_map":{"a":"1","a":"1"}})", "{\"weight_map\":{}}x"}) {
    writeIndex(json);
    EXPECT_NE(errorOf(), "no error") << json;
  }
  writeIndex(std::string(200'000, '['));
  EXPECT_NE(errorOf(), "no error");
}

TEST_F(OpenCheckpoint, LinksMayLeadElsewhere) {
  TemporaryFolder blobs;
  writeTensors(blobs, "blob", {{"a", DType::U8, {4}}});
  std::filesystem::create_symlink(blobs / "blob", folder / "1.safetensors");
  writeIndex(R"({"weight_map":{"a":"1.safetensors"}})");
  EXPECT_EQ(errorOf(), "no error");
}

TEST_F(OpenCheckpoint, FolderWithoutIndex) {
  EXPECT_EQ(errorOf(), "`DIR` has no `.safetensors` file");
  folder.write("pytorch_model.bin", "");
  EXPECT_EQ(errorOf(), "`DIR` has no `.safetensors` file; `pytorch_model.bin` "
                       "is in a form that is not supported");
  writeTwoFiles();
  auto catalog = open();
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_EQ(names(*catalog),
            "a@1.safetensors b@2.safetensors c@2.safetensors ");
  // Files that repeat a name are no parts of one checkpoint.
  writeTensors(folder, "3.safetensors", {{"a", DType::U8, {4}}});
  EXPECT_EQ(errorOf(), "opening the 3 files of `DIR`, which has no index: `a` "
                       "is in both `1.safetensors` and `3.safetensors`");
  // `model.safetensors` is all there is.
  writeTensors(folder, "model.safetensors", {{"a", DType::U8, {4}}});
  catalog = open();
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_EQ(names(*catalog), "a@model.safetensors ");
  // A link that leads nowhere is not passed over.
  std::filesystem::remove(folder / "model.safetensors");
  std::filesystem::create_symlink(folder / "gone",
                                  folder / "model.safetensors");
  EXPECT_EQ(errorOf(), "`DIR/model.safetensors`: No such file or directory");
}

TEST_F(OpenCheckpoint, OtherIndexNames) {
  writeTwoFiles();
  folder.write("m.safetensors.index.json",
               R"({"weight_map":{"a":"1.safetensors"}})");
  auto catalog = open();
  ASSERT_TRUE(catalog) << catalog.error().str();
  EXPECT_EQ(names(*catalog), "a@1.safetensors ");
  folder.write("n.safetensors.index.json", "");
  EXPECT_EQ(errorOf(), "`DIR` has several indexes, as "
                       "`m.safetensors.index.json` and "
                       "`n.safetensors.index.json`; which one is meant is not "
                       "clear");
  EXPECT_EQ(errorOf("m.safetensors.index.json"), "no error");
}

TEST_F(OpenCheckpoint, MetadataIsKeptIfAllFilesAgree) {
  writeTensors(folder, "1.safetensors", {{"a", DType::U8, {4}}}, {{"k", "v"}});
  writeTensors(folder, "2.safetensors", {{"b", DType::U8, {4}}}, {{"k", "v"}});
  EXPECT_EQ(open()->metadata.at("k"), "v");
  writeTensors(folder, "2.safetensors", {{"b", DType::U8, {4}}}, {{"k", "w"}});
  EXPECT_TRUE(open()->metadata.empty());
}

TEST_F(OpenCheckpoint, NoSuchPath) {
  EXPECT_EQ(errorOf("none"), "`DIR/none`: No such file or directory");
}

TEST(AllFormats, HasSafetensors) {
  ASSERT_FALSE(allFormats().empty());
  EXPECT_EQ(allFormats()[0].name, "safetensors");
}

} // namespace
