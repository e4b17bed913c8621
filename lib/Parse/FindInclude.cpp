//===- FindInclude.cpp - Which file an include means ----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "FindInclude.h"

#include "aoa/Parse/ParseDiagnostics.h"
#include "aoa/Support/JoinPath.h"
#include "aoa/Support/RegularFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <system_error>

using namespace aoa;
using namespace aoa::parse;

static std::string quote(llvm::StringRef name) {
  return "`" + name.str() + "`";
}

llvm::StringRef parse::directoryOf(llvm::StringRef name) {
  return llvm::sys::path::parent_path(name);
}

std::string parse::realPathOf(llvm::StringRef path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    return "";
  return real.str().str();
}

static bool isBelow(llvm::StringRef path, llvm::StringRef directory) {
  return !directory.empty() && path.starts_with(joinPath(directory, ""));
}

IncludePlaces::IncludePlaces(llvm::StringRef scriptName,
                             llvm::ArrayRef<std::string> given)
    : directories(given.begin(), given.end()) {
  llvm::StringRef own = directoryOf(scriptName);
  ownPlace = realPathOf(own.empty() ? "." : own);
  for (const std::string &directory : directories)
    allowed.push_back(realPathOf(directory));
  std::erase(allowed, ""); // there is nothing below what does not exist
}

/// True if the text of a name says that it may leave where it is looked for.
static bool mayLeave(llvm::StringRef path) {
  return llvm::sys::path::is_absolute(path) ||
         llvm::is_contained(llvm::make_range(llvm::sys::path::begin(path),
                                             llvm::sys::path::end(path)),
                            "..");
}

std::expected<FoundInclude, IncludeFault>
IncludePlaces::find(llvm::StringRef path, llvm::StringRef includer) const {
  if (path.contains('\0'))
    return std::unexpected(
        IncludeFault{&diag::IncludeNotFound,
                     "the name " + quote(path) +
                         " holds a byte 0, which no name of a file does"});
  if (mayLeave(path) && directories.empty())
    return std::unexpected(IncludeFault{
        &diag::IncludeOutside,
        quote(path) + " needs `-I DIR`: absolute names and `..` only lead to "
                      "places below such a directory"});
  const bool isAbsolute = llvm::sys::path::is_absolute(path);
  std::vector<std::string> tried;
  FoundInclude found;
  auto isMissingIn = [&](llvm::StringRef directory, std::error_code &error) {
    found.name = isAbsolute ? path.str() : joinPath(directory, path);
    llvm::SmallString<256> real;
    error = llvm::sys::fs::real_path(found.name, real);
    found.realPath = real.str().str();
    if (error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory)
      return false;
    std::string shown = quote(directory.empty() ? "." : directory);
    if (!llvm::is_contained(tried, shown))
      tried.push_back(std::move(shown));
    return true;
  };
  std::error_code error;
  bool isMissing = isMissingIn(directoryOf(includer), error);
  if (isMissing && isAbsolute)
    return std::unexpected(
        IncludeFault{&diag::IncludeNotFound, "found no file " + quote(path)});
  for (const std::string &directory : directories)
    isMissing = isMissing && isMissingIn(directory, error);
  if (isMissing)
    return std::unexpected(IncludeFault{
        &diag::IncludeNotFound, "found no file " + quote(path) + " in " +
                                    llvm::join(tried, ", ") +
                                    "; `-I DIR` names more directories"});
  if (error)
    return std::unexpected(IncludeFault{
        &diag::IncludeUnreadable,
        quote(found.name) + " cannot be read: " + error.message()});
  return check(path, std::move(found));
}

std::expected<FoundInclude, IncludeFault>
IncludePlaces::check(llvm::StringRef path, FoundInclude found) const {
  const bool mayBeBeside = !mayLeave(path);
  if ((mayBeBeside && isBelow(found.realPath, ownPlace)) ||
      llvm::any_of(allowed, [&](const std::string &directory) {
        return isBelow(found.realPath, directory);
      }))
    return found;
  std::string message = quote(path) + " leads to " + quote(found.realPath);
  message += mayBeBeside
                 ? ", which is not below the directory of the script"
                 : ", but absolute names and `..` only lead to places below a "
                   "directory of `-I`";
  return std::unexpected(IncludeFault{&diag::IncludeOutside,
                                      message + "; `-I DIR` allows a place"});
}

std::string parse::tooLarge(llvm::StringRef name, int64_t bytes,
                            int64_t maxBytes) {
  return quote(name) + " has " + std::to_string(bytes) +
         " bytes, an included file has at most " + std::to_string(maxBytes);
}

std::expected<std::string, IncludeFault>
parse::readInclude(const FoundInclude &found, int64_t maxBytes) {
  auto unreadable = [&](const std::string &why) {
    return std::unexpected(
        IncludeFault{&diag::IncludeUnreadable, quote(found.name) + " " + why});
  };
  auto cannotRead = [&](int error) {
    return unreadable("cannot be read: " +
                      std::generic_category().message(error));
  };
  auto file = openRegularFile(found.realPath);
  if (!file)
    return file.error() == notARegularFile
               ? unreadable(llvm::sys::fs::is_directory(found.realPath)
                                ? "is a directory, expected a file"
                                : "is no regular file")
               : cannotRead(file.error());
  if (file->info.st_size > maxBytes)
    return std::unexpected(
        IncludeFault{&diag::IncludeLimit,
                     tooLarge(found.name, file->info.st_size, maxBytes)});
  std::string text(static_cast<size_t>(file->info.st_size), '\0');
  ReadOutcome outcome = readFully(file->fd, text, 0);
  if (outcome.error != 0)
    return cannotRead(outcome.error);
  text.resize(static_cast<size_t>(outcome.bytes));
  return text;
}
