//===- MakeCheckpoint.cpp - Checkpoints for tests ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/MakeCheckpoint.h"

#include "FilePaths.h"
#include "MakeCheckpoint/ElementValues.h"
#include "MakeCheckpoint/MadeFiles.h"
#include "ShownName.h"
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

/// Writes one shard in bounded memory: row by row, long rows in spans.
class ShardWriter {
public:
  ShardWriter(const Tensor &tensor, const Shard &shard,
              const ElementValues &values, NewFile &file)
      : elementBytes(std::max<int64_t>(bytesPerElement(tensor.dtype), 1)),
        values(values), file(file) {
    makeRows(tensor, shard);
  }

  Expected<void> write() {
    if (rowLength == 0)
      return {};
    Shape row(outer.size(), 0);
    for (int64_t numRows = checkedNumElements(outer).value_or(0); numRows != 0;
         --numRows) {
      for (int64_t begin = 0; begin != rowLength;) {
        int64_t end = std::min(rowLength, begin + bufferBytes / elementBytes);
        if (auto written = writeSpan(row, begin, end); !written)
          return written;
        begin = end;
      }
      for (size_t dim = outer.size(); dim-- != 0;) {
        if (++row[dim] != outer[dim])
          break;
        row[dim] = 0;
      }
    }
    return flush();
  }

private:
  /// Takes the shard apart into rows. One that is all of its tensor is one
  /// row; so are elements without whole bytes, whose unit is then the byte.
  void makeRows(const Tensor &tensor, const Shard &shard) {
    if (shard.blocks.size() == 1 && shard.blocks[0].shape == tensor.shape &&
        shard.localShape == tensor.shape) {
      rowLength = checkedSizeBytes(tensor.dtype, tensor.shape).value_or(0) /
                  elementBytes;
      blocks = {{{0}, {0}, {rowLength}}};
      fullStrides = {1};
      return;
    }
    outer = shard.localShape;
    rowLength = outer.back();
    outer.pop_back();
    blocks = shard.blocks;
    fullStrides.assign(tensor.shape.size(), 1);
    for (size_t dim = tensor.shape.size() - 1; dim-- != 0;)
      fullStrides[dim] = fullStrides[dim + 1] * tensor.shape[dim + 1];
  }

  /// Appends elements [begin, end) of a row; what no block covers is zero.
  Expected<void> writeSpan(const Shape &row, int64_t begin, int64_t end) {
    if (static_cast<int64_t>(buffer.size()) + (end - begin) * elementBytes >
        bufferBytes)
      if (auto flushed = flush(); !flushed)
        return flushed;
    size_t at = buffer.size();
    buffer.resize(at + static_cast<size_t>((end - begin) * elementBytes));
    for (const Block &block : blocks) {
      int64_t full = 0;
      bool isInside = true;
      for (size_t dim = 0; dim != outer.size() && isInside; ++dim) {
        int64_t inBlock = row[dim] - block.localOffset[dim];
        isInside = inBlock >= 0 && inBlock < block.shape[dim];
        full += (block.fullOffset[dim] + inBlock) * fullStrides[dim];
      }
      size_t last = outer.size();
      int64_t first = std::max(begin, block.localOffset[last]);
      int64_t stop = std::min(end, block.localOffset[last] + block.shape[last]);
      if (isInside && first < stop)
        values.fill(full + block.fullOffset[last] + first -
                        block.localOffset[last],
                    stop - first,
                    buffer.data() + at +
                        static_cast<size_t>((first - begin) * elementBytes));
    }
    return {};
  }

  Expected<void> flush() {
    auto written = file.write(buffer);
    buffer.clear();
    return written;
  }

  int64_t elementBytes;
  const ElementValues &values;
  NewFile &file;
  Shape outer;           ///< Extents of all dimensions but the last.
  int64_t rowLength = 0; ///< Extent of the last one.
  std::vector<Block> blocks;
  Shape fullStrides;
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
