//===- ReadFile.cpp - Reading parts of a regular file -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadFile.h"

#include "ShownName.h"

#include <cstring>
#include <fmt/format.h>

namespace aoa {

Expected<InputFile> InputFile::open(const std::string &path) {
  auto file = openRegularFile(path);
  if (file)
    return InputFile(std::move(*file));
  return fail(ErrorKind::Io, fmt::format("{}: {}", shownName(path),
                                         file.error() == notARegularFile
                                             ? "not a regular file"
                                             : std::strerror(file.error())));
}

Expected<void> InputFile::readAt(int64_t atBytes,
                                 std::span<char> buffer) const {
  ReadOutcome outcome = readFully(file.fd, buffer, atBytes);
  int64_t stoppedAt = atBytes + outcome.bytes;
  if (outcome.error != 0)
    return fail(ErrorKind::Io, fmt::format("byte {}: {}", stoppedAt,
                                           std::strerror(outcome.error)));
  if (outcome.bytes != static_cast<int64_t>(buffer.size()))
    return fail(
        ErrorKind::Io,
        fmt::format("the file ends at byte {} while it is read", stoppedAt));
  return {};
}

Expected<std::string> readSmallFile(const std::string &path, int64_t maxBytes) {
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return failWith(std::move(file));
  if (file->bytes() > maxBytes)
    return fail(ErrorKind::Limit,
                fmt::format("{} has {} bytes, more than {}", shownName(path),
                            file->bytes(), maxBytes));
  std::string text(static_cast<size_t>(file->bytes()), '\0');
  if (auto read = file->readAt(0, text); !read)
    return failWith(std::move(read),
                    fmt::format("reading {}", shownName(path)));
  return text;
}

} // namespace aoa
