//===- IncludedTexts.h - What a script includes, as texts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What makes a script whole without its files. Includes are met in one order
// only: where a file is met for the first time its text takes the place of the
// `include`, and whatever it includes comes next; later it makes nothing.
//
//   main.aoa: include "a.aoa"     files: a.aoa, b.aoa
//             include "b.aoa"     order: 0 (main: a), 1 (a: b), 1 (main: b)
//   a.aoa:    include "b.aoa"
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_INCLUDEDTEXTS_H
#define AOA_SUPPORT_INCLUDEDTEXTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace aoa {

struct IncludedTexts {
  struct File {
    std::string name; ///< As diagnostics show it.
    std::string text;
    friend bool operator==(const File &, const File &) = default;
  };
  std::vector<File> files; ///< In the order in which they are met first.
  /// For each `include`, in the order in which they are met, its file.
  std::vector<uint32_t> order;
  friend bool operator==(const IncludedTexts &,
                         const IncludedTexts &) = default;
};

} // namespace aoa

#endif // AOA_SUPPORT_INCLUDEDTEXTS_H
