//===- TestProgress.cpp - One test on its way -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/TestProgress.h"

#include "RuleTests/CheckLines.h"
#include "RuleTests/FileChecks.h"
#include "RuleTests/GoldenFile.h"
#include "RuleTests/ReadRunLines.h"
#include "TextOutput.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Driver/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

/// Between what a command printed on its two streams.
constexpr llvm::StringLiteral errorMark = "=== standard error ===\n";

/// A word as a shell takes it.
std::string shellWord(llvm::StringRef word) {
  bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("-_./=:,%+@").contains(c);
  });
  if (isPlain)
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  return quoted + "'";
}

/// The line that does again what a RUN line does.
std::string commandLine(const RuleTest &test, const RunLine &run) {
  std::string line;
  llvm::StringRef folder = llvm::sys::path::parent_path(test.name);
  if (!folder.empty())
    line = "cd " + shellWord(folder) + " && ";
  line += "aoac";
  std::vector<std::string> arguments = *substitute(run, test, "%t");
  for (const std::string &argument : arguments)
    line += " " + shellWord(argument);
  return line;
}

std::optional<std::string> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return std::nullopt;
  return (*buffer)->getBuffer().str();
}

bool isExpected(const RunLine &run, int exitCode) {
  if (!run.expectsError)
    return exitCode == ExitDone;
  return exitCode == ExitError || exitCode == ExitDifferent;
}

void replaceAll(std::string &text, llvm::StringRef what, llvm::StringRef by) {
  std::string replaced;
  llvm::StringRef rest = text;
  while (true) {
    auto [before, behind] = rest.split(what);
    replaced += before;
    if (before.size() == rest.size())
      break;
    replaced += by;
    rest = behind;
  }
  text = std::move(replaced);
}

} // namespace

TestProgress::TestProgress(const RuleTest &of, const RunTestsOptions &options,
                           std::string place)
    : test(of), options(options), folder(std::move(place)) {
  llvm::sys::fs::create_directory(folder + "/stream");
  std::string why = whyNotRun();
  if (why.empty()) {
    startRun();
  } else {
    next = test.runs.size();
    fail(why + "\n");
  }
}

/// Returns what is wrong with the test itself; empty if nothing is.
std::string TestProgress::whyNotRun() const {
  if (!test.fault.empty())
    return test.fault;
  for (const RunLine &line : test.runs) {
    auto arguments = substitute(line, test, temporary());
    std::string why =
        arguments ? whyRefused(*arguments, temporary()) : arguments.error();
    if (!why.empty())
      return "the RUN line at line " + std::to_string(line.line) + ": " + why;
  }
  return "";
}

std::optional<RuleTestResult> TestProgress::advance() {
  while (!result) {
    auto end = child->poll();
    if (!end)
      return std::nullopt;
    child.reset();
    if (isChecking)
      judgeFileCheck(*end);
    else
      judgeRun(*end);
    if (!result && !child) {
      if (++next < test.runs.size())
        startRun();
      else
        judgeGoldenFile();
    }
  }
  return result;
}

void TestProgress::fail(const std::string &reason) {
  result.emplace();
  std::string text = reason;
  replaceAll(text, temporary(), "%t");
  if (next < test.runs.size())
    text.insert(0, commandLine(test, run()) + "\n");
  for (llvm::StringRef rest = text; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    result->reason += "  " + showable(line) + "\n";
  }
}

void TestProgress::start(std::vector<std::string> arguments) {
  child.emplace(ChildProcess::Command{std::move(arguments), test.directory,
                                      streamPath("out"), streamPath("err"),
                                      options.limit});
}

void TestProgress::startRun() {
  isChecking = false;
  start(*substitute(run(), test, temporary()));
}

/// Returns what a process wrote to `path`, with `%t` for the place of temporary
/// files, which differs from run to run.
std::string TestProgress::take(const std::string &path) {
  std::string text = readFile(path).value_or("");
  replaceAll(text, temporary(), "%t");
  return text;
}

bool TestProgress::hasChecks(const RunLine &line) {
  if (line.check.none)
    return false;
  return !line.check.prefix.empty() || !line.check.implicitNots.empty() ||
         line.check.matchFullLines || hasCheckLines(test.text, "CHECK");
}

void TestProgress::judgeRun(const ChildProcess::End &end) {
  std::string out = take(streamPath("out")), err = take(streamPath("err"));
  if (!end.exitCode || !isExpected(run(), *end.exitCode)) {
    std::string expected = run().expectsError ? "1" : "0";
    std::string why = end.exitCode
                          ? "exit code " + std::to_string(*end.exitCode) +
                                ", expected " + expected + "\n"
                          : end.fault + "\n";
    return fail(why + quoteLines(out) + quoteLines(err));
  }
  if (hasChecks(run())) {
    std::string text = out;
    if (!err.empty())
      text += errorMark.str() + err;
    if (auto written = writeFile(streamPath("output"), text); !written)
      return fail(written.error().str() + "\n");
    return startFileCheck();
  }
  if (run().check.none)
    return;
  comparesGolden = true;
  printed += out;
}

void TestProgress::startFileCheck() {
  isChecking = true;
  start(fileCheckArguments(test.name, test.directory + "/" + test.file,
                           streamPath("output"), run().check));
}

void TestProgress::judgeFileCheck(const ChildProcess::End &end) {
  if (end.exitCode == ExitDone)
    return;
  std::string text = take(streamPath("err"));
  if (!end.exitCode)
    text += "FileCheck: " + end.fault + "\n";
  fail(text);
}

void TestProgress::judgeGoldenFile() {
  std::string path = goldenPath(test);
  std::string name = llvm::sys::path::filename(path).str();
  bool exists = llvm::sys::fs::exists(path);
  next = test.runs.size(); // what follows is about all RUN lines
  auto pass = [&](std::string remark = "") {
    result.emplace(RuleTestResult{true, std::move(remark), ""});
  };
  if (!exists && (!options.updatesGoldenFiles || printed.empty()))
    return pass();
  if (!comparesGolden)
    return fail("`" + name +
                "` is compared with nothing: every RUN line has checks of its "
                "own\n");
  std::optional<std::string> expected = exists ? readFile(path) : std::nullopt;
  if (exists && !expected)
    return fail("`" + name + "` cannot be read\n");
  if (expected == printed)
    return pass();
  if (options.updatesGoldenFiles) {
    // It may lead to any file at all.
    if (llvm::sys::fs::is_symlink_file(path))
      return fail("`" + name + "` is a link, and --update follows none\n");
    auto written = writeFile(path, printed);
    return written ? pass("wrote " + name) : fail(written.error().str() + "\n");
  }
  std::string commands;
  for (const RunLine &line : test.runs)
    commands += commandLine(test, line) + "\n";
  fail(commands + "the output differs from `" + name + "` at " +
       firstDifference(*expected, printed));
}
