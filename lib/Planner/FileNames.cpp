//===- FileNames.cpp - Files of the result that would collide ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FileNames.h"

#include <map>
#include <string_view>

using namespace aoa;

Expected<void> aoa::checkFileNames(const TransferPlan &plan) {
  std::map<std::string_view, bool> isSideFile;
  for (const TargetFile &file : plan.targets)
    isSideFile.emplace(file.file, false);
  for (const IndexFile &file : plan.indexes)
    isSideFile.emplace(file.file, false);
  for (const CopiedFile &file : plan.copies)
    if (!isSideFile.emplace(file.file, true).second)
      return fail(ErrorKind::Exists,
                  "side file `" + file.file +
                      "` has the name of a file of the result");

  auto describe = [&](std::string_view file) {
    return std::string(isSideFile[file] ? "side file `" : "file `") +
           std::string(file) + "`";
  };
  for (const auto &[file, isSide] : isSideFile)
    for (size_t at = file.find('/'); at != file.npos;
         at = file.find('/', at + 1))
      if (isSideFile.contains(file.substr(0, at)))
        return fail(ErrorKind::Exists, describe(file.substr(0, at)) +
                                           " stands where " + describe(file) +
                                           " needs a folder");
  return {};
}
