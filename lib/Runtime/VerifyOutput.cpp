//===- VerifyOutput.cpp - Written files against their source ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every tile is made anew and compared with what the file holds.
//===----------------------------------------------------------------------===//
#include "FormatElement.h"
#include "RunSetup.h"
#include "Workers.h"
#include "aoa/Support/JoinPath.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace aoa {

namespace fs = std::filesystem;

namespace {

std::string byteText(std::byte byte) {
  return fmt::format("byte 0x{:02x}", std::to_integer<unsigned>(byte));
}

class OutputVerifier {
public:
  OutputVerifier(const TransferPlan &plan, const RunSetup &setup,
                 const RunOptions &options, Workers &workers)
      : plan(plan), setup(setup), options(options), workers(workers),
        sources(plan, setup.sourceRoot, setup.numThreads),
        differences(plan.targets.size()) {}

  /// What one thread does: target files one after another.
  Expected<void> work();

  /// Compares index and side files, and looks for files that are too many.
  Expected<void> compareOthers(std::vector<Difference> &found);

  /// The first difference of each target file.
  std::vector<std::optional<Difference>> &targetDifferences() {
    return differences;
  }

private:
  using Found = Expected<std::optional<Difference>>;

  /// Opens a file of the output; what is wrong with it is the difference.
  Found openOutput(const std::string &file, int64_t bytes, NamedFile &opened);
  Found compareTarget(const TargetFile &target, TileReader &reader,
                      const TileBuffers &buffers);
  Found compareTile(const TargetFile &target, const Tile &tile,
                    const NamedFile &file, const TileBuffers &buffers);
  Found compareBytes(const std::string &name, const NamedFile &file,
                     std::string_view expected);
  Found compareCopy(const CopiedFile &copy);

  const TransferPlan &plan;
  const RunSetup &setup;
  const RunOptions &options;
  Workers &workers;
  SourceFiles sources;
  std::vector<std::optional<Difference>> differences;
  std::atomic<size_t> nextTarget = 0;
};

Expected<void> OutputVerifier::work() {
  Expected<TileBuffers> buffers = TileBuffers::allocate(setup.shares);
  if (!buffers)
    return failWith(std::move(buffers));
  TileReader reader(setup.casts, sources, *buffers);
  for (size_t i; (i = nextTarget++) < plan.targets.size();) {
    Found found = compareTarget(plan.targets[i], reader, *buffers);
    if (!found)
      return failWith(std::move(found));
    differences[i] = std::move(*found);
  }
  return {};
}

OutputVerifier::Found OutputVerifier::openOutput(const std::string &file,
                                                 int64_t bytes,
                                                 NamedFile &opened) {
  const std::string path = joinPath(options.output, file);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT && errno != ENOTDIR)
      return failErrno(errno, "looking at", path);
    return Difference{file, "", {}, "no file", "a file"};
  }
  if (!S_ISREG(info.st_mode))
    return Difference{file, "", {}, "no regular file", "a file"};
  if (info.st_size != bytes)
    return Difference{file,
                      "",
                      {},
                      fmt::format("{} bytes", info.st_size),
                      fmt::format("{} bytes", bytes)};
  Expected<NamedFile> result = openForReading(path);
  if (!result)
    return failWith(std::move(result));
  opened = std::move(*result);
  return std::nullopt;
}

OutputVerifier::Found
OutputVerifier::compareTarget(const TargetFile &target, TileReader &reader,
                              const TileBuffers &buffers) {
  NamedFile file;
  Found found = openOutput(target.file, target.bytes, file);
  if (!found || *found)
    return found;
  found = compareBytes(target.file, file, target.prefix);
  if (!found || *found)
    return found;
  const FileTiles tiles = cutIntoTiles(plan, setup.casts, target, setup.limits);
  for (const Tile &tile : tiles.tiles) {
    if (Expected<void> go = workers.checkStop(); !go)
      return failWith(std::move(go));
    if (Expected<void> done = reader.fill(target, tiles, tile); !done)
      return failWith(std::move(done));
    found = compareTile(target, tile, file, buffers);
    if (!found || *found)
      return found;
    workers.addProgress(tile.end - tile.begin);
  }
  return std::nullopt;
}

OutputVerifier::Found OutputVerifier::compareTile(const TargetFile &target,
                                                  const Tile &tile,
                                                  const NamedFile &file,
                                                  const TileBuffers &buffers) {
  for (int64_t at = tile.begin; at < tile.end; at += buffers.stagingBytes()) {
    const int64_t bytes = std::min(buffers.stagingBytes(), tile.end - at);
    if (Expected<void> done = readAt(file, buffers.staging(), bytes, at); !done)
      return failWith(std::move(done));
    const std::byte *expected = buffers.tile() + (at - tile.begin);
    if (std::memcmp(buffers.staging(), expected, size_t(bytes)) == 0)
      continue;
    const int64_t differs =
        at +
        (std::mismatch(expected, expected + bytes, buffers.staging()).first -
         expected);
    const auto region = std::ranges::find_if(
        target.regions, [&](const TargetRegion &candidate) {
          return differs < candidate.atBytes + candidate.sizeBytes;
        });
    // Read again the bytes of the one element: it may straddle the chunk.
    const unsigned bits = bitsOf(region->dtype);
    const int64_t element = (differs - region->atBytes) * 8 / bits;
    const int64_t first = element * bits / 8,
                  last = ((element + 1) * bits + 7) / 8;
    std::byte found[16] = {};
    if (Expected<void> done =
            readAt(file, found, last - first, region->atBytes + first);
        !done)
      return failWith(std::move(done));
    const std::byte *right =
        buffers.tile() + (region->atBytes + first - tile.begin);
    // Sub-byte elements of a tile start at its first byte: show the byte.
    if (!hasWholeBytes(region->dtype))
      return Difference{target.file, region->tensor,
                        indexOfElement(region->shape, element),
                        byteText(found[differs - region->atBytes - first]),
                        byteText(right[differs - region->atBytes - first])};
    return Difference{target.file, region->tensor,
                      indexOfElement(region->shape, element),
                      formatElement(region->dtype, found, 0),
                      formatElement(region->dtype, right, 0)};
  }
  return std::nullopt;
}

