//===- MakeCheckpointTest.cpp - Checkpoints for tests -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/MakeCheckpoint.h"
#include "HeaderBytes.h"
#include "MakeCheckpoint/ElementValues.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Formats/Checkpoint.h"

#include <cstring>
#include <set>

using namespace aoa;

namespace {

Catalog catalogOf(std::vector<Tensor> tensors) {
  Catalog catalog;
  catalog.tensors = std::move(tensors);
  EXPECT_FALSE(sortByName(catalog.tensors));
  return catalog;
}

template <typename Element>
std::vector<Element> elements(std::string_view bytes) {
  std::vector<Element> values(bytes.size() / sizeof(Element));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Element));
  return values;
}

TEST(ElementValues, NumbersRunOverAllTensors) {
  ElementNumbering numbering(10);
  char bytes[64];
  numbering.valuesOf({"a", DType::I32, {2, 2}, {}}).fill(1, 2, bytes);
  EXPECT_EQ(elements<int32_t>({bytes, 8}), (std::vector<int32_t>{12, 13}));
  numbering.valuesOf({"b", DType::BF16, {100}, {}});
  numbering.valuesOf({"c", DType::F64, {}, {}}).fill(0, 1, bytes);
  EXPECT_EQ(elements<double>({bytes, 8}), std::vector<double>{15});
  // One more than F32 can count: hashed, and takes no numbers.
  numbering.valuesOf({"d", DType::F32, {(1 << 24) - 14}, {}}).fill(0, 1, bytes);
  EXPECT_NE(elements<float>({bytes, 4}), std::vector<float>{16});
  ElementValues last =
      numbering.valuesOf({"e", DType::F32, {(1 << 24) - 15}, {}});
  last.fill((1 << 24) - 16, 1, bytes);
  EXPECT_EQ(elements<float>({bytes, 4}), std::vector<float>{1 << 24});
  last.fill((1 << 24) - 17, 1, bytes);
  EXPECT_EQ(elements<float>({bytes, 4}), std::vector<float>{(1 << 24) - 1});
}

TEST(ElementValues, HashesAreFiniteAndDependOnTheSeed) {
  constexpr int64_t count = 1 << 16;
  std::string bytes(count * 2, '\0'), other = bytes;
  ElementNumbering(0)
      .valuesOf({"w", DType::BF16, {count}, {}})
      .fill(0, count, bytes.data());
  for (uint16_t bits : elements<uint16_t>(bytes))
    ASSERT_NE(bits & 0x7F80, 0x7F80);
  ElementNumbering(0)
      .valuesOf({"w", DType::F16, {count}, {}})
      .fill(0, count, other.data());
  for (uint16_t bits : elements<uint16_t>(other))
    ASSERT_NE(bits & 0x7C00, 0x7C00);
  ElementNumbering(1)
      .valuesOf({"w", DType::BF16, {count}, {}})
      .fill(0, count, other.data());
  EXPECT_NE(bytes, other);

  std::set<uint8_t> seen;
  std::string narrow(count, '\0');
  for (DType dtype : {DType::F8_E5M2, DType::F8_E4M3, DType::BOOL}) {
    ElementNumbering(0)
        .valuesOf({"w", dtype, {count}, {}})
        .fill(0, count, narrow.data());
    for (uint8_t bits : elements<uint8_t>(narrow)) {
      if (dtype == DType::F8_E5M2)
        ASSERT_NE(bits & 0x7C, 0x7C);
      else if (dtype == DType::F8_E4M3)
        ASSERT_NE(bits & 0x7F, 0x7F);
      else
        ASSERT_LE(bits, 1);
    }
  }
}

TEST(ElementValues, SpansAgree) {
  std::string whole(300, '\0'), parts(300, '\0');
  ElementValues values =
      ElementNumbering(3).valuesOf({"w", DType::U8, {300}, {}});
  values.fill(0, 300, whole.data());
  values.fill(100, 200, parts.data() + 100);
  values.fill(0, 100, parts.data());
  EXPECT_EQ(whole, parts);
}

TEST(MakeCheckpoint, HuggingFaceFolder) {
  TemporaryFolder folder;
  Catalog catalog = catalogOf({{"b", DType::F32, {3, 2}, {}},
                               {"a", DType::I64, {2}, {}},
                               {"c", DType::F4, {2, 4}, {}},
                               {"d", DType::U8, {0, 4}, {}},
                               {"e", DType::BF16, {}, {}}});
  auto made = makeCheckpoint(catalog, {.output = folder / "new/out"});
  ASSERT_TRUE(made) << made.error().str();
  EXPECT_EQ(made->files, 1);
  DiagnosticList sink;
  auto opened = openCheckpoint(folder / "new/out", nullptr, sink);
  ASSERT_TRUE(opened) << opened.error().str();
  ASSERT_EQ(opened->tensors.size(), 5u);
  EXPECT_EQ(opened->storages[0].bytes, made->bytes);
  std::string bytes = folder.read("new/out/model.safetensors");
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), made->bytes);
  auto at = [&](size_t tensor) {
    return static_cast<size_t>(opened->tensors[tensor].places[0].atBytes);
  };
  EXPECT_EQ(elements<int64_t>(bytes.substr(at(0), 16)),
            (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(elements<float>(bytes.substr(at(1), 24)),
            (std::vector<float>{3, 4, 5, 6, 7, 8}));

  auto again = makeCheckpoint(catalog, {.output = folder / "new/out"});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind(), ErrorKind::Exists);
}

