//===- ExecuteTest.cpp - Plans run on real files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanBuilder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aoa {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST(Execute, RandomPlans) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    TestFolder folder;
    PlanBuilder builder(folder / "src", seed);
    const TransferPlan plan = builder.randomPlan(seed % 5 == 0 ? 100000 : 3000);
    const auto expected = expectedFiles(plan, folder / "src");
    for (unsigned threads : {1u, 3u})
      for (int64_t tileBytes : {0, 8, 100, 5000})
        for (int64_t memory : {int64_t(1), int64_t(400) << 10}) {
          if (tileBytes == 8 && seed % 5 == 0)
            continue; // Slow.
          RunOptions options;
          options.output = folder / "out";
          options.overwrite = true;
          options.threads = threads;
          options.tileBytes = tileBytes;
          options.memoryBytes = memory;
          Expected<RunReport> report = execute(plan, options);
          ASSERT_TRUE(report) << report.error().str() << " seed " << seed;
          ASSERT_TRUE(filesIn(options.output) == expected) << "seed " << seed;
          EXPECT_EQ(report->bytesWritten, plan.outputBytes());
          Expected<std::vector<Difference>> differences =
              verifyOutput(plan, options);
          ASSERT_TRUE(differences) << differences.error().str();
          ASSERT_TRUE(differences->empty());
        }
    EXPECT_EQ(folder.listing()[0], "out");
  }
}

/// A source `s` of 4 × 6 I32, transposed into `t`, with an index and a side
/// file in a folder.
struct Example {
  explicit Example(const TestFolder &folder) {
    plan.sourceRoot = folder / "src";
    PlanBuilder builder(plan.sourceRoot, 1);
    builder.addSource(plan, 96);
    writeFile(folder / "src/1_Pooling/config.json", "{}");
    plan.elementOps = {castOps({DType::I32})};
    TargetRegion region{"w", DType::I32, {6, 4}, 5, 96, "", 0, {}};
    setTransfers(plan, region, {{0, 0, 0, 0, {{6, 1, 4}, {4, 6, 1}}}});
    plan.targets = {{"t", 101, "12345", {region}}};
    plan.indexes = {{"index.json", "{\"t\": 1}\n"}};
    plan.copies = {{"1_Pooling/config.json", 2}};
    options.output = folder / "out";
    options.threads = 2;
  }

  std::string errorOf() const {
    Expected<RunReport> report = execute(plan, options);
    return report ? "" : report.error().str();
  }
  ErrorKind kindOf() const {
    Expected<RunReport> report = execute(plan, options);
    EXPECT_FALSE(report);
    return report ? ErrorKind::Limit : report.error().kind();
  }
  void expectRight() const {
    EXPECT_EQ(filesIn(options.output), expectedFiles(plan, plan.sourceRoot));
  }

  TransferPlan plan;
  RunOptions options;
};

const Names sourceListing = {"src", "src/1_Pooling",
                             "src/1_Pooling/config.json", "src/s0"};

