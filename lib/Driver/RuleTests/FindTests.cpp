//===- FindTests.cpp - The rule tests below a folder ----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/FindTests.h"

#include "RuleTests/ReadRunLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

std::unexpected<Error> failReading(llvm::StringRef what,
                                   std::error_code error) {
  return fail(ErrorKind::Io,
              "reading `" + what.str() + "`: " + error.message());
}

/// Appends the paths of the `.aoa` files below `folder`.
Expected<void> searchFolder(llvm::StringRef folder,
                            std::vector<std::string> &found) {
  std::error_code error;
  auto end = fs::recursive_directory_iterator();
  auto at = fs::recursive_directory_iterator(folder, error,
                                             /*follow_symlinks=*/false);
  while (!error && at != end) {
    llvm::StringRef name = path::filename(at->path());
    fs::file_type type = at->type();
    if (type == fs::file_type::directory_file && name.starts_with("."))
      at.no_push();
    if (type != fs::file_type::directory_file &&
        path::extension(name) == ".aoa")
      found.push_back(at->path());
    at.increment(error);
  }
  if (error)
    return failReading(folder, error);
  return {};
}

/// Reads the file of `test`. Returns the fault, empty if there is none.
std::string readText(RuleTest &test, llvm::StringRef absolute) {
  fs::file_status status;
  if (std::error_code error = fs::status(absolute, status))
    return "reading it: " + error.message();
  if (!fs::is_regular_file(status))
    return "reading it: no regular file";
  auto buffer = llvm::MemoryBuffer::getFile(absolute, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return "reading it: " + buffer.getError().message();
  test.text = (*buffer)->getBuffer().str();
  return "";
}

} // namespace

Expected<std::vector<RuleTest>>
driver::findTests(llvm::ArrayRef<std::string> operands) {
  std::vector<std::string> names;
  for (const std::string &operand : operands) {
    fs::file_status status;
    if (std::error_code error = fs::status(operand, status))
      return failReading(operand, error);
    if (!fs::is_directory(status))
      names.push_back(operand);
    else if (auto searched = searchFolder(operand, names); !searched)
      return std::unexpected(searched.error());
  }
  struct Place {
    std::string absolute;
    size_t length; ///< Of the name: the shortest is the one that is shown.
    std::string name;
    auto operator<=>(const Place &) const = default;
  };
  std::vector<Place> places;
  for (std::string &name : names) {
    // However a folder is named it is one; the file in it may be a link.
    llvm::StringRef folder = path::parent_path(name);
    llvm::SmallString<256> absolute;
    if (std::error_code error =
            fs::real_path(folder.empty() ? "." : folder, absolute))
      return failReading(name, error);
    path::append(absolute, path::filename(name));
    llvm::StringRef shown = name;
    while (shown.consume_front("./"))
      shown = shown.ltrim('/');
    places.push_back({std::string(absolute), shown.size(), shown.str()});
  }
  llvm::sort(places);
  places.erase(std::unique(places.begin(), places.end(),
                           [](const Place &a, const Place &b) {
                             return a.absolute == b.absolute;
                           }),
               places.end());

  std::vector<RuleTest> tests;
  for (const Place &place : places) {
    RuleTest test;
    test.name = place.name;
    test.directory = path::parent_path(place.absolute).str();
    test.file = path::filename(place.absolute).str();
    test.fault = readText(test, place.absolute);
    if (test.fault.empty())
      readRunLines(test);
    if (!test.runs.empty() || !test.fault.empty())
      tests.push_back(std::move(test));
  }
  return tests;
}
