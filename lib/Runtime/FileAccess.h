//===- FileAccess.h - Files read and written at offsets ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// System calls that are repeated until done, with errors that name the file and
// the offset. Needs SIGXFSZ ignored to report a file-size limit as an error.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_FILEACCESS_H
#define AOA_LIB_RUNTIME_FILEACCESS_H

#include "aoa/Support/Error.h"
#include "aoa/Support/RegularFile.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/uio.h>

namespace aoa {

/// An error of the system: "DOING `path`: No such file or directory".
std::unexpected<Error> failErrno(int error, std::string_view doing,
                                 std::string_view path);

/// A file and the name it has in messages.
struct NamedFile {
  FileDescriptor fd;
  std::string path;
};

/// Opens a regular file for reading; never waits on a pipe or device.
Expected<NamedFile> openForReading(const std::string &path,
                                   struct stat *info = nullptr);

/// Reads exactly the bytes of all `parts`, from `offset` on. Fails at the end
/// of the file: it was cut off. `parts` is used up.
Expected<void> readAt(const NamedFile &file, std::span<iovec> parts,
                      int64_t offset);
Expected<void> readAt(const NamedFile &file, std::byte *bytes, int64_t size,
                      int64_t offset);

Expected<void> writeAt(const NamedFile &file, const std::byte *bytes,
                       int64_t size, int64_t offset);

/// Copies bytes between files inside the kernel. Returns false where the file
/// systems cannot do that, or stop early: then they have to be read and
/// written.
Expected<bool> copyInKernel(const NamedFile &src, int64_t srcOffset,
                            const NamedFile &dst, int64_t dstOffset,
                            int64_t size);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_FILEACCESS_H
