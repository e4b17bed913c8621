//===- RegularFile.cpp - Opening and reading files safely -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/RegularFile.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace aoa;

FileDescriptor::~FileDescriptor() {
  if (fd >= 0)
    ::close(fd);
}

bool FileDescriptor::close() { return ::close(std::exchange(fd, -1)) == 0; }

std::expected<RegularFile, int> aoa::openRegularFile(const std::string &path) {
  // Without O_NONBLOCK a pipe without a writer would hold us here.
  RegularFile file{
      FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      {}};
  if (!file.fd.isOpen() || ::fstat(file.fd.get(), &file.info) != 0)
    return std::unexpected(errno);
  if (!S_ISREG(file.info.st_mode))
    return std::unexpected(notARegularFile);
  return file;
}

ReadOutcome aoa::readFully(const FileDescriptor &fd, std::span<char> buffer,
                           int64_t atBytes) {
  ReadOutcome outcome;
  while (!buffer.empty()) {
    ssize_t got = ::pread(fd.get(), buffer.data(), buffer.size(),
                          atBytes + outcome.bytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      outcome.error = errno;
    if (got <= 0)
      break;
    outcome.bytes += got;
    buffer = buffer.subspan(static_cast<size_t>(got));
  }
  return outcome;
}
