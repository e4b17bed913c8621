//===- MakeCheckpoint.cpp - Checkpoints for tests ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/MakeCheckpoint.h"

#include "FilePaths.h"
#include "MakeCheckpoint/ElementValues.h"
#include "MakeCheckpoint/MadeFiles.h"
#include "MakeCheckpoint/MultiplyElements.h"
#include "ShownName.h"
#include "aoa/Catalog/FlatRegions.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace aoa {

namespace {

namespace fs = std::filesystem;

constexpr int64_t bufferBytes = int64_t(1) << 20;

/// A new file that is written from start to end.
class NewFile {
public:
  static Expected<NewFile> create(std::string path) {
    NewFile file;
    file.stream.reset(std::fopen(path.c_str(), "wbx"));
    file.path = std::move(path);
    if (!file.stream)
      return file.failIo();
    return file;
  }

  Expected<void> write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stream.get()) !=
        bytes.size())
      return failIo();
    return {};
  }

  Expected<void> close() {
    if (std::fclose(stream.release()) != 0)
      return failIo();
    return {};
  }

private:
  std::unexpected<Error> failIo() const {
    return fail(ErrorKind::Io, fmt::format("writing {}: {}", shownName(path),
                                           std::strerror(errno)));
  }

  struct Closer {
    void operator()(std::FILE *stream) const { std::fclose(stream); }
  };
  std::unique_ptr<std::FILE, Closer> stream;
  std::string path;
};

/// Writes one shard in bounded memory, span by span of its flat buffer.
class ShardWriter {
public:
  ShardWriter(const Tensor &tensor, const Shard &shard,
              const ElementValues &values, NewFile &file)
      : dtype(tensor.dtype), scale(shard.scale),
        elementBytes(std::max<int64_t>(bytesPerElement(tensor.dtype), 1)),
        values(values), file(file) {
    if (isWhole(tensor, shard)) {
      // Where elements have no whole bytes, the unit is the byte.
      numElements = checkedSizeBytes(tensor.dtype, tensor.shape).value_or(0) /
                    elementBytes;
      blocks = {{{numElements}, 0, {1}, 0, {1}}};
      return;
    }
    numElements = checkedNumElements(shard.localShape).value_or(0);
    for (const StridedBlock &block : shard.strided)
      blocks.push_back(forwards(block));
    for (const Block &block : shard.blocks)
      blocks.push_back(
          forwards(stridedOf(block, tensor.shape, shard.localShape)));
  }

  Expected<void> write() {
    int64_t most = bufferBytes / elementBytes;
    for (begin = 0; begin < numElements; begin = end) {
      end = begin + std::min(most, numElements - begin);
      // What no block covers is zero.
      buffer.assign(static_cast<size_t>((end - begin) * elementBytes), '\0');
      for (const StridedBlock &block : blocks)
        fill(block, 0, block.fullOffset, block.shardOffset);
      if (auto written = file.write(buffer); !written)
        return written;
    }
    return {};
  }

private:
  static bool isWhole(const Tensor &tensor, const Shard &shard) {
    return shard.blocks.size() == 1 && shard.blocks[0].shape == tensor.shape &&
           shard.localShape == tensor.shape;
  }

  /// The same elements, without dimensions of one index and with strides that
  /// ascend in the shard.
  static StridedBlock forwards(const StridedBlock &block) {
    StridedBlock result{{}, block.fullOffset, {}, block.shardOffset, {}};
    for (size_t dim = 0; dim != block.shape.size(); ++dim) {
      int64_t last = block.shape[dim] - 1, full = block.fullStrides[dim],
              shard = block.shardStrides[dim];
      if (last == 0)
        continue;
      if (shard < 0) {
        result.fullOffset += last * full;
        result.shardOffset += last * shard;
        full = -full;
        shard = -shard;
      }
      result.shape.push_back(block.shape[dim]);
      result.fullStrides.push_back(full);
      result.shardStrides.push_back(shard);
    }
    return result;
  }

  /// The first index whose address, counted from 0, is at least `least`.
  static int64_t firstIndex(int64_t least, int64_t stride) {
    return least <= 0 ? 0 : ceilDiv(least, stride);
  }

