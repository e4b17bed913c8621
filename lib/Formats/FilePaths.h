//===- FilePaths.h - Names of files that other files give -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_FILEPATHS_H
#define AOA_LIB_FORMATS_FILEPATHS_H

#include "aoa/Support/Error.h"
#include "aoa/Support/JoinPath.h"

#include <string>
#include <string_view>

namespace aoa {

/// Returns `file`, which an index gives, without `.` and doubled `/`. Fails if
/// it is empty or absolute or has a `..` or a NUL in it. A test of the text
/// only: links that lead elsewhere are fine, Hugging Face's cache is made of
/// them.
Expected<std::string> nameInsideFolder(std::string_view file);

/// Returns the absolute form of `path`, with its links as they are and without
/// a `/` at the end.
std::string absolutePath(const std::string &path);

/// Whether something is at `path`, be it a link that leads nowhere.
bool existsAt(const std::string &path);

} // namespace aoa

#endif // AOA_LIB_FORMATS_FILEPATHS_H
