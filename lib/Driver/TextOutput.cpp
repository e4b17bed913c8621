//===- TextOutput.cpp - Where a command's data goes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TextOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

Expected<void> driver::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  std::string temporary = path.str();
  if (!isSpecialFile(path)) {
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
  if (!error && temporary != path)
    error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    return {};
  if (temporary != path)
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
