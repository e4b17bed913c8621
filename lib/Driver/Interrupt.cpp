//===- Interrupt.cpp - Ctrl-C and what else stops a run -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Interrupt.h"

#include <csignal>

using namespace aoa;

namespace {

// Signal handlers can reach nothing else.
constinit std::atomic<bool> stop = false;

void requestStop(int signal) {
  if (stop.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

} // namespace

const std::atomic<bool> &driver::stopRequested() { return stop; }

void driver::installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = requestStop;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}