  /// Fills in what the span has of the dimensions from `dim` on.
  void fill(const StridedBlock &block, size_t dim, int64_t full,
            int64_t shard) {
    if (dim == block.shape.size())
      return fillRun(full, shard, 1);
    int64_t reach = 0;
    for (size_t inner = dim + 1; inner < block.shape.size(); ++inner)
      reach += (block.shape[inner] - 1) * block.shardStrides[inner];
    int64_t stride = block.shardStrides[dim],
            fullStride = block.fullStrides[dim];
    // Indices with shard + index · stride + [0, reach] in the span.
    int64_t first = firstIndex(begin - reach - shard, stride);
    int64_t last = std::min(block.shape[dim], firstIndex(end - shard, stride));
    if (first >= last)
      return;
    bool isRun =
        dim + 1 == block.shape.size() && stride == 1 && fullStride == 1;
    if (isRun)
      return fillRun(full + first, shard + first, last - first);
    for (int64_t i = first; i < last; ++i)
      fill(block, dim + 1, full + i * fullStride, shard + i * stride);
  }

  void fillRun(int64_t full, int64_t shard, int64_t count) {
    char *out = buffer.data() + (shard - begin) * elementBytes;
    values.fill(full, count, out);
    if (scale != 1)
      multiplyElements(out, count, dtype, scale);
  }

  DType dtype;
  double scale;
  int64_t elementBytes;
  const ElementValues &values;
  NewFile &file;
  int64_t numElements = 0;
  std::vector<StridedBlock> blocks;
  int64_t begin = 0, end = 0; ///< The span that is being filled.
  std::string buffer;
};

Expected<void> writeFile(const Catalog &catalog, const MadeFile &made,
                         const std::vector<ElementValues> &values,
                         NewFile &file) {
  if (auto written = file.write(made.file.prefix); !written)
    return written;
  std::vector<uint32_t> order(made.parts.size());
  for (uint32_t i = 0; i != order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(made.file.atBytes[a], a) <
           std::pair(made.file.atBytes[b], b);
  });
  for (uint32_t i : order) {
    const MadePart &part = made.parts[i];
    ShardWriter writer(catalog.tensors[part.tensor], part.shard,
                       values[part.tensor], file);
    if (auto written = writer.write(); !written)
      return written;
  }
  return file.close();
}

Expected<void> makeFolder(const fs::path &folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    return fail(ErrorKind::Io,
                fmt::format("making {}: {}", shownName(folder.string()),
                            code.message()));
  return {};
}

Expected<void> makeEmptyFolder(const std::string &folder) {
  if (auto made = makeFolder(folder); !made)
    return made;
  std::error_code code;
  bool empty = fs::is_empty(folder, code);
  if (code)
    return fail(ErrorKind::Io, fmt::format("listing {}: {}", shownName(folder),
                                           code.message()));
  if (!empty)
    return fail(ErrorKind::Exists,
                fmt::format("{} is not empty", shownName(folder)));
  return {};
}

/// Removes files unless they are kept.
struct WrittenFiles {
  std::vector<std::string> paths;
  bool keep = false;

  ~WrittenFiles() {
    std::error_code ignored; // There is another error to tell already.
    if (!keep)
      for (const std::string &path : paths)
        fs::remove(path, ignored);
  }
  Expected<NewFile> create(std::string path) {
    if (auto made = makeFolder(fs::path(path).parent_path()); !made)
      return failWith(std::move(made));
    Expected<NewFile> file = NewFile::create(path);
    if (file)
      paths.push_back(std::move(path));
    return file;
  }
};

} // namespace

Expected<MadeCheckpoint> makeCheckpoint(const Catalog &catalog,
                                        const MakeCheckpointOptions &options) {
  Expected<MadeFiles> files = planMadeFiles(catalog, options);
  if (!files)
    return failWith(std::move(files));
  if (auto empty = makeEmptyFolder(options.output); !empty)
    return failWith(std::move(empty));

  ElementNumbering numbering(options.seed);
  std::vector<ElementValues> values;
  for (const Tensor &tensor : catalog.tensors)
    values.push_back(numbering.valuesOf(tensor));

  WrittenFiles written;
  MadeCheckpoint report;
  for (const MadeFile &made : files->files) {
    auto file = written.create(joinPath(options.output, made.file.file));
    if (!file)
      return failWith(std::move(file));
    if (auto done = writeFile(catalog, made, values, *file); !done)
      return failWith(std::move(done));
    report.bytes += made.file.bytes;
    ++report.files;
  }
  for (const auto &[name, text] : files->indexes) {
    auto file = written.create(joinPath(options.output, name));
    if (!file)
      return failWith(std::move(file));
    if (auto done = file->write(text); !done)
      return failWith(std::move(done));
    if (auto done = file->close(); !done)
      return failWith(std::move(done));
    report.bytes += static_cast<int64_t>(text.size());
    ++report.files;
  }
  written.keep = true;
  return report;
}

} // namespace aoa
