//===- Workers.h - Threads that end together --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs one function on several threads and reports progress from the calling
// one. The first failure stops all.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_WORKERS_H
#define AOA_LIB_RUNTIME_WORKERS_H

#include "aoa/Runtime/Execute.h"

#include <condition_variable>
#include <mutex>

namespace aoa {

class Workers {
public:
  Workers(const RunOptions &options, int64_t bytesTotal);

  /// Fails when the work shall end: the user stopped it or a thread failed.
  /// To be called often.
  Expected<void> checkStop() const;
  void addProgress(int64_t bytes) { bytesDone += bytes; }

  /// Calls `work` on `numThreads` threads at once and waits for all. Returns
  /// the first failure.
  Expected<void> run(unsigned numThreads,
                     const std::function<Expected<void>()> &work);

  double seconds() const;
  /// Tells the state to the user's function.
  void report() const;

private:
  void finish(Expected<void> result);

  const RunOptions &options;
  const int64_t bytesTotal;
  const double start;
  std::atomic<int64_t> bytesDone = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::condition_variable finished;
  unsigned numRunning = 0;
  Expected<void> first;
};

} // namespace aoa

#endif // AOA_LIB_RUNTIME_WORKERS_H
