//===- SourceFiles.h - The files a plan reads -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checked once against what the plan was made for, then opened when needed and
// kept open, a bounded number of them, for all threads.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_SOURCEFILES_H
#define AOA_LIB_RUNTIME_SOURCEFILES_H

#include "FileAccess.h"
#include "aoa/Plan/TransferPlan.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace aoa {

/// Opens a file that the plan was made with, when it had `bytes` bytes. Fails
/// with Mismatch when it has others now.
Expected<NamedFile> openUnchanged(const std::string &path, int64_t bytes);

/// Fails with Mismatch and the name of the first file that is not the one the
/// plan was made for: size, or the fingerprint of its header. Also looks at the
/// files that are copied. Fails when the plan knows no files at all.
Expected<void> checkSources(const TransferPlan &plan, const std::string &root);

/// What a thread holds open at most: its target and, when all of them are in
/// use elsewhere, a source of either side.
inline constexpr int64_t filesPerThread = 3;

/// Returns how many files the process may open beside those it has now.
int64_t openableFiles();

class SourceFiles {
public:
  SourceFiles(const TransferPlan &plan, std::string root, unsigned numThreads);

  /// Opens source number `source`, a file, or finds it open. What is returned
  /// stays open as long as it is held.
  Expected<std::shared_ptr<const NamedFile>> open(uint32_t source);

  /// Returns the bytes of a source that is in the plan; none of a file.
  std::string_view inlined(uint32_t source) const {
    return plan.sources[source].inlined;
  }

private:
  struct Entry {
    std::shared_ptr<const NamedFile> file;
    uint64_t lastUse;
  };

  const TransferPlan &plan;
  const std::string root;
  const size_t maxOpen;
  std::mutex mutex;
  std::unordered_map<uint32_t, Entry> entries;
  uint64_t numUses = 0;
};

} // namespace aoa

#endif // AOA_LIB_RUNTIME_SOURCEFILES_H
