//===- ReadFile.h - Reading parts of a regular file -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_READFILE_H
#define AOA_LIB_FORMATS_READFILE_H

#include "aoa/Support/Error.h"
#include "aoa/Support/RegularFile.h"

#include <cstdint>
#include <span>
#include <string>

namespace aoa {

/// A regular file that is open for reading. Anything else (a folder, a pipe
/// that would block for ever) is refused by `open`. Messages name the path.
class InputFile {
public:
  static Expected<InputFile> open(const std::string &path);

  int64_t bytes() const { return file.info.st_size; }
  /// Fills `buffer` from byte `atBytes` on; fails if the file ends before.
  Expected<void> readAt(int64_t atBytes, std::span<char> buffer) const;

private:
  explicit InputFile(RegularFile file) : file(std::move(file)) {}
  RegularFile file;
};

/// Reads a whole file of at most `maxBytes`.
Expected<std::string> readSmallFile(const std::string &path, int64_t maxBytes);

} // namespace aoa

#endif // AOA_LIB_FORMATS_READFILE_H
