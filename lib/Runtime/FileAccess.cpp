//===- FileAccess.cpp - Files read and written at offsets -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FileAccess.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace aoa {

std::unexpected<Error> failErrno(int error, std::string_view doing,
                                 std::string_view path) {
  return std::unexpected(
      Error(ErrorKind::Io, std::generic_category().message(error))
          .withContext(fmt::format("{} `{}`", doing, path)));
}

Expected<NamedFile> openForReading(const std::string &path, struct stat *info) {
  auto file = openRegularFile(path);
  if (!file && file.error() == notARegularFile)
    return fail(ErrorKind::Io, fmt::format("`{}` is not a regular file", path));
  if (!file)
    return failErrno(file.error(), "opening", path);
  if (info)
    *info = file->info;
  return NamedFile{std::move(file->fd), path};
}

Expected<void> readAt(const NamedFile &file, std::span<iovec> parts,
                      int64_t offset) {
  while (!parts.empty()) {
    const ssize_t got = preadv(file.fd.get(), parts.data(),
                               static_cast<int>(parts.size()), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failErrno(errno, fmt::format("reading at byte {} of", offset),
                       file.path);
    if (got == 0)
      return fail(ErrorKind::Io,
                  fmt::format("`{}` ends at byte {}: it was cut off while it "
                              "was read",
                              file.path, offset));
    offset += got;
    size_t left = static_cast<size_t>(got);
    while (!parts.empty() && left >= parts[0].iov_len) {
      left -= parts[0].iov_len;
      parts = parts.subspan(1);
    }
    if (left > 0) {
      parts[0].iov_base = static_cast<std::byte *>(parts[0].iov_base) + left;
      parts[0].iov_len -= left;
    }
  }
  return {};
}

Expected<void> readAt(const NamedFile &file, std::byte *bytes, int64_t size,
                      int64_t offset) {
  if (size == 0)
    return {};
  iovec part{bytes, static_cast<size_t>(size)};
  return readAt(file, {&part, 1}, offset);
}

Expected<void> writeAt(const NamedFile &file, const std::byte *bytes,
                       int64_t size, int64_t offset) {
  while (size > 0) {
    const ssize_t put =
        pwrite(file.fd.get(), bytes, static_cast<size_t>(size), offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return failErrno(put < 0 ? errno : ENOSPC,
                       fmt::format("writing at byte {} of", offset), file.path);
    bytes += put;
    offset += put;
    size -= put;
  }
  return {};
}

Expected<bool> copyInKernel(const NamedFile &src, int64_t srcOffset,
                            const NamedFile &dst, int64_t dstOffset,
                            int64_t size) {
  off_t from = srcOffset, to = dstOffset;
  while (size > 0) {
    const ssize_t copied = copy_file_range(src.fd.get(), &from, dst.fd.get(),
                                           &to, static_cast<size_t>(size), 0);
    if (copied > 0) {
      size -= copied;
      continue;
    }
    if (copied == 0)
      return false;
    switch (errno) {
    case EINTR:
      continue;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
      return failErrno(errno, fmt::format("writing at byte {} of", to),
                       dst.path);
    }
    return false; // EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM of sandboxes, …
  }
  return true;
}

} // namespace aoa
