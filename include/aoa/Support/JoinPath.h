//===- JoinPath.h - Names below a folder ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_JOINPATH_H
#define AOA_SUPPORT_JOINPATH_H

#include <string>
#include <string_view>

namespace aoa {

/// Returns `folder/file`; `file` alone if `folder` is empty.
inline std::string joinPath(std::string_view folder, std::string_view file) {
  std::string path(folder);
  if (!path.empty() && !path.ends_with('/'))
    path += '/';
  return path.append(file);
}

} // namespace aoa

#endif // AOA_SUPPORT_JOINPATH_H
