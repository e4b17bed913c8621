//===- VerifyOutputTest.cpp - Differences are found -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FormatElement.h"
#include "PlanBuilder.h"

namespace aoa {
namespace {

namespace fs = std::filesystem;

struct Written {
  Written() {
    plan.sourceRoot = folder / "src";
    PlanBuilder builder(plan.sourceRoot, 1);
    builder.addSource(plan, 24);
    writeFile(folder / "src/config.json", "{}");
    const int32_t values[] = {1, 2, 3, 4, 5, 6};
    writeFile(folder / "src/s0",
              {reinterpret_cast<const char *>(values), sizeof(values)});
    plan.elementOps = {castOps({DType::I32})};
    TargetRegion region{"w", DType::I32, {3, 2}, 5, 24, "", 0, {}};
    setTransfers(plan, region, {{0, 0, 0, 0, {{3, 1, 2}, {2, 3, 1}}}});
    plan.targets = {{"t", 29, "12345", {region}}, {"u", 29, "12345", {region}}};
    plan.indexes = {{"index.json", "{}\n"}};
    plan.copies = {{"config.json", 2}};
    options.output = folder / "out";
    options.tileBytes = 8;
    EXPECT_TRUE(execute(plan, options));
  }

  /// The differences, one a line.
  std::string differences() {
    Expected<std::vector<Difference>> result = verifyOutput(plan, options);
    if (!result)
      return "error: " + result.error().str();
    std::string text;
    for (const Difference &d : *result)
      text += d.file + " " + d.tensor + formatShape(d.index) + ": " + d.found +
              ", expected " + d.expected + "\n";
    return text;
  }

  void patch(const std::string &file, size_t at, std::string_view bytes) {
    std::string text = readFile(folder / file);
    text.replace(at, bytes.size(), bytes);
    writeFile(folder / file, text);
  }

  TestFolder folder;
  TransferPlan plan;
  RunOptions options;
};

TEST(VerifyOutput, NothingDiffers) { EXPECT_EQ(Written().differences(), ""); }

TEST(VerifyOutput, Elements) {
  Written written;
  written.patch("out/t", 5 + 4 * 4, std::string(1, '\xff'));
  written.patch("out/u", 5 + 3, std::string(1, '\x80'));
  EXPECT_EQ(written.differences(), "t w[2, 0]: 255, expected 3\n"
                                   "u w[0, 0]: -2147483647, expected 1\n");
}

TEST(VerifyOutput, OtherBytes) {
  Written written;
  written.patch("out/t", 2, "x");
  written.patch("out/index.json", 1, "]");
  written.patch("out/config.json", 0, "[");
  writeFile(written.folder / "out/sub/extra", "");
  EXPECT_EQ(written.differences(),
            "config.json []: byte 0x5b at offset 0, expected byte 0x7b\n"
            "index.json []: byte 0x5d at offset 1, expected byte 0x7d\n"
            "sub/extra []: a file, expected no file\n"
            "t []: byte 0x78 at offset 2, expected byte 0x33\n");
}

TEST(VerifyOutput, FilesAndSizes) {
  Written written;
  fs::remove(written.folder / "out/t");
  fs::resize_file(written.folder / "out/u", 30);
  fs::remove(written.folder / "out/config.json");
  EXPECT_EQ(written.differences(), "config.json []: no file, expected a file\n"
                                   "t []: no file, expected a file\n"
                                   "u []: 30 bytes, expected 29 bytes\n");
}

TEST(VerifyOutput, NoOutput) {
  Written written;
  fs::remove_all(written.folder / "out");
  EXPECT_TRUE(written.differences().starts_with("error: listing"));
}

TEST(FormatElement, AllKinds) {
  const auto format = [](DType dtype, uint64_t bits) {
    return formatElement(dtype, reinterpret_cast<const std::byte *>(&bits), 0);
  };
  EXPECT_EQ(format(DType::F32, 0x3fc00000), "1.5");
  EXPECT_EQ(format(DType::F32, 0x80000000), "-0");
  EXPECT_EQ(format(DType::F32, 0x7fc00001), "nan (0x7fc00001)");
  EXPECT_EQ(format(DType::BF16, 0xff80), "-inf");
  EXPECT_EQ(format(DType::F8_E4M3, 0x7e), "448");
  EXPECT_EQ(format(DType::F64, 0x3fb999999999999a), "0.1");
  EXPECT_EQ(format(DType::BOOL, 1), "true");
  EXPECT_EQ(format(DType::I16, 0xffff), "-1");
  EXPECT_EQ(format(DType::U64, ~0ull), "18446744073709551615");
  EXPECT_EQ(format(DType::C64, 0x3f8000003fc00000), "1.5, 1i");
  EXPECT_EQ(format(DType::F8_E8M0, 0x7f), "0x7f");
  const std::byte packed[] = {std::byte(0xab), std::byte(0xcd),
                              std::byte(0xef)};
  EXPECT_EQ(formatElement(DType::F4, packed, 1), "0xa");
  EXPECT_EQ(formatElement(DType::F6_E2M3, packed, 3), "0x3b");
}

TEST(CompareValues, FindsDifferences) {
  Written left, right;
  for (Written *side : {&left, &right}) {
    side->plan.targets.pop_back();
    TargetRegion &region = side->plan.targets[0].regions[0];
    setTransfers(side->plan, region, {{0, 0, 0, 0, {{6, 1, 1}}}});
  }
  // The prefix does not count.
  right.plan.targets[0].prefix = "123";
  right.plan.targets[0].bytes = 27;
  right.plan.targets[0].regions[0].atBytes = 3;
  const auto compare = [&] {
    return compareValues(left.plan, right.plan, left.options);
  };
  Expected<std::vector<ValueDifference>> result = compare();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_TRUE(result->empty());

  const int32_t values[] = {1, 2, 3, 40, 5, 60};
  writeFile(right.folder / "src/s0",
            {reinterpret_cast<const char *>(values), sizeof(values)});
  result = compare();
  ASSERT_TRUE(result);
  ASSERT_EQ(result->size(), 1u);
  EXPECT_EQ((*result)[0].tensor, "w");
  EXPECT_EQ((*result)[0].index, (Shape{1, 1}));
  EXPECT_EQ((*result)[0].left, "4");
  EXPECT_EQ((*result)[0].right, "40");
  EXPECT_EQ((*result)[0].numElements, 2);

  right.plan.targets[0].regions[0].shape = {6};
  EXPECT_FALSE(compare());
}

} // namespace
} // namespace aoa
