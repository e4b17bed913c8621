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
constinit std::atomic<int64_t> stopSeconds = 0; ///< When the first came.
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<int64_t>::is_always_lock_free);

void requestStop(int) {
  // timeout(1) and terminals signal the process and then its group: what comes
  // at once with the first is no second wish.
  constexpr int64_t minSecondsBetween = 2;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (running && !stop.exchange(true))
    stopSeconds = now.tv_sec;
  else if (!running || now.tv_sec - stopSeconds >= minSecondsBetween)
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
