//===- SourceManager.cpp - The texts being compiled -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/SourceManager.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

namespace aoa {

namespace {
/// One mapRange.
struct Mapping {
  uint32_t begin, end;
  SourceRange at;

  bool isBytewise() const { return end - begin == at.end - at.begin; }
  uint32_t offsetAt(uint32_t offset) const {
    return at.begin + (std::min(offset, end) - begin);
  }
};
} // namespace

struct SourceManager::File {
  std::string name;
  std::string text;
  std::vector<Mapping> mappings;
  SourceRange includedFrom;
  /// Where each line begins; made when the first position is asked for.
  mutable std::vector<uint32_t> lineBegins;

  const std::vector<uint32_t> &lines() const {
    if (!lineBegins.empty())
      return lineBegins;
    lineBegins.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      bool isCrOfCrLf =
          text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (text[i] == '\n' || (text[i] == '\r' && !isCrOfCrLf))
        lineBegins.push_back(static_cast<uint32_t>(i + 1));
    }
    return lineBegins;
  }

  /// The last mapping that begins at or before `offset`, else the first one.
  const Mapping &mappingAt(uint32_t offset) const {
    auto after = std::upper_bound(
        mappings.begin(), mappings.end(), offset,
        [](uint32_t o, const Mapping &mapping) { return o < mapping.begin; });
    return after == mappings.begin() ? *after : *std::prev(after);
  }
};

SourceManager::SourceManager() = default;
SourceManager::~SourceManager() = default;

FileId SourceManager::add(std::string name, std::string text) {
  assert(text.size() < std::numeric_limits<uint32_t>::max() &&
         "offsets have 32 bits; open() refuses larger files");
  files.push_back(std::make_unique<File>());
  files.back()->name = std::move(name);
  files.back()->text = std::move(text);
  return FileId(files.size() - 1);
}

Expected<FileId> SourceManager::open(llvm::StringRef path) {
  auto doing = [&] { return "reading `" + path.str() + "`"; };
  constexpr uint64_t limit = std::numeric_limits<uint32_t>::max();
  auto tooLarge = [&](uint64_t size) {
    return fail(ErrorKind::Limit, doing() + ": " + std::to_string(size) +
                                      " bytes, a text has less than 4 GiB");
  };
  if (path == "-") {
    auto buffer = llvm::MemoryBuffer::getSTDIN();
    if (!buffer)
      return fail(ErrorKind::Io,
                  "reading standard input: " + buffer.getError().message());
    if ((*buffer)->getBufferSize() >= limit)
      return tooLarge((*buffer)->getBufferSize());
    return add("<stdin>", (*buffer)->getBuffer().str());
  }

  llvm::sys::fs::file_status status;
  if (std::error_code failed = llvm::sys::fs::status(path, status))
    return fail(ErrorKind::Io, doing() + ": " + failed.message());
  if (llvm::sys::fs::is_directory(status))
    return fail(ErrorKind::Io, doing() + ": it is a directory");
  if (status.getSize() >= limit)
    return tooLarge(status.getSize());
  // Volatile: read, not mapped, so that a file cut short under us is no crash.
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return fail(ErrorKind::Io, doing() + ": " + buffer.getError().message());
  if ((*buffer)->getBufferSize() >= limit) // a pipe has no size before
    return tooLarge((*buffer)->getBufferSize());
  return add(path.str(), (*buffer)->getBuffer().str());
}

llvm::StringRef SourceManager::name(FileId file) const {
  return files[file.index()]->name;
}

llvm::StringRef SourceManager::text(FileId file) const {
  return files[file.index()]->text;
}

SourceManager::Position SourceManager::position(FileId file,
                                                uint32_t offset) const {
  const File &in = *files[file.index()];
  const std::vector<uint32_t> &begins = in.lines();
  offset = std::min(offset, static_cast<uint32_t>(in.text.size()));
  size_t line =
      std::upper_bound(begins.begin(), begins.end(), offset) - begins.begin();
  uint32_t begin = begins[line - 1];
  size_t end = line < begins.size() ? begins[line] : in.text.size();
  Position position;
  position.line = static_cast<unsigned>(line);
  position.column = offset - begin + 1;
  position.lineText = llvm::StringRef(in.text).slice(begin, end).rtrim("\r\n");
  return position;
}

void SourceManager::mapRange(FileId virtualText, uint32_t begin, uint32_t end,
                             SourceRange at) {
  std::vector<Mapping> &mappings = files[virtualText.index()]->mappings;
  assert((mappings.empty() || mappings.back().end <= begin) &&
         "pieces are added in order");
  mappings.push_back({begin, end, at});
}

SourceRange SourceManager::resolve(SourceRange range) const {
  if (!range.isKnown() || files[range.file.index()]->mappings.empty())
    return range;
  const File &file = *files[range.file.index()];
  const Mapping &first = file.mappingAt(range.begin);
  // The end belongs to the piece of the last byte, not to the next one's start.
  const Mapping &last =
      range.end > range.begin ? file.mappingAt(range.end - 1) : first;
  SourceRange resolved = first.at;
  if (first.isBytewise())
    resolved.begin = first.offsetAt(std::max(range.begin, first.begin));
  else if (range.begin >= first.end)
    resolved.begin = first.at.end;
  resolved.end = last.isBytewise()
                     ? last.offsetAt(std::max(range.end, last.begin))
                     : last.at.end;
  return resolve(resolved);
}

void SourceManager::setIncludedFrom(FileId file, SourceRange at) {
  assert(at.file < file && "a file is read behind the one that includes it");
  files[file.index()]->includedFrom = at;
}

SourceRange SourceManager::includedFrom(FileId file) const {
  return files[file.index()]->includedFrom;
}

bool SourceManager::isMappedWithoutGap(SourceRange range) const {
  const File &file = *files[range.file.index()];
  if (file.mappings.empty())
    return true;
  const Mapping *mapping = &file.mappingAt(range.begin);
  const Mapping *end = file.mappings.data() + file.mappings.size();
  if (range.begin < mapping->begin)
    return false;
  while (range.end > mapping->end) {
    uint32_t next = mapping->end;
    if (++mapping == end || mapping->begin != next)
      return false;
  }
  return true;
}

} // namespace aoa