TEST(MakeCheckpoint, SplitsAndWritesAnIndex) {
  TemporaryFolder folder;
  Catalog catalog =
      catalogOf({{"a", DType::I32, {1 << 19}, {}}, {"b", DType::I32, {4}, {}}});
  auto made = makeCheckpoint(
      catalog, {.output = folder / "out", .maxShardBytes = 1 << 20});
  ASSERT_TRUE(made) << made.error().str();
  EXPECT_EQ(made->files, 3);
  DiagnosticList sink;
  auto opened = openCheckpoint(folder / "out", nullptr, sink);
  ASSERT_TRUE(opened) << opened.error().str();
  EXPECT_TRUE(sink.list.empty());
  // Longer than a buffer.
  std::string bytes = folder.read("out/model-00001-of-00002.safetensors");
  std::vector<int32_t> values =
      elements<int32_t>(std::string_view(bytes).substr(
          static_cast<size_t>(opened->tensors[0].places[0].atBytes)));
  ASSERT_EQ(values.size(), size_t(1) << 19);
  for (size_t i = 0; i != values.size(); ++i)
    ASSERT_EQ(values[i], static_cast<int32_t>(i) + 1);
}

/// Puts the blocks of all shards back together and compares them with the
/// running numbers.
void expectNumbers(const TemporaryFolder &folder, std::string_view output,
                   const Catalog &catalog, int32_t first) {
  for (const Tensor &tensor : catalog.tensors) {
    int64_t numElements = 1;
    for (int64_t extent : tensor.shape)
      numElements *= extent;
    std::vector<bool> seen(static_cast<size_t>(numElements));
    for (size_t i = 0; i != tensor.shards.size(); ++i) {
      const Shard &shard = tensor.shards[i];
      std::string bytes =
          folder.read(std::string(output) + "/" +
                      catalog.storages[tensor.places[i].storage.index()].file);
      for (const Block &block : shard.blocks) {
        Shape index(tensor.shape.size(), 0);
        for (bool more = true; more;) {
          int64_t full = 0, local = 0;
          for (size_t dim = 0; dim != index.size(); ++dim) {
            full =
                full * tensor.shape[dim] + block.fullOffset[dim] + index[dim];
            local = local * shard.localShape[dim] + block.localOffset[dim] +
                    index[dim];
          }
          int32_t value;
          std::memcpy(&value,
                      bytes.data() + tensor.places[i].atBytes +
                          local * static_cast<int64_t>(sizeof(value)),
                      sizeof(value));
          ASSERT_EQ(value, first + full) << tensor.name;
          seen[static_cast<size_t>(full)] = true;
          more = false;
          for (size_t dim = index.size(); dim-- != 0;) {
            if (++index[dim] != block.shape[dim]) {
              more = true;
              break;
            }
            index[dim] = 0;
          }
        }
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0) << tensor.name;
    first += static_cast<int32_t>(numElements);
  }
}

TEST(MakeCheckpoint, RankFilesHoldPartsOfTheSameValues) {
  constexpr std::string_view layoutJson = R"({"schema":"aoa.layout/1",
    "mesh":{"dp":2,"tp":3},
    "rules":[
      {"match":"col","shard":{"1":"tp"}},
      {"match":"pad","shard":{"0":"tp"},"pad":{"0":9},"shape":[7,2]},
      {"match":"row","shard":{"0":"tp"},"chunk":"ceil"},
      {"match":"seg","shard":{"0":"tp"},"segments":{"0":[6,3]}},
      {"match":"*","replicate":true,"on":{"dp":1}}]})";
  DiagnosticList sink;
  auto layout = parseLayout(layoutJson, FileId(0), sink);
  ASSERT_TRUE(layout) << sink.list.back().message;
  Catalog catalog = catalogOf({{"col", DType::I32, {4, 6, 2}, {}},
                               {"pad", DType::I32, {7, 2}, {}},
                               {"row", DType::I32, {4, 5}, {}},
                               {"scalar", DType::I32, {}, {}},
                               {"seg", DType::I32, {9, 2}, {}}});
  TemporaryFolder folder;
  auto made =
      makeCheckpoint(catalog, {.output = folder / "out", .layout = &*layout});
  ASSERT_TRUE(made) << made.error().str();
  EXPECT_EQ(made->files, 6);
  auto opened = openCheckpoint(folder / "out", &*layout, sink);
  ASSERT_TRUE(opened) << opened.error().str();
  for (const Diagnostic &diagnostic : sink.list)
    ADD_FAILURE() << diagnostic.message;
  ASSERT_EQ(opened->tensors.size(), 5u);
  for (size_t i = 0; i != 5; ++i)
    EXPECT_EQ(opened->tensors[i].shape, catalog.tensors[i].shape);
  expectNumbers(folder, "out", *opened, 1);
}

TEST(MakeCheckpoint, RefusesWhatTheLayoutCannotPlace) {
  DiagnosticList sink;
  auto layout = parseLayout(
      R"({"schema":"aoa.layout/1","mesh":{"tp":2},"rules":[)"
      R"({"match":"w*","shard":{"0":"tp"}}],"files":"same.safetensors"})",
      FileId(0), sink);
  ASSERT_TRUE(layout);
  TemporaryFolder folder;
  auto errorOf = [&](Tensor tensor) {
    auto made = makeCheckpoint(catalogOf({std::move(tensor)}),
                               {.output = folder / "out", .layout = &*layout});
    return made ? "no error" : made.error().str();
  };
  EXPECT_EQ(errorOf({"x", DType::I32, {4}, {}}),
            "placing `x`: no rule of the layout matches it");
  EXPECT_EQ(errorOf({"w", DType::I32, {4}, {}}),
            "placing `w`: ranks 0 and 1 share the file `same.safetensors`, but "
            "hold different parts");
  EXPECT_EQ(errorOf({"w", DType::F4, {4}, {}}),
            "placing `w`: F4 can be made whole only");
  EXPECT_NE(errorOf({"w", DType::I32, {3}, {}}), "no error");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

} // namespace
