//===- ReadHeader.cpp - From a file's first bytes to a header ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/Safetensors/Header.h"

#include "ReadFile.h"
#include "Safetensors/CheckHeader.h"
#include "ShownName.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace aoa::safetensors {

namespace {

uint64_t fingerprintOf(std::string_view prefix, int64_t fileBytes) {
  uint64_t hash = XXH3_64bits_withSeed(prefix.data(), prefix.size(),
                                       static_cast<uint64_t>(fileBytes));
  return hash == 0 ? 1 : hash; // 0 means "unknown" in a catalog.
}

} // namespace

Expected<Header> parseHeader(std::string_view prefix, int64_t fileBytes) {
  Expected<int64_t> length = checkHeaderLength(prefix, fileBytes);
  if (!length)
    return failWith(std::move(length));
  if (static_cast<int64_t>(prefix.size()) != *length + 8)
    return fail(ErrorKind::Format,
                fmt::format("{} bytes were given of a header that ends at "
                            "byte {}",
                            prefix.size(), *length + 8));
  Expected<RawHeader> raw = parseHeaderJson(prefix.substr(8), 8);
  if (!raw)
    return failWith(std::move(raw));
  Header header;
  header.metadata = std::move(raw->metadata);
  header.dataStart = static_cast<int64_t>(prefix.size());
  header.fileBytes = fileBytes;
  Expected<std::vector<Entry>> entries =
      checkEntries(std::move(raw->entries), header.dataStart, fileBytes);
  if (!entries)
    return failWith(std::move(entries));
  header.entries = std::move(*entries);
  header.fingerprint = fingerprintOf(prefix, fileBytes);
  return header;
}

Expected<Header> readHeader(const std::string &path) {
  auto doing = [&] { return fmt::format("reading {}", shownName(path)); };
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return failWith(std::move(file));
  std::string buffer(8, '\0');
  if (file->bytes() >= 8)
    if (auto read = file->readAt(0, buffer); !read)
      return failWith(std::move(read), doing());
  Expected<int64_t> length = checkHeaderLength(buffer, file->bytes());
  if (!length)
    return failWith(std::move(length), doing());

  buffer.resize(static_cast<size_t>(*length) + 8);
  if (auto read = file->readAt(8, std::span(buffer).subspan(8)); !read)
    return failWith(std::move(read), doing());
  Expected<Header> header = parseHeader(buffer, file->bytes());
  if (!header)
    return failWith(std::move(header), doing());
  return header;
}

} // namespace aoa::safetensors
