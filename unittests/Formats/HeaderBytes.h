//===- HeaderBytes.h - Files made by hand -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_FORMATS_HEADERBYTES_H
#define AOA_UNITTESTS_FORMATS_HEADERBYTES_H

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace aoa {

/// The first 8 + N bytes of a file with this JSON.
inline std::string headerBytes(std::string_view json) {
  std::string bytes;
  for (unsigned byte = 0; byte != 8; ++byte)
    bytes += static_cast<char>(json.size() >> (8 * byte) & 0xff);
  return bytes.append(json);
}

/// A folder of its own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = testing::TempDir() + "/aoa-formats-XXXXXX";
    path = std::filesystem::canonical(mkdtemp(pattern.data()));
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  /// Writes a file, with the folders it needs, and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    std::filesystem::path file = path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }
  std::string read(std::string_view name) const {
    std::ifstream file(path / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  std::string operator/(std::string_view name) const {
    return (path / name).string();
  }

  std::filesystem::path path;
};

} // namespace aoa

#endif // AOA_UNITTESTS_FORMATS_HEADERBYTES_H
