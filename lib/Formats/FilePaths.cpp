//===- FilePaths.cpp - Names of files that other files give -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FilePaths.h"

#include "ShownName.h"

#include <filesystem>
#include <fmt/format.h>

namespace aoa {

Expected<std::string> nameInsideFolder(std::string_view file) {
  auto failHere = [&](std::string_view what) {
    return fail(ErrorKind::Format,
                fmt::format("file name {} {}", shownName(file), what));
  };
  if (file.find('\0') != std::string_view::npos)
    return failHere("has a NUL in it");
  if (file.starts_with('/'))
    return failHere("is absolute, expected one inside the folder");
  std::string inside;
  for (std::string_view rest = file; !rest.empty();) {
    size_t slash = rest.find('/');
    std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size()
                                                       : slash + 1);
    if (part == "..")
      return failHere("leaves the folder");
    if (part.empty() || part == ".")
      continue;
    if (!inside.empty())
      inside += '/';
    inside += part;
  }
  if (inside.empty())
    return failHere("names no file");
  return inside;
}

std::string absolutePath(const std::string &path) {
  std::error_code ignored; // Only an empty path or a lost folder fails.
  std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  std::string text = absolute.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  return text;
}

bool existsAt(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(
      std::filesystem::symlink_status(path, ignored));
}

} // namespace aoa
