//===- ComparisonTest.cpp - Tensors that must be equal ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanBuilder.h"
#include "TileReader.h"

namespace aoa {
namespace {

/// Files `a` and `b` of a tensor [30, 20] of I32, `b` transposed; both are
/// compared, and `a` becomes `w` in file `t`.
struct Example {
  explicit Example(const TestFolder &folder) : folder(folder) {
    plan.sourceRoot = folder / "src";
    for (int32_t row = 0; row < rows; ++row)
      for (int32_t column = 0; column < columns; ++column) {
        a[row * columns + column] = 1000 * row + column;
        b[column * rows + row] = 1000 * row + column;
      }
    const int64_t bytes = sizeof(int32_t) * rows * columns;
    plan.sources = {{"a", bytes, 0}, {"b", bytes, 0}};
    plan.elementOps = {castOps({DType::I32})};
    TargetRegion left{"a", DType::I32, {rows, columns}, 0, bytes, "", 0, {}};
    TargetRegion right = left;
    right.tensor = "b";
    setTransfers(plan, left, {{0, 0, 0, 0, {{rows * columns, 1, 1}}}});
    setTransfers(plan, right,
                 {{1, 0, 0, 0, {{rows, 1, columns}, {columns, rows, 1}}}});
    TargetRegion written = left;
    written.tensor = "w";
    plan.targets = {{"t", bytes, "", {written}}};
    plan.comparisons = {{"a tied to a", left, left}, {"why", left, right}};
    options.output = folder / "out";
    options.threads = 3;
    options.tileBytes = 64;
  }

  std::string run() {
    for (auto [name, values] : {std::pair("a", &a), std::pair("b", &b)})
      writeFile(folder / "src/" + name,
                {reinterpret_cast<const char *>(values->data()),
                 values->size() * sizeof(int32_t)});
    Expected<RunReport> done = execute(plan, options);
    if (done)
      report = *done;
    return done ? "" : done.error().str();
  }

  static constexpr int32_t rows = 30, columns = 20;
  const TestFolder &folder;
  std::vector<int32_t> a = std::vector<int32_t>(rows * columns);
  std::vector<int32_t> b = a;
  TransferPlan plan;
  RunOptions options;
  RunReport report;
};

TEST(Comparison, EqualTensorsLetTheRunGoOn) {
  TestFolder folder;
  Example example(folder);
  EXPECT_EQ(example.run(), "");
  EXPECT_EQ(filesIn(example.options.output),
            expectedFiles(example.plan, example.plan.sourceRoot));
  EXPECT_GE(example.report.bytesRead, 5 * 2400);
  EXPECT_EQ(example.report.bytesWritten, 2400);
}

TEST(Comparison, TheFirstDifferenceIsShownAndNothingIsLeft) {
  TestFolder folder;
  Example example(folder);
  for (int64_t tile : {8, 64, 1 << 20})
    for (unsigned threads : {1u, 4u}) {
      example.options.tileBytes = tile;
      example.options.threads = threads;
      example.b[7 * Example::rows + 12] = -5;
      example.b[3 * Example::rows + 29] = -6;
      EXPECT_EQ(example.run(), "`a` and `b` differ at [12, 7]: 12007 in `a`, "
                               "-5 in `b`; why");
      EXPECT_EQ(folder.listing(),
                (std::vector<std::string>{"src", "src/a", "src/b"}));
    }
  Expected<RunReport> failed = execute(example.plan, example.options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind(), ErrorKind::Mismatch);
}

TEST(Comparison, BytesAreComparedNotValues) {
  TestFolder folder;
  Example example(folder);
  example.plan.elementOps[0] = castOps({DType::F32});
  for (Comparison &comparison : example.plan.comparisons)
    comparison.left.dtype = comparison.right.dtype = DType::F32;
  example.plan.targets[0].regions[0].dtype = DType::F32;
  example.a[0] = 0;
  example.b[0] = int32_t(0x80000000);
  EXPECT_EQ(example.run(),
            "`a` and `b` differ at [0, 0]: 0 in `a`, -0 in `b`; why");
  example.a[0] = example.b[0] = 0x7fc00001;
  EXPECT_EQ(example.run(), "");
}

TEST(Comparison, ValuesOfThePlan) {
  TestFolder folder;
  Example example(folder);
  example.plan.sources.push_back({"", 4, 0, std::string("\x01\0\0\0", 4)});
  TargetRegion ones{"ones", DType::I32, {3, 2}, 0, 24, "", 0, {}};
  TargetRegion row{"row", DType::I32, {3, 2}, 0, 24, "", 0, {}};
  setTransfers(example.plan, ones, {{2, 0, 0, 0, {{6, 0, 1}}}});
  // Element 1 of a, 6 times; then elements 1 and 2.
  setTransfers(example.plan, row, {{0, 0, 4, 0, {{6, 0, 1}}}});
  example.plan.comparisons = {{"why", row, ones}};
  EXPECT_EQ(example.run(), "");
  setTransfers(example.plan, row, {{0, 0, 4, 0, {{3, 0, 2}, {2, 1, 1}}}});
  example.plan.comparisons = {{"why", row, ones}};
  example.options.overwrite = true;
  EXPECT_EQ(example.run(), "`row` and `ones` differ at [0, 1]: 2 in `a`, 1 in "
                           "a filled element; why");
}

TEST(Comparison, LittleMemoryIsEnough) {
  TestFolder folder;
  Example example(folder);
  example.options.tileBytes = 0;
  example.options.memoryBytes = TileBuffers::minBytes;
  EXPECT_EQ(example.run(), "");
  Expected<RunForecast> expected = forecast(example.plan, example.options);
  EXPECT_FALSE(expected); // The output exists.
  example.options.overwrite = true;
  expected = forecast(example.plan, example.options);
  ASSERT_TRUE(expected) << expected.error().str();
  EXPECT_EQ(expected->bytesToRead, 5 * 2400);
  EXPECT_LE(expected->peakMemoryBytes, 2 * TileBuffers::minBytes);
}

TEST(Comparison, OfABareRegionMayBeEmpty) {
  TestFolder folder;
  Example example(folder);
  TargetRegion empty{"e", DType::I32, {0, 2}, 0, 0, "", 0, {}};
  setTransfers(example.plan, empty, {});
  example.plan.comparisons = {{"why", empty, empty}};
  EXPECT_EQ(example.run(), "");
}

} // namespace
} // namespace aoa
