//===- ChildProcess.cpp - A program that runs beside this one -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/ChildProcess.h"

#include "aoa/Driver/Driver.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>

using namespace aoa;
using namespace aoa::driver;

static constexpr uint64_t maxOutputBytes = 64 << 20;

ChildProcess::ChildProcess(Command of)
    : command(std::move(of)), deadline(Clock::now() + command.limit) {
  // All of one program: what the tests say holds for the aoac that runs them.
  std::string program = llvm::sys::fs::getMainExecutable(
      "aoac", reinterpret_cast<void *>(&runAoac));
  if (std::error_code error =
          llvm::sys::fs::set_current_path(command.directory)) {
    ended = {std::nullopt,
             "entering `" + command.directory + "`: " + error.message()};
    return;
  }
  // A redirection writes over what a file holds, but does not cut it short.
  for (const std::string &path : {command.out, command.err})
    llvm::sys::fs::remove(path);
  llvm::SmallVector<llvm::StringRef, 16> arguments = {"aoac"};
  arguments.append(command.arguments.begin(), command.arguments.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), command.out,
                                                command.err};
  std::string fault;
  bool failed = false;
  process = llvm::sys::ExecuteNoWait(program, arguments, std::nullopt,
                                     redirects, 0, &fault, &failed);
  if (failed || process.Pid == llvm::sys::ProcessInfo::InvalidPid)
    ended = {std::nullopt, "it could not be started: " + fault};
}

ChildProcess::~ChildProcess() {
  if (!ended)
    end();
}

void ChildProcess::end() {
  ::kill(process.Pid, SIGKILL);
  llvm::sys::Wait(process, std::nullopt);
}

std::optional<ChildProcess::End> ChildProcess::poll() {
  if (ended)
    return ended;
  std::string fault;
  // With a time limit, Wait would set an alarm, of which a process has one.
  llvm::sys::ProcessInfo state = llvm::sys::Wait(process, 0, &fault);
  if (state.Pid == process.Pid) {
    ended = state.ReturnCode >= 0 ? End{state.ReturnCode, ""}
                                  : End{std::nullopt, "it crashed: " + fault};
    return ended;
  }
  for (const std::string &path : {command.out, command.err}) {
    uint64_t bytes = 0;
    if (!llvm::sys::fs::file_size(path, bytes) && bytes > maxOutputBytes) {
      end();
      ended = {std::nullopt, "it printed more than " +
                                 std::to_string(maxOutputBytes) + " bytes"};
      return ended;
    }
  }
  if (Clock::now() < deadline)
    return std::nullopt;
  end();
  ended = {std::nullopt, "it ran for more than " +
                             std::to_string(command.limit.count()) +
                             " s (--timeout)"};
  return ended;
}
