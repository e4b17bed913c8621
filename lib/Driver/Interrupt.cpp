//===- Interrupt.cpp - Ctrl-C and what else stops a run -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Interrupt.h"

#include "aoa/Driver/Driver.h"

#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

using namespace aoa;
using namespace aoa::driver;

namespace {

// Signal handlers can reach nothing else.
constinit std::atomic<bool> stop = false;
constinit std::atomic<bool> running = false;
constinit std::atomic<int64_t> stopSeconds = 0; ///< Of the first; 0: none yet.
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<int64_t>::is_always_lock_free);

void requestStop(int) {
  // timeout(1) and terminals signal the process and then its group: what comes
  // at once with the first is no second wish.
  constexpr int64_t minSecondsBetween = 2;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t first = 0; // Two threads may handle two signals at once.
  if (running && stopSeconds.compare_exchange_strong(first, now.tv_sec + 1))
    stop = true;
  else if (!running || now.tv_sec + 1 - first >= minSecondsBetween)
    _exit(ExitInterrupted);
}

} // namespace

void driver::installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = requestStop;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool> &driver::stopRequested() { return stop; }

RunInProgress::RunInProgress() { running = true; }

RunInProgress::~RunInProgress() { running = false; }
