//===- WriteTargets.cpp - All tensor files, by all threads ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "WriteTargets.h"

#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace aoa {

namespace {

/// One target file on its way.
struct FileJob {
  std::mutex mutex; ///< Guards opening.
  /// Once there, and good, only `nextTile` and `tilesLeft` change.
  std::optional<Expected<void>> opened;
  NamedFile file;
  FileTiles tiles;
  size_t numTiles = 0;
  std::atomic<size_t> nextTile = 0;
  std::atomic<size_t> tilesLeft = 0;
};

class TargetWriter {
public:
  TargetWriter(const TransferPlan &plan, const RunSetup &setup,
               OutputDirectory &output, Workers &workers)
      : plan(plan), setup(setup), output(output), workers(workers),
        sources(plan, setup.sourceRoot, setup.numThreads),
        jobs(plan.targets.size()) {}

  /// What one thread does.
  Expected<void> work();

  std::atomic<int64_t> bytesRead = 0;
  std::atomic<int64_t> overflows = 0;

private:
  Expected<void> openJob(size_t number);
  Expected<void> makeFile(size_t number);
  Expected<void> closeJob(size_t number);
  Expected<void> writeTiles(size_t number, TileReader &reader,
                            const TileBuffers &buffers);
  Expected<void> writeTile(const TargetFile &target, FileJob &job,
                           const Tile &tile, TileReader &reader,
                           const TileBuffers &buffers);
  Expected<bool> copyTile(const TargetFile &target, FileJob &job,
                          const Tile &tile, const TileReader &reader);

  const TransferPlan &plan;
  const RunSetup &setup;
  OutputDirectory &output;
  Workers &workers;
  SourceFiles sources;
  std::vector<FileJob> jobs;
  std::atomic<size_t> nextJob = 0;
};

Expected<void> TargetWriter::work() {
  Expected<TileBuffers> buffers = TileBuffers::allocate(setup.shares);
  if (!buffers)
    return failWith(std::move(buffers));
  TileReader reader(setup.casts, sources, *buffers);
  Expected<void> done;
  for (size_t i; done && (i = nextJob++) < jobs.size();)
    done = writeTiles(i, reader, *buffers);
  // Every file has its thread now: help them.
  for (size_t i = 0; done && i < jobs.size(); ++i)
    done = writeTiles(i, reader, *buffers);
  bytesRead += reader.bytesRead();
  overflows += reader.overflows();
  return done;
}

/// The first thread makes the file; why it failed is what all others learn.
Expected<void> TargetWriter::openJob(size_t number) {
  FileJob &job = jobs[number];
  const std::lock_guard lock(job.mutex);
  if (!job.opened)
    job.opened = makeFile(number);
  return *job.opened;
}

/// Makes the file at its final size, with its prefix.
Expected<void> TargetWriter::makeFile(size_t number) {
  FileJob &job = jobs[number];
  const TargetFile &target = plan.targets[number];
  Expected<NamedFile> file = output.create(target.file);
  if (!file)
    return failWith(std::move(file));
  job.file = std::move(*file);
  if (ftruncate(job.file.fd.get(), target.bytes) != 0)
    return failErrno(errno,
                     fmt::format("making room for {} bytes in", target.bytes),
                     job.file.path);
  const auto prefixBytes = static_cast<int64_t>(target.prefix.size());
  if (Expected<void> done = writeAt(
          job.file, reinterpret_cast<const std::byte *>(target.prefix.data()),
          prefixBytes, 0);
      !done)
    return done;
  workers.addProgress(prefixBytes);
  job.tiles = cutIntoTiles(plan, setup.casts, target, setup.limits);
  job.numTiles = job.tiles.tiles.size();
  job.tilesLeft = job.numTiles;
  return job.numTiles == 0 ? closeJob(number) : Expected<void>();
}

Expected<void> TargetWriter::closeJob(size_t number) {
  FileJob &job = jobs[number];
  job.tiles = {};
  // Some file systems report only here that there was no room.
  if (!job.file.fd.close())
    return failErrno(errno, "closing", job.file.path);
  return {};
}

Expected<void> TargetWriter::writeTiles(size_t number, TileReader &reader,
                                        const TileBuffers &buffers) {
  FileJob &job = jobs[number];
  if (Expected<void> done = openJob(number); !done)
    return done;
  for (size_t i; (i = job.nextTile++) < job.numTiles;) {
    if (Expected<void> go = workers.checkStop(); !go)
      return go;
    const Tile &tile = job.tiles.tiles[i];
    const int64_t tileBytes = tile.end - tile.begin;
    if (Expected<void> done =
            writeTile(plan.targets[number], job, tile, reader, buffers);
        !done)
      return done;
    workers.addProgress(tileBytes);
    if (--job.tilesLeft == 0)
      if (Expected<void> done = closeJob(number); !done)
        return done;
  }
  return {};
}

Expected<void> TargetWriter::writeTile(const TargetFile &target, FileJob &job,
                                       const Tile &tile, TileReader &reader,
                                       const TileBuffers &buffers) {
  Expected<bool> copied = copyTile(target, job, tile, reader);
  if (!copied)
    return failWith(std::move(copied));
  if (*copied)
    return {};
  if (Expected<void> done = reader.fill(target, job.tiles, tile); !done)
    return done;
  return writeAt(job.file, buffers.tile(), tile.end - tile.begin, tile.begin);
}

/// Lets the kernel copy a tile that needs no work. Small ones are not worth it.
Expected<bool> TargetWriter::copyTile(const TargetFile &target, FileJob &job,
                                      const Tile &tile,
                                      const TileReader &reader) {
  constexpr int64_t minKernelCopyBytes = 512 << 10;
  const int64_t bytes = tile.end - tile.begin;
  if (bytes < minKernelCopyBytes)
    return false;
  const std::optional<WholeRun> run =
      reader.findWholeRun(target, job.tiles, tile);
  if (!run)
    return false;
  Expected<std::shared_ptr<const NamedFile>> source = sources.open(run->source);
  if (!source)
    return failWith(std::move(source));
  Expected<bool> copied =
      copyInKernel(**source, run->at, job.file, tile.begin, bytes);
  if (copied && *copied)
    bytesRead += bytes;
  return copied;
}

} // namespace

Expected<void> writeTargets(const TransferPlan &plan, const RunSetup &setup,
                            OutputDirectory &output, Workers &workers,
                            RunReport &report) {
  TargetWriter writer(plan, setup, output, workers);
  Expected<void> done =
      workers.run(setup.numThreads, [&] { return writer.work(); });
  report.bytesRead += writer.bytesRead;
  report.overflows += writer.overflows;
  return done;
}

} // namespace aoa