TEST(Execute, OutputIsMade) {
  TestFolder folder;
  Example example(folder);
  double lastDone = -1;
  example.options.onProgress = [&](const Progress &progress) {
    EXPECT_EQ(progress.bytesTotal, 101 + 9 + 2);
    lastDone = double(progress.bytesDone);
  };
  Expected<RunReport> report = execute(example.plan, example.options);
  ASSERT_TRUE(report) << report.error().str();
  example.expectRight();
  EXPECT_EQ(lastDone, 112);
  EXPECT_EQ(report->files, 3);
  EXPECT_EQ(report->bytesWritten, 112);
  EXPECT_EQ(folder.listing().size(), sourceListing.size() + 5);
  struct stat info;
  const mode_t mask = umask(0);
  umask(mask);
  ASSERT_EQ(stat((folder / "out/t").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0666u & ~mask);
  ASSERT_EQ(stat((folder / "out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0777u & ~mask);
}

TEST(Execute, ParentsAreMadeAndRemovedOnError) {
  TestFolder folder;
  Example example(folder);
  example.options.output = folder / "a/b/out/";
  fs::resize_file(folder / "src/s0", 95);
  EXPECT_NE(example.errorOf(), "");
  EXPECT_EQ(folder.listing(), sourceListing);
  fs::resize_file(folder / "src/s0", 96);
  std::atomic<bool> stop = true;
  example.options.stop = &stop;
  EXPECT_EQ(example.kindOf(), ErrorKind::Interrupted);
  EXPECT_EQ(folder.listing(), sourceListing);
  example.options.stop = nullptr;
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
}

TEST(Execute, EmptyOutputIsFilled) {
  TestFolder folder;
  Example example(folder);
  fs::create_directories(folder / "out/.aoac-partial/stale");
  struct stat before, after;
  ASSERT_EQ(stat((folder / "out").c_str(), &before), 0);
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
  ASSERT_EQ(stat((folder / "out").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_FALSE(fs::exists(folder / "out/.aoac-partial"));
}

TEST(Execute, EmptyOutputStaysOnError) {
  TestFolder folder;
  Example example(folder);
  fs::create_directory(folder / "out");
  std::atomic<bool> stop = true;
  example.options.stop = &stop;
  EXPECT_EQ(example.kindOf(), ErrorKind::Interrupted);
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

TEST(Execute, LastLookComesBeforeTheResultAppears) {
  TestFolder folder;
  Example example(folder);
  bool isRight = false;
  example.options.beforePublish =
      [&](const std::string &staging) -> Expected<void> {
    EXPECT_FALSE(fs::exists(folder / "out"));
    RunOptions look = example.options;
    look.output = staging;
    isRight = verifyOutput(example.plan, look)->empty();
    return fail(ErrorKind::Mismatch, "not today");
  };
  EXPECT_EQ(example.errorOf(), "not today");
  EXPECT_TRUE(isRight);
  EXPECT_EQ(folder.listing(), sourceListing);

  fs::create_directory(folder / "out");
  example.options.beforePublish = [&](const std::string &) {
    EXPECT_FALSE(fs::exists(folder / "out/t"));
    return Expected<void>();
  };
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
}

TEST(Execute, ExistingOutputIsRefused) {
  TestFolder folder;
  Example example(folder);
  writeFile(folder / "out/old", "old");
  writeFile(folder / "out/older", "older");
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  EXPECT_EQ(example.errorOf(), "output `" + (folder / "out") +
                                   "` exists and is not empty: it holds `old`; "
                                   "--overwrite replaces it");
  EXPECT_EQ(filesIn(folder / "out").size(), 2u);

  example.options.overwrite = true;
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
  EXPECT_EQ(folder.listing().size(), sourceListing.size() + 5);
}

TEST(Execute, OverwritingKeepsTheOldOnError) {
  TestFolder folder;
  Example example(folder);
  writeFile(folder / "out/old", "old");
  example.options.overwrite = true;
  std::atomic<bool> stop = true;
  example.options.stop = &stop;
  EXPECT_EQ(example.kindOf(), ErrorKind::Interrupted);
  Names expected = sourceListing;
  expected.insert(expected.begin(), {"out", "out/old"});
  EXPECT_EQ(folder.listing(), expected);
}

TEST(Execute, OutputThatIsAFileOrALink) {
  TestFolder folder;
  Example example(folder);
  example.options.overwrite = true;
  writeFile(folder / "out", "a file");
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  fs::remove(folder / "out");
  fs::create_symlink("nowhere", folder / "out");
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  fs::create_directory(folder / "nowhere");
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
  EXPECT_TRUE(fs::is_symlink(folder / "out"));
  EXPECT_EQ(example.errorOf(), ""); // Overwrites through the link.
  example.expectRight();
  EXPECT_TRUE(fs::is_symlink(folder / "out"));
}

TEST(Execute, SourceIsNeverTheOutput) {
  TestFolder folder;
  Example example(folder);
  example.options.overwrite = true;
  example.options.output = folder / "src/.";
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  example.options.output = folder / "src";
  EXPECT_EQ(example.errorOf(), "output `" + (folder / "src") +
                                   "` is the source `" + (folder / "src") +
                                   "`: input and output would be the same "
                                   "files");
  example.options.output = folder.path;
  EXPECT_EQ(example.errorOf(), "source `" + (folder / "src") +
                                   "` lies inside the output `" + folder.path +
                                   "`");
  fs::create_symlink("src", folder / "link");
  example.options.output = folder / "link";
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  fs::remove(folder / "link");

  // A hard link to a file of the source in the old output, then a link.
  fs::create_directory(folder / "out");
  fs::create_hard_link(folder / "src/s0", folder / "out/x");
  example.options.output = folder / "out";
  EXPECT_EQ(example.errorOf(),
            "`" + (folder / "out/x") + "` of the output and `" +
                (folder / "src/s0") + "` of the input are the same file");
  fs::remove(folder / "out/x");
  fs::create_symlink("../src/1_Pooling/config.json", folder / "out/x");
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  // A source that is a link into the old output.
  fs::remove(folder / "out/x");
  fs::rename(folder / "src/s0", folder / "out/x");
  fs::create_symlink("../out/x", folder / "src/s0");
  EXPECT_EQ(example.kindOf(), ErrorKind::Exists);
  EXPECT_TRUE(fs::exists(folder / "out/x"));
}

TEST(Execute, SecondRunIsRefused) {
  TestFolder folder;
  Example example(folder);
  const auto lock = [](const std::string &path) {
    fs::create_directories(path);
    const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY);
    EXPECT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
    return fd;
  };
  // Absent output: the sibling is locked.
  int fd = lock(folder / ".out.aoac-partial");
  EXPECT_EQ(example.kindOf(), ErrorKind::Busy);
  EXPECT_EQ(example.errorOf(),
            "another run is writing to `" + (folder / "out") + "`");
  close(fd);
  // What is left is stale.
  writeFile(folder / ".out.aoac-partial/stale", "x");
  EXPECT_EQ(example.errorOf(), "");
  example.expectRight();
  EXPECT_FALSE(fs::exists(folder / ".out.aoac-partial"));
  // Existing output: it is locked itself.
  example.options.overwrite = true;
  fd = lock(folder / "out");
  EXPECT_EQ(example.kindOf(), ErrorKind::Busy);
  example.expectRight();
  close(fd);
  EXPECT_EQ(example.errorOf(), "");
}

TEST(Execute, StagingThatIsALinkIsNotFollowed) {
  TestFolder folder;
  Example example(folder);
  fs::create_directory(folder / "precious");
  writeFile(folder / "precious/file", "x");
  fs::create_symlink("precious", folder / ".out.aoac-partial");
  EXPECT_EQ(example.kindOf(), ErrorKind::Io);
  EXPECT_TRUE(fs::exists(folder / "precious/file"));
}

TEST(Execute, StaleSources) {
  TestFolder folder;
  Example example(folder);
  fs::resize_file(folder / "src/s0", 97);
  EXPECT_EQ(example.kindOf(), ErrorKind::Mismatch);
  EXPECT_EQ(example.errorOf(), "`" + (folder / "src/s0") +
                                   "` has changed since the plan was made: it "
                                   "has 97 bytes, expected 96");
  fs::remove(folder / "src/s0");
  EXPECT_EQ(example.kindOf(), ErrorKind::Io);
  fs::create_directory(folder / "src/s0");
  EXPECT_EQ(example.errorOf(),
            "`" + (folder / "src/s0") + "` is not a regular file");
  fs::remove(folder / "src/s0");
  ASSERT_EQ(mkfifo((folder / "src/s0").c_str(), 0600), 0);
  EXPECT_EQ(example.kindOf(), ErrorKind::Io);
  EXPECT_EQ(folder.listing(), sourceListing);

  example.plan.sources[0].file = "";
  EXPECT_EQ(example.errorOf(), "the plan was compiled from names and shapes "
                               "alone: it has no files to read");
}

TEST(Execute, FingerprintOfTheHeader) {
  TestFolder folder;
  Example example(folder);
  std::string header =
      R"({"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})";
  header.resize(80, ' ');
  writeFile(folder / "src/s0",
            std::string("\x50\0\0\0\0\0\0\0", 8) + header + "12345678");
  example.plan.sources[0].fingerprint = 1;
  EXPECT_EQ(example.kindOf(), ErrorKind::Mismatch);
  const std::string error = example.errorOf();
  EXPECT_NE(error.find("the fingerprint of its header is "), error.npos)
      << error;
  const std::string start = "the fingerprint of its header is ";
  example.plan.sources[0].fingerprint = std::stoull(
      error.substr(error.find(start) + start.size(), 16), nullptr, 16);
  EXPECT_EQ(example.errorOf(), "");
}

TEST(Execute, SideFileThatChanged) {
  TestFolder folder;
  Example example(folder);
  writeFile(folder / "src/1_Pooling/config.json", "{ }");
  EXPECT_EQ(example.kindOf(), ErrorKind::Mismatch);
  EXPECT_EQ(folder.listing(), sourceListing);
}

TEST(Execute, UnwritableParent) {
  TestFolder folder;
  Example example(folder);
  example.options.output = folder / "src/s0/out";
  EXPECT_EQ(example.kindOf(), ErrorKind::Io);
  example.options.output = "";
  EXPECT_EQ(example.errorOf(), "the output has no name");
}

TEST(Execute, NotEnoughSpace) {
  TestFolder folder;
  Example example(folder);
  // 2^59 times the first element: half an exabyte that is not there.
  example.plan.elementOps = {castOps({DType::U8})};
  TargetRegion &region = example.plan.targets[0].regions[0];
  region.dtype = DType::U8;
  region.shape = {int64_t(1) << 59};
  region.sizeBytes = int64_t(1) << 59;
  setTransfers(example.plan, region,
               {{0, 0, 0, 0, {{int64_t(1) << 59, 0, 1}}}});
  example.plan.targets[0].bytes = 5 + region.sizeBytes;
  Expected<RunForecast> forecast_ = forecast(example.plan, example.options);
  ASSERT_TRUE(forecast_) << forecast_.error().str();
  EXPECT_LT(forecast_->freeBytes, forecast_->bytesToWrite);
  const std::string error = example.errorOf();
  EXPECT_TRUE(
      error.starts_with("the result needs 576460752303423504 bytes, but only "))
      << error;
  EXPECT_EQ(folder.listing(), sourceListing);
}

/// In a child, so that the limit does not stay.
TEST(Execute, FileSizeLimit) {
  TestFolder folder;
  Example example(folder);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {50, 50};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = example.errorOf();
    const bool right = error == "making room for 101 bytes in `" +
                                    (folder / "out/t") + "`: File too large" &&
                       folder.listing() == sourceListing;
    _exit(right ? 0 : 1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Execute, Forecast) {
  TestFolder folder;
  Example example(folder);
  Expected<RunForecast> result = forecast(example.plan, example.options);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->files, 3);
  EXPECT_EQ(result->bytesToRead, 98);
  EXPECT_EQ(result->bytesToWrite, 112);
  EXPECT_GT(result->freeBytes, 0);
  EXPECT_LE(result->peakMemoryBytes, example.options.memoryBytes);
  EXPECT_EQ(folder.listing(), sourceListing);
  writeFile(folder / "out/x", "");
  EXPECT_FALSE(forecast(example.plan, example.options));
}

TEST(Execute, MemoryStaysWithinItsLimit) {
  TestFolder folder;
  Example example(folder);
  for (int64_t memory = int64_t(128) << 10; memory < int64_t(1) << 30;
       memory *= 2)
    for (unsigned threads : {0u, 1u, 2u, 64u}) {
      example.options.memoryBytes = memory;
      example.options.threads = threads;
      Expected<RunForecast> result = forecast(example.plan, example.options);
      ASSERT_TRUE(result);
      EXPECT_LE(result->peakMemoryBytes, memory);
    }
}

TEST(Execute, SubByteTensorsMoveWhole) {
  TestFolder folder;
  Example example(folder);
  example.plan.elementOps = {castOps({DType::F4})};
  example.plan.classes.clear();
  TargetRegion region{"w", DType::F4, {4, 8}, 5, 16, "", 0, {}};
  setTransfers(example.plan, region, {{0, 0, 7, 0, {{32, 1, 1}}}});
  example.plan.targets = {{"t", 21, "12345", {region}}};
  example.options.tileBytes = 9;
  EXPECT_EQ(example.errorOf(), "");
  EXPECT_EQ(readFile(folder / "out/t"),
            "12345" + readFile(folder / "src/s0").substr(7, 16));
}

TEST(Execute, OverflowsAreCounted) {
  TestFolder folder;
  Example example(folder);
  example.plan.elementOps = {castOps({DType::F32, DType::F16})};
  const float values[] = {1, 1e10f, -1e10f, 3};
  writeFile(folder / "src/s0",
            {reinterpret_cast<const char *>(values), sizeof(values)});
  example.plan.sources[0].bytes = sizeof(values);
  TargetRegion region{"w", DType::F16, {4}, 5, 8, "", 0, {}};
  setTransfers(example.plan, region, {{0, 0, 0, 0, {{4, 1, 1}}}});
  example.plan.targets = {{"t", 13, "12345", {region}}};
  Expected<RunReport> report = execute(example.plan, example.options);
  ASSERT_TRUE(report) << report.error().str();
  EXPECT_EQ(report->overflows, 2);
}

TEST(Execute, ManyTransfersManyTiles) {
  TestFolder folder;
  PlanBuilder builder(folder / "src", 3);
  TransferPlan plan;
  plan.sourceRoot = folder / "src";
  plan.elementOps = {castOps({DType::U8})};
  constexpr int64_t count = 100'000;
  builder.addSource(plan, count * 3);
  TargetRegion region{"w", DType::U8, {count, 2}, 0, count * 2, "", 0, {}};
  std::vector<PlacedTransfer> transfers;
  for (int64_t i = 0; i < count; ++i)
    transfers.push_back({0, 0, 3 * (i * 7 % count), 2 * i, {{2, 1, 1}}});
  setTransfers(plan, region, transfers);
  plan.targets = {{"t", count * 2, "", {region}}};
  RunOptions options;
  options.output = folder / "out";
  options.tileBytes = 1000;
  Expected<RunReport> report = execute(plan, options);
  ASSERT_TRUE(report) << report.error().str();
  EXPECT_EQ(filesIn(options.output), expectedFiles(plan, folder / "src"));
}

TEST(Execute, StoppedInTheMiddle) {
  TestFolder folder;
  Example example(folder);
  std::atomic<bool> stop = false;
  example.options.stop = &stop;
  // Progress is told before the result is published.
  example.options.onProgress = [&](const Progress &) { stop = true; };
  EXPECT_EQ(example.kindOf(), ErrorKind::Interrupted);
  EXPECT_EQ(folder.listing(), sourceListing);
}

} // namespace
} // namespace aoa
