//===- UnreadFiles.cpp - Files beside those of the ranks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Safetensors/UnreadFiles.h"

#include "FilePaths.h"
#include "ShownName.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace aoa::safetensors {

void reportUnreadFiles(const std::string &folder, const RankFiles &files,
                       FileId layoutFile, DiagnosticSink &sink) {
  std::set<std::string> known, folders;
  for (const RankFile &file : files.files) {
    known.insert(file.file);
    size_t slash = file.file.rfind('/');
    folders.insert(slash == std::string::npos ? ""
                                              : file.file.substr(0, slash));
  }
  std::set<std::string> unread;
  for (const std::string &inside : folders) {
    std::string path = inside.empty() ? folder : joinPath(folder, inside);
    std::error_code code;
    for (std::filesystem::directory_iterator it(path, code), end;
         !code && it != end; it.increment(code)) {
      std::string name = it->path().filename().string();
      std::string file = joinPath(inside, name);
      if (name.ends_with(".safetensors") && !known.contains(file))
        unread.insert(file);
    }
  }
  if (unread.empty())
    return;
  std::string message = fmt::format(
      "{} belongs to no rank of the source layout", shownName(*unread.begin()));
  if (unread.size() > 1)
    message += fmt::format(", nor do {} more files", unread.size() - 1);
  sink.report({.kind = &diag::UnreadFile,
               .range = {layoutFile, 0, 0},
               .message = std::move(message)});
}

} // namespace aoa::safetensors
