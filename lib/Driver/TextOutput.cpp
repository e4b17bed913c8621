//===- TextOutput.cpp - Where a command's data goes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TextOutput.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace aoa;
using namespace aoa::driver;

/// Whether something stands at `path` that a rename would destroy: a device, a
/// pipe. Those are written in place.
static bool isSpecialFile(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return false;
  return llvm::sys::fs::is_other(status);
}

/// Returns the file to which links at `path` lead; `path` where there is none.
static std::string fileBehindLinks(llvm::StringRef path) {
  llvm::SmallString<256> file;
  if (llvm::sys::fs::real_path(path, file))
    return path.str();
  return file.str().str();
}

Expected<void> driver::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  bool isInPlace = isSpecialFile(path);
  std::string file = isInPlace ? path.str() : fileBehindLinks(path);
  std::string temporary = file;
  // What is replaced stays as public, and as executable, as it was.
  auto permissions = llvm::sys::fs::getPermissions(file);
  if (!isInPlace) {
    temporary += ".aoac-partial";
    llvm::sys::fs::remove(temporary);
  }
  {
    llvm::raw_fd_ostream os(temporary, error);
    if (!error) {
      os << bytes;
      os.close();
      error = os.error();
      os.clear_error();
    }
  }
  if (!error && !isInPlace && permissions)
    error = llvm::sys::fs::setPermissions(temporary, *permissions);
  if (!error && !isInPlace)
    error = llvm::sys::fs::rename(temporary, file);
  if (!error)
    return {};
  if (!isInPlace)
    llvm::sys::fs::remove(temporary);
  return fail(ErrorKind::Io,
              "writing `" + path.str() + "`: " + error.message());
}

int driver::writeOutput(Invocation &invocation, llvm::StringRef bytes) {
  llvm::StringRef path = invocation.value(OPT_o, "-");
  if (path == "-") {
    llvm::outs() << bytes;
    return ExitDone;
  }
  auto written = writeFile(path, bytes);
  return written ? int(ExitDone) : invocation.report(written.error());
}
