//===- OutputDirectory.h - A result appears at once or never ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   output is        staged in                     published by
//   absent           PARENT/.NAME.aoac-partial     renaming the folder
//   empty            OUTPUT/.aoac-partial          renaming what is in it
//   not empty        PARENT/.NAME.aoac-partial     exchanging the folders
//
// Locks on the staging folder and on the output keep two runs apart; they end
// with the process, so what a killed run left is known to be stale and removed.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_OUTPUTDIRECTORY_H
#define AOA_LIB_RUNTIME_OUTPUTDIRECTORY_H

#include "FileAccess.h"

#include <memory>
#include <vector>

namespace aoa {

/// What stands where the result shall go.
struct OutputPlace {
  enum State { Absent, Empty, Full };
  std::string path; ///< Links resolved, no slash at the end.
  std::string parent;
  std::string name;
  State state;
};

/// Looks at `output`. Fails with Exists when it is no directory, or is not
/// empty and `overwrite` is not set.
Expected<OutputPlace> findOutputPlace(const std::string &output,
                                      bool overwrite);

/// Returns the bytes that are free where `place` is or will be.
Expected<int64_t> freeBytesAt(const OutputPlace &place);

class OutputDirectory {
public:
  /// Locks the place and makes an empty staging folder. Fails with Busy when
  /// another run holds the lock, with Exists when a result has appeared since
  /// `place` was found.
  static Expected<std::unique_ptr<OutputDirectory>>
  prepare(const OutputPlace &place);

  /// Removes everything that was staged unless it was published.
  ~OutputDirectory();

  /// Creates an empty file `file` and the folders above it.
  Expected<NamedFile> create(const std::string &file);

  /// Where the files are until they are published.
  const std::string &stagingFolder() const { return staging; }

  /// Makes the result visible, `lastFiles` (names below the output) last.
  Expected<void> publish(const std::vector<std::string> &lastFiles);

private:
  explicit OutputDirectory(const OutputPlace &place) : place(place) {}
  OutputDirectory(const OutputDirectory &) = delete;

  Expected<void> makeParents();
  Expected<void> lockOutput();
  Expected<void> lockStaging();
  Expected<void> publishFolder();
  Expected<void> publishEntries(const std::vector<std::string> &lastFiles);
  Expected<void> exchangeFolders();
  Expected<void> replaceFolder();

  const OutputPlace place;
  std::string staging;
  std::vector<std::string> madeParents; ///< Outermost first.
  FileDescriptor outputLock, stagingLock;
  bool ownsStaging = false;
};

} // namespace aoa

#endif // AOA_LIB_RUNTIME_OUTPUTDIRECTORY_H
