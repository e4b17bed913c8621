//===- ReadFile.cpp - Reading parts of a regular file -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadFile.h"

#include "ShownName.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace aoa {

Expected<InputFile> InputFile::open(const std::string &path) {
  auto failIo = [&](std::string_view what) {
    return fail(ErrorKind::Io, fmt::format("{}: {}", shownName(path), what));
  };
  // Without O_NONBLOCK a pipe without a writer would hold us here.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return failIo(std::strerror(errno));
  InputFile file(descriptor, 0);
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return failIo(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failIo("not a regular file");
  file.size = status.st_size;
  return file;
}

InputFile::InputFile(InputFile &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)), size(other.size) {}

InputFile::~InputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Expected<void> InputFile::readAt(int64_t atBytes,
                                 std::span<char> buffer) const {
  while (!buffer.empty()) {
    ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), atBytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail(ErrorKind::Io,
                  fmt::format("byte {}: {}", atBytes, std::strerror(errno)));
    if (got == 0)
      return fail(
          ErrorKind::Io,
          fmt::format("the file ends at byte {} while it is read", atBytes));
    buffer = buffer.subspan(static_cast<size_t>(got));
    atBytes += got;
  }
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
