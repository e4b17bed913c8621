//===- PlanOutputTest.cpp - Splitting results into files --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "HeaderBytes.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Formats/Safetensors/Header.h"

using namespace aoa;

namespace {

std::string split(const OutputFiles &output,
                  std::span<const OutputTensor> tensors) {
  std::string text;
  for (const OutputFile &file : output.files) {
    text += file.file + "[";
    for (uint32_t tensor : file.tensors)
      text += tensors[tensor].name;
    text += "] ";
  }
  return text;
}

TEST(PlanOutput, OneFileHasNoIndex) {
  std::vector<OutputTensor> tensors = {{"a", DType::U8, {4}},
                                       {"b", DType::F32, {2}}};
  auto output = planHuggingFaceOutput(tensors, {}, 12);
  ASSERT_TRUE(output) << output.error().str();
  EXPECT_EQ(split(*output, tensors), "model.safetensors[ab] ");
  EXPECT_TRUE(output->indexes.empty());
  const OutputFile &file = output->files[0];
  auto header = safetensors::parseHeader(file.prefix, file.bytes);
  ASSERT_TRUE(header) << header.error().str();
  EXPECT_EQ(header->metadata, (safetensors::Metadata{{"format", "pt"}}));
  EXPECT_EQ(file.atBytes,
            (std::vector<int64_t>{header->dataStart + 8, header->dataStart}));
}

TEST(PlanOutput, FormatIsNotOverwritten) {
  auto output = planHuggingFaceOutput({}, {{"format", "tf"}, {"x", "y"}}, 1);
  ASSERT_TRUE(output);
  ASSERT_EQ(output->files.size(), 1u);
  auto header =
      safetensors::parseHeader(output->files[0].prefix, output->files[0].bytes);
  EXPECT_EQ(header->metadata,
            (safetensors::Metadata{{"format", "tf"}, {"x", "y"}}));
}

TEST(PlanOutput, SplitsGreedilyInNameOrder) {
  std::vector<OutputTensor> tensors = {
      {"a", DType::U8, {4}}, {"b", DType::U8, {4}}, {"c", DType::U8, {4}},
      {"d", DType::U8, {9}}, {"e", DType::U8, {0}}, {"f", DType::U8, {8}},
      {"g", DType::U8, {1}}};
  auto output = planHuggingFaceOutput(tensors, {}, 8);
  ASSERT_TRUE(output) << output.error().str();
  // As huggingface_hub: `d` is too large, gets a file and does not end the one
  // that `c` began.
  EXPECT_EQ(split(*output, tensors), "model-00001-of-00005.safetensors[ab] "
                                     "model-00002-of-00005.safetensors[d] "
                                     "model-00003-of-00005.safetensors[ce] "
                                     "model-00004-of-00005.safetensors[f] "
                                     "model-00005-of-00005.safetensors[g] ");
  ASSERT_EQ(output->indexes.size(), 1u);
  EXPECT_EQ(output->indexes[0].first, "model.safetensors.index.json");
}

TEST(PlanOutput, IndexIsWrittenAsTransformersDoes) {
  std::vector<OutputTensor> tensors = {{"a", DType::U8, {4}},
                                       {"b\"\n\x7f", DType::U8, {4}},
                                       {"é😀", DType::U8, {4}}};
  auto output = planHuggingFaceOutput(tensors, {}, 8);
  ASSERT_TRUE(output) << output.error().str();
  EXPECT_EQ(output->indexes[0].second, R"({
  "metadata": {
    "total_size": 12
  },
  "weight_map": {
    "a": "model-00001-of-00002.safetensors",
    "b\"\n\u007f": "model-00001-of-00002.safetensors",
    "\u00e9\ud83d\ude00": "model-00002-of-00002.safetensors"
  }
}
)");
}

TEST(PlanOutput, RefusesWhatCannotBe) {
  std::vector<OutputTensor> tensors = {{"a", DType::U8, {INT64_MAX}},
                                       {"b", DType::U8, {4}}};
  EXPECT_FALSE(planHuggingFaceOutput(tensors, {}, 8));
  EXPECT_FALSE(planHuggingFaceOutput({}, {}, 0));
  std::vector<OutputTensor> twice = {{"a", DType::U8, {1}},
                                     {"a", DType::U8, {1}}};
  EXPECT_EQ(planSingleFile("x/y", twice, {}).error().str(),
            "laying out `x/y`: two tensors of one file are called `a`");
}

TEST(PlanOutput, SingleFile) {
  std::vector<OutputTensor> tensors = {{"a", DType::U8, {4}}};
  auto file = planSingleFile("rank_00000.safetensors", tensors, {});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->file, "rank_00000.safetensors");
  EXPECT_EQ(file->tensors, std::vector<uint32_t>{0});
  EXPECT_EQ(file->bytes, static_cast<int64_t>(file->prefix.size()) + 4);
}

} // namespace
