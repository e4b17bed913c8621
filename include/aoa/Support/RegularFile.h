//===- RegularFile.h - Opening and reading files safely ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The system calls under every reader. They say what happened in numbers; each
// caller words its own errors.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_REGULARFILE_H
#define AOA_SUPPORT_REGULARFILE_H

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace aoa {

/// Owns a file descriptor.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept
      : fd(std::exchange(other.fd, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return fd; }
  bool isOpen() const { return fd >= 0; }
  /// Closes and returns whether the system reported no error.
  bool close();

private:
  int fd = -1;
};

struct RegularFile {
  FileDescriptor fd;
  struct stat info;
};

/// What `openRegularFile` fails with when the path is a folder, a pipe, a
/// device.
inline constexpr int notARegularFile = 0;

/// Opens a regular file for reading; never waits for a pipe's writer. Fails
/// with the system's error number, or `notARegularFile`.
std::expected<RegularFile, int> openRegularFile(const std::string &path);

/// Reads until `buffer` is full, the file ends or reading fails.
struct ReadOutcome {
  int64_t bytes = 0; ///< Read before it stopped.
  int error = 0;     ///< The system's error number; 0: full, or the file's end.
};
ReadOutcome readFully(const FileDescriptor &fd, std::span<char> buffer,
                      int64_t atBytes);

} // namespace aoa

#endif // AOA_SUPPORT_REGULARFILE_H
