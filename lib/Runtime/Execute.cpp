//===- Execute.cpp - Running a plan, files to files -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Runtime/Execute.h"

#include "RefuseSourceAsOutput.h"
#include "RunComparisons.h"
#include "WriteTargets.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/JoinPath.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace aoa {

namespace {

int64_t numFiles(const TransferPlan &plan) {
  return static_cast<int64_t>(plan.targets.size() + plan.indexes.size() +
                              plan.copies.size());
}

/// What `execute` checks before it writes anything.
struct CheckedRun {
  RunSetup setup;
  OutputPlace place;
  int64_t freeBytes;
};

Expected<CheckedRun> checkRun(const TransferPlan &plan,
                              const RunOptions &options) {
  Expected<OutputPlace> place =
      findOutputPlace(options.output, options.overwrite);
  if (!place)
    return failWith(std::move(place));
  Expected<RunSetup> setup = setUpRun(plan, options, options.memoryBytes);
  if (!setup)
    return failWith(std::move(setup));
  if (Expected<void> done =
          refuseSourceAsOutput(plan, setup->sourceRoot, *place);
      !done)
    return failWith(std::move(done));
  Expected<int64_t> freeBytes = freeBytesAt(*place);
  if (!freeBytes)
    return failWith(std::move(freeBytes));
  return CheckedRun{std::move(*setup), std::move(*place), *freeBytes};
}

Expected<void> copySideFiles(const TransferPlan &plan, const RunSetup &setup,
                             OutputDirectory &output, Workers &workers,
                             RunReport &report) {
  constexpr int64_t chunkBytes = 256 << 10;
  const auto chunk = std::make_unique<std::byte[]>(chunkBytes);
  for (const CopiedFile &copy : plan.copies) {
    Expected<NamedFile> src =
        openUnchanged(joinPath(setup.sourceRoot, copy.file), copy.bytes);
    if (!src)
      return failWith(std::move(src));
    Expected<NamedFile> dst = output.create(copy.file);
    if (!dst)
      return failWith(std::move(dst));
    for (int64_t at = 0; at < copy.bytes; at += chunkBytes) {
      if (Expected<void> go = workers.checkStop(); !go)
        return go;
      const int64_t bytes = std::min(chunkBytes, copy.bytes - at);
      if (Expected<void> done = readAt(*src, chunk.get(), bytes, at); !done)
        return done;
      if (Expected<void> done = writeAt(*dst, chunk.get(), bytes, at); !done)
        return done;
      workers.addProgress(bytes);
    }
    if (!dst->fd.close())
      return failErrno(errno, "closing", dst->path);
    report.bytesRead += copy.bytes;
  }
  return {};
}

Expected<void> writeIndexes(const TransferPlan &plan, OutputDirectory &output,
                            Workers &workers) {
  for (const IndexFile &index : plan.indexes) {
    if (Expected<void> go = workers.checkStop(); !go)
      return go;
    Expected<NamedFile> file = output.create(index.file);
    if (!file)
      return failWith(std::move(file));
    const auto bytes = static_cast<int64_t>(index.text.size());
    if (Expected<void> done = writeAt(
            *file, reinterpret_cast<const std::byte *>(index.text.data()),
            bytes, 0);
        !done)
      return done;
    if (!file->fd.close())
      return failErrno(errno, "closing", file->path);
    workers.addProgress(bytes);
  }
  return {};
}

} // namespace

Expected<RunForecast> forecast(const TransferPlan &plan,
                               const RunOptions &options) {
  Expected<CheckedRun> run = checkRun(plan, options);
  if (!run)
    return failWith(std::move(run));
  RunForecast result;
  result.files = numFiles(plan);
  result.bytesToRead = plan.bytesToRead();
  for (const CopiedFile &copy : plan.copies)
    result.bytesToRead =
        checkedAdd(result.bytesToRead, copy.bytes).value_or(INT64_MAX);
  result.bytesToWrite = plan.outputBytes();
  result.peakMemoryBytes =
      std::max(run->setup.numThreads * run->setup.shares.total(),
               memoryOfComparisons(plan, run->setup, options));
  result.freeBytes = run->freeBytes;
  return result;
}

Expected<RunReport> execute(const TransferPlan &plan,
                            const RunOptions &options) {
  Expected<CheckedRun> run = checkRun(plan, options);
  if (!run)
    return failWith(std::move(run));
  const int64_t needed = plan.outputBytes();
  if (needed > run->freeBytes)
    return fail(ErrorKind::Io,
                fmt::format("the result needs {} bytes, but only {} are free "
                            "at `{}`",
                            needed, run->freeBytes, run->place.path));
  RunReport report;
  Workers workers(options,
                  checkedAdd(needed, plan.comparedBytes()).value_or(INT64_MAX));
  if (Expected<void> equal =
          runComparisons(plan, run->setup, options, workers, report);
      !equal)
    return failWith(std::move(equal));

  Expected<std::unique_ptr<OutputDirectory>> output =
      OutputDirectory::prepare(run->place);
  if (!output)
    return failWith(std::move(output));
  if (Expected<void> done =
          writeTargets(plan, run->setup, **output, workers, report);
      !done)
    return failWith(std::move(done));
  if (Expected<void> done =
          copySideFiles(plan, run->setup, **output, workers, report);
      !done)
    return failWith(std::move(done));
  if (Expected<void> done = writeIndexes(plan, **output, workers); !done)
    return failWith(std::move(done));
  if (Expected<void> go = workers.checkStop(); !go)
    return failWith(std::move(go));
  workers.report();
  report.bytesWritten = needed;
  report.files = numFiles(plan);
  report.seconds = workers.seconds();
  if (options.beforePublish)
    if (Expected<void> go = options.beforePublish((*output)->stagingFolder());
        !go)
      return failWith(std::move(go));
  std::vector<std::string> indexNames;
  for (const IndexFile &index : plan.indexes)
    indexNames.push_back(index.file);
  if (Expected<void> done = (*output)->publish(indexNames); !done)
    return failWith(std::move(done));
  return report;
}

} // namespace aoa