/// Compares the first bytes of a file with a text.
OutputVerifier::Found OutputVerifier::compareBytes(const std::string &name,
                                                   const NamedFile &file,
                                                   std::string_view expected) {
  constexpr size_t chunkBytes = 64 << 10;
  const auto chunk = std::make_unique<std::byte[]>(chunkBytes);
  for (size_t at = 0; at < expected.size(); at += chunkBytes) {
    const std::string_view part = expected.substr(at, chunkBytes);
    if (Expected<void> done =
            readAt(file, chunk.get(), int64_t(part.size()), int64_t(at));
        !done)
      return failWith(std::move(done));
    const auto *right = reinterpret_cast<const std::byte *>(part.data());
    const auto [found, wanted] =
        std::mismatch(chunk.get(), chunk.get() + part.size(), right);
    if (wanted != right + part.size())
      return Difference{name,
                        "",
                        {},
                        fmt::format("{} at offset {}", byteText(*found),
                                    at + size_t(wanted - right)),
                        byteText(*wanted)};
  }
  return std::nullopt;
}

OutputVerifier::Found OutputVerifier::compareCopy(const CopiedFile &copy) {
  NamedFile file;
  Found found = openOutput(copy.file, copy.bytes, file);
  if (!found || *found)
    return found;
  Expected<NamedFile> src =
      openForReading(joinPath(setup.sourceRoot, copy.file));
  if (!src)
    return failWith(std::move(src));
  constexpr int64_t chunkBytes = 64 << 10;
  const auto left = std::make_unique<std::byte[]>(chunkBytes);
  const auto right = std::make_unique<std::byte[]>(chunkBytes);
  for (int64_t at = 0; at < copy.bytes; at += chunkBytes) {
    const int64_t bytes = std::min(chunkBytes, copy.bytes - at);
    if (Expected<void> done = readAt(file, left.get(), bytes, at); !done)
      return failWith(std::move(done));
    if (Expected<void> done = readAt(*src, right.get(), bytes, at); !done)
      return failWith(std::move(done));
    const auto [ours, theirs] =
        std::mismatch(left.get(), left.get() + bytes, right.get());
    if (ours != left.get() + bytes)
      return Difference{copy.file,
                        "",
                        {},
                        fmt::format("{} at offset {}", byteText(*ours),
                                    at + (ours - left.get())),
                        byteText(*theirs)};
  }
  return std::nullopt;
}

Expected<void>
OutputVerifier::compareOthers(std::vector<Difference> &differing) {
  std::set<std::string> known;
  for (const TargetFile &target : plan.targets)
    known.insert(target.file);
  for (const IndexFile &index : plan.indexes) {
    known.insert(index.file);
    NamedFile file;
    Found found = openOutput(index.file, int64_t(index.text.size()), file);
    if (found && !*found)
      found = compareBytes(index.file, file, index.text);
    if (!found)
      return failWith(std::move(found));
    if (*found)
      differing.push_back(std::move(**found));
  }
  for (const CopiedFile &copy : plan.copies) {
    known.insert(copy.file);
    Found found = compareCopy(copy);
    if (!found)
      return failWith(std::move(found));
    if (*found)
      differing.push_back(std::move(**found));
  }
  std::error_code error;
  fs::recursive_directory_iterator it(options.output, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::error_code ignored; // What cannot be looked at is no folder of ours.
    if (it->is_directory(ignored) && !it->is_symlink(ignored))
      continue;
    const std::string name =
        it->path().lexically_relative(options.output).generic_string();
    if (!known.contains(name))
      differing.push_back({name, "", {}, "a file", "no file"});
  }
  if (error)
    return failErrno(error.value(), "listing", options.output);
  return {};
}

} // namespace

Expected<std::vector<Difference>> verifyOutput(const TransferPlan &plan,
                                               const RunOptions &options) {
  Expected<RunSetup> setup = setUpRun(plan, options, options.memoryBytes);
  if (!setup)
    return failWith(std::move(setup));
  int64_t tensorBytes = 0;
  for (const TargetFile &target : plan.targets)
    tensorBytes += target.bytes - static_cast<int64_t>(target.prefix.size());
  Workers workers(options, tensorBytes);
  OutputVerifier verifier(plan, *setup, options, workers);
  if (Expected<void> done =
          workers.run(setup->numThreads, [&] { return verifier.work(); });
      !done)
    return failWith(std::move(done));
  std::vector<Difference> result;
  for (std::optional<Difference> &difference : verifier.targetDifferences())
    if (difference)
      result.push_back(std::move(*difference));
  if (Expected<void> done = verifier.compareOthers(result); !done)
    return failWith(std::move(done));
  std::ranges::sort(result, {}, &Difference::file);
  workers.report();
  return result;
}

} // namespace aoa
