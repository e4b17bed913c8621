//===- LayOutFileTest.cpp - Writing safetensors headers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Golden bytes are those of the reference library for the same tensors.
//===----------------------------------------------------------------------===//
#include "HeaderBytes.h"
#include "aoa/Formats/Safetensors/Header.h"

using namespace aoa;
using namespace aoa::safetensors;

namespace {

TEST(LayOutFile, SortsByDTypeThenName) {
  std::vector<TensorSpec> tensors = {{"b", DType::U8, {3}},
                                     {"c", DType::F32, {1, 2}},
                                     {"a", DType::F32, {}},
                                     {"z", DType::BF16, {0, 4}}};
  auto image = layOutFile(tensors, {{"format", "pt"}, {"a", "\x01\"é/"}});
  ASSERT_TRUE(image) << image.error().str();
  std::string json =
      R"({"__metadata__":{"a":"\u0001\"é/","format":"pt"},)"
      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("c":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]},)"
      R"("z":{"dtype":"BF16","shape":[0,4],"data_offsets":[12,12]},)"
      R"("b":{"dtype":"U8","shape":[3],"data_offsets":[12,15]}})";
  while (json.size() % 8 != 0)
    json += ' ';
  EXPECT_EQ(image->prefix, headerBytes(json));
  int64_t start = static_cast<int64_t>(json.size()) + 8;
  EXPECT_EQ(image->atBytes,
            (std::vector<int64_t>{start + 12, start + 4, start, start + 12}));
  EXPECT_EQ(image->fileBytes, start + 15);
}

TEST(LayOutFile, NoTensorsAndNoMetadata) {
  auto image = layOutFile({}, {});
  ASSERT_TRUE(image);
  EXPECT_EQ(image->prefix, headerBytes("{}      "));
  EXPECT_EQ(image->fileBytes, 16);
}

TEST(LayOutFile, WhatIsWrittenIsRead) {
  std::vector<TensorSpec> tensors = {
      {"x\"\\\b\f\n\r\t\x1f\x7f", DType::I64, {2}},
      {"", DType::F4, {4}},
      {"😀", DType::C64, {1}}};
  auto image = layOutFile(tensors, {{"k", "v\n"}});
  ASSERT_TRUE(image);
  auto header = parseHeader(image->prefix, image->fileBytes);
  ASSERT_TRUE(header) << header.error().str();
  ASSERT_EQ(header->entries.size(), tensors.size());
  for (size_t i = 0; i != tensors.size(); ++i)
    for (const Entry &entry : header->entries)
      if (entry.name == tensors[i].name) {
        EXPECT_EQ(entry.dtype, tensors[i].dtype);
        EXPECT_EQ(entry.shape, tensors[i].shape);
        EXPECT_EQ(entry.atBytes, image->atBytes[i]);
      }
  EXPECT_EQ(header->metadata, (Metadata{{"k", "v\n"}}));
}

TEST(LayOutFile, RefusesWhatAReaderWouldRefuse) {
  auto errorOf = [](const TensorSpec &spec) {
    auto image = layOutFile(std::span(&spec, 1), {});
    return image ? "no error" : image.error().str();
  };
  EXPECT_EQ(errorOf({"\xff", DType::U8, {1}}), "`\xff`: the name is not UTF-8");
  EXPECT_EQ(errorOf({std::string_view("a\0", 2), DType::U8, {1}}),
            "`a\\x00`: the name has a NUL in it");
  EXPECT_EQ(errorOf({"__metadata__", DType::U8, {1}}),
            "`__metadata__`: safetensors keeps this name for itself");
  EXPECT_EQ(errorOf({"a", DType::F4, {3}}),
            "`a`: the size of [3] of F4 is no whole number of bytes below "
            "2^63");
  EXPECT_NE(errorOf({"a", DType::U8, Shape(65, 1)}), "no error");
  EXPECT_NE(errorOf({"a", DType::U8, {INT64_MAX}}), "no error");
  std::vector<TensorSpec> twice = {{"a", DType::U8, {1}},
                                   {"a", DType::I8, {1}}};
  EXPECT_EQ(layOutFile(twice, {}).error().str(),
            "two tensors of one file are called `a`");
  std::vector<TensorSpec> sum = {{"a", DType::U8, {INT64_MAX / 2}},
                                 {"b", DType::U8, {INT64_MAX / 2}},
                                 {"c", DType::U8, {INT64_MAX / 2}}};
  EXPECT_FALSE(layOutFile(sum, {}));
}

TEST(LayOutFile, HeaderIsLimited) {
  std::string longName(60'000'000, 'x');
  std::vector<TensorSpec> tensors = {{longName, DType::U8, {1}},
                                     {longName, DType::U8, {1}}};
  std::string other = longName + "y";
  tensors[1].name = other;
  auto image = layOutFile(tensors, {});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind(), ErrorKind::Limit);
}

} // namespace
