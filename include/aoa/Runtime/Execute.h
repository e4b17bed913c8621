//===- Execute.h - Running a plan, files to files ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Moves the bytes of a plan with threads and in bounded memory. The result is
// built under a temporary name beside the output (inside it, when it exists and
// is empty) and appears at once when everything is there; indexes come last.
// What the plan compares is compared before anything is written.
// Whatever goes wrong, nothing is left under a final name and the temporary
// files are removed. Two runs into one output are kept apart by a lock.
//===----------------------------------------------------------------------===//
#ifndef AOA_RUNTIME_EXECUTE_H
#define AOA_RUNTIME_EXECUTE_H

#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

#include <atomic>
#include <functional>

namespace aoa {

struct Progress {
  int64_t bytesDone = 0;
  int64_t bytesTotal = 0;
  double seconds = 0;
};

struct RunOptions {
  std::string sourceRoot; ///< Empty: the plan's.
  std::string output;     ///< Directory.
  bool overwrite = false;
  int64_t memoryBytes = int64_t(256) << 20; ///< All buffers together.
  /// 0: one per processor, fewer where memoryBytes would be thin.
  unsigned threads = 0;
  /// Set from a signal handler to stop; the run then fails as Interrupted.
  const std::atomic<bool> *stop = nullptr;
  /// Called from one thread, a few times a second, and once at the end.
  std::function<void(const Progress &)> onProgress = {};
  /// Called when everything is written, with the folder that holds the result
  /// under its temporary name: a last look before it appears. An error keeps it
  /// from appearing.
  std::function<Expected<void>(const std::string &folder)> beforePublish = {};
  int64_t tileBytes = 0; ///< For tests: the size of tiles. 0: chosen.
};

struct RunReport {
  int64_t bytesRead = 0;    ///< By system calls, over-reading included.
  int64_t bytesWritten = 0; ///< All files of the result.
  int64_t files = 0;
  /// Finite values that a cast made infinite or NaN.
  int64_t overflows = 0;
  double seconds = 0;
};

/// What a run would take.
struct RunForecast {
  int64_t files = 0;
  int64_t bytesToRead = 0; ///< Also to compare.
  int64_t bytesToWrite = 0;
  int64_t peakMemoryBytes = 0; ///< Of buffers.
  int64_t freeBytes = 0;       ///< On the output's file system.
};
/// Looks at a run without doing it. Fails like `execute` would at once: stale
/// or missing sources, output that exists, output equal to the source.
Expected<RunForecast> forecast(const TransferPlan &plan,
                               const RunOptions &options);

/// Runs `plan`. Fails with Exists, Busy, Mismatch (a stale source, or compared
/// tensors that differ), Io, Interrupted; then nothing is left behind.
Expected<RunReport> execute(const TransferPlan &plan,
                            const RunOptions &options);

/// Where a checked result differs first.
struct Difference {
  std::string file;
  std::string tensor;          ///< Empty for headers, indexes, side files.
  Shape index;                 ///< Element of the local tensor.
  std::string found, expected; ///< Values, or what else differs.
};

/// Reads the files that `execute` wrote for `plan` and compares every byte with
/// what the source says. Returns the first difference of each file, none if all
/// is right.
Expected<std::vector<Difference>> verifyOutput(const TransferPlan &plan,
                                               const RunOptions &options);

/// How the values of one tensor differ.
struct ValueDifference {
  std::string tensor;
  Shape index;
  std::string left, right;
  int64_t numElements = 0;
};
/// Compares the regions of two plans with equal region lists (same tensors,
/// dtypes and shapes in the same order, one target file each): the values two
/// checkpoints would give. Returns for each differing tensor the first
/// difference and how many elements differ. NaNs are equal when their bits are.
Expected<std::vector<ValueDifference>> compareValues(const TransferPlan &left,
                                                     const TransferPlan &right,
                                                     const RunOptions &options);

} // namespace aoa

#endif // AOA_RUNTIME_EXECUTE_H
