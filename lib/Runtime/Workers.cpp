//===- Workers.cpp - Threads that end together ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Workers.h"

#include <chrono>
#include <system_error>
#include <thread>

namespace aoa {

namespace {
double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
} // namespace

Workers::Workers(const RunOptions &options, int64_t bytesTotal)
    : options(options), bytesTotal(bytesTotal), start(now()) {}

Expected<void> Workers::checkStop() const {
  if (options.stop && options.stop->load(std::memory_order_relaxed))
    return fail(ErrorKind::Interrupted, "interrupted");
  if (failed.load(std::memory_order_relaxed))
    return fail(ErrorKind::Interrupted, "another thread failed");
  return {};
}

double Workers::seconds() const { return now() - start; }

void Workers::report() const {
  if (options.onProgress)
    options.onProgress({bytesDone, bytesTotal, seconds()});
}

void Workers::finish(Expected<void> result) {
  const std::lock_guard lock(mutex);
  --numRunning;
  // Threads that end because another failed come after it.
  if (!result && first)
    first = std::move(result);
  if (!first)
    failed = true;
  finished.notify_all();
}

Expected<void> Workers::run(unsigned numThreads,
                            const std::function<Expected<void>()> &work) {
  {
    std::vector<std::jthread> threads;
    std::unique_lock lock(mutex);
    while (threads.size() < numThreads) {
      try {
        threads.emplace_back([this, &work] { finish(work()); });
      } catch (const std::system_error &) {
        break; // As many as the system gives.
      }
      ++numRunning;
    }
    if (threads.empty()) {
      numRunning = 1;
      lock.unlock();
      finish(work());
      lock.lock();
    }
    while (numRunning > 0) {
      finished.wait_for(lock, std::chrono::milliseconds(200));
      lock.unlock();
      report();
      lock.lock();
    }
  }
  return std::move(first);
}

} // namespace aoa
