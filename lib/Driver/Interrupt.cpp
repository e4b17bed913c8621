//===- Interrupt.cpp - Ctrl-C and what else stops a run -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Interrupt.h"

#include "aoa/Driver/Driver.h"

#include <csignal>
#include <unistd.h>

using namespace aoa;
using namespace aoa::driver;

namespace {

// Signal handlers can reach nothing else.
constinit std::atomic<bool> stop = false;
constinit std::atomic<bool> running = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void requestStop(int) {
  if (!running || stop.exchange(true))
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
