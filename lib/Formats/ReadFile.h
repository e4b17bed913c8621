//===- ReadFile.h - Reading parts of a regular file -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_READFILE_H
#define AOA_LIB_FORMATS_READFILE_H

#include "aoa/Support/Error.h"

#include <cstdint>
#include <span>
#include <string>

namespace aoa {

/// A regular file that is open for reading. Anything else (a folder, a pipe
/// that would block for ever) is refused by `open`. Messages name the path.
class InputFile {
public:
  static Expected<InputFile> open(const std::string &path);

  InputFile(InputFile &&other) noexcept;
  InputFile &operator=(InputFile &&) = delete;
  ~InputFile();

  int64_t bytes() const { return size; }
  /// Fills `buffer` from byte `atBytes` on; fails if the file ends before.
  Expected<void> readAt(int64_t atBytes, std::span<char> buffer) const;

private:
  InputFile(int descriptor, int64_t size)
      : descriptor(descriptor), size(size) {}
  int descriptor;
  int64_t size;
};

/// Reads a whole file of at most `maxBytes`.
Expected<std::string> readSmallFile(const std::string &path, int64_t maxBytes);

} // namespace aoa

#endif // AOA_LIB_FORMATS_READFILE_H
