//===- RunPlan.cpp - Running and checking a plan, with words --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RunPlan.h"

#include "Interrupt.h"
#include "Progress.h"
#include "aoa/Basic/Showable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace aoa;
using namespace aoa::driver;

namespace {

size_t numTensors(const TransferPlan &plan) {
  std::set<std::string_view> names;
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      names.insert(region.tensor);
  return names.size();
}

void printSummary(const TransferPlan &plan, const RunReport &report) {
  double rate =
      report.seconds > 0 ? double(report.bytesWritten) / report.seconds : 0;
  llvm::errs() << llvm::formatv(
      "aoac: wrote {0} tensors into {1} files: {2} read, {3} written in {4:f2} "
      "s ({5}/s)\n",
      numTensors(plan), report.files, formatBytes(report.bytesRead),
      formatBytes(report.bytesWritten), report.seconds,
      formatBytes(int64_t(rate)));
}

/// Says what was compared: where a tensor is tied to another, that is why it is
/// no file's.
void printComparisons(const TransferPlan &plan) {
  constexpr size_t most = 5;
  std::vector<std::string> wanted;
  std::set<std::string> copied;
  for (const Comparison &comparison : plan.comparisons)
    if (comparison.areCopies)
      copied.insert(comparison.left.tensor);
    else
      wanted.push_back(showable(comparison.reason));
  if (!wanted.empty()) {
    llvm::errs() << "aoac: compared, equal: "
                 << llvm::join(llvm::ArrayRef(wanted).take_front(most), "; ");
    if (wanted.size() > most)
      llvm::errs() << "; and " << wanted.size() - most << " more";
    llvm::errs() << "\n";
  }
  if (!copied.empty())
    llvm::errs() << "aoac: compared, equal: the stored copies of "
                 << copied.size() << " tensors\n";
}

void printDifference(const Difference &difference) {
  llvm::outs() << "`" << difference.file << "`";
  if (!difference.tensor.empty())
    llvm::outs() << ": `" << difference.tensor << "` element "
                 << formatShape(difference.index);
  llvm::outs() << ": found " << difference.found << ", expected "
               << difference.expected << "\n";
}

} // namespace

Expected<bool> driver::isRight(const TransferPlan &plan,
                               const RunOptions &options) {
  auto differences = verifyOutput(plan, options);
  if (!differences)
    return failWith(std::move(differences));
  for (const Difference &difference : *differences)
    printDifference(difference);
  if (differences->empty())
    llvm::errs() << "aoac: verified: every byte is what the plan says\n";
  else
    llvm::errs() << "aoac: differences from what the plan says in "
                 << differences->size() << " of the files\n";
  return differences->empty();
}

int driver::verifyPlanOutput(const TransferPlan &plan,
                             const RunOptions &options,
                             Invocation &invocation) {
  RunInProgress interruptible;
  auto right = isRight(plan, options);
  if (!right)
    return invocation.report(right.error());
  return *right ? ExitDone : ExitDifferent;
}

int driver::runPlan(const TransferPlan &plan, Invocation &invocation,
                    RunReport &report) {
  RunOptions options = invocation.runOptions();
  options.sourceRoot = plan.sourceRoot;
  options.onProgress = progressBar();
  bool isWrong = false;
  if (invocation.has(OPT_verify))
    options.beforePublish = [&](const std::string &folder) -> Expected<void> {
      clearProgressBar();
      RunOptions look = options;
      look.output = folder;
      auto right = isRight(plan, look);
      if (!right)
        return failWith(std::move(right), "verifying");
      isWrong = !*right;
      if (isWrong)
        return fail(ErrorKind::Mismatch,
                    "the files are not what the plan says; they were removed");
      return {};
    };
  RunInProgress interruptible;
  auto done = execute(plan, options);
  clearProgressBar();
  if (!done) {
    int code = invocation.report(done.error());
    return isWrong ? int(ExitDifferent) : code;
  }
  report = *done;
  printSummary(plan, report);
  printComparisons(plan);
  if (report.overflows != 0)
    llvm::errs() << "aoac: warning: " << report.overflows
                 << " finite values became infinite or NaN where they were "
                    "cast, scaled or added to\n";
  return ExitDone;
}

int driver::printForecast(const TransferPlan &plan, Invocation &invocation) {
  RunOptions options = invocation.runOptions();
  options.sourceRoot = plan.sourceRoot;
  auto expected = forecast(plan, options);
  if (!expected)
    return invocation.report(expected.error());
  llvm::outs() << llvm::formatv(
      "files to write   {0}\nbytes to read    {1} ({2})\nbytes to write   {3} "
      "({4})\npeak memory      {5} ({6}) of buffers\nfree space       {7} "
      "({8})\n",
      expected->files, expected->bytesToRead,
      formatBytes(expected->bytesToRead), expected->bytesToWrite,
      formatBytes(expected->bytesToWrite), expected->peakMemoryBytes,
      formatBytes(expected->peakMemoryBytes), expected->freeBytes,
      formatBytes(expected->freeBytes));
  if (!plan.comparisons.empty())
    llvm::outs() << llvm::formatv("comparisons      {0}\n",
                                  plan.comparisons.size());
  for (const TargetFile &file : plan.targets)
    llvm::outs() << llvm::formatv("  {0}  {1} bytes, {2} tensors\n", file.file,
                                  file.bytes, file.regions.size());
  for (const IndexFile &file : plan.indexes)
    llvm::outs() << llvm::formatv("  {0}  {1} bytes\n", file.file,
                                  file.text.size());
  for (const CopiedFile &file : plan.copies)
    llvm::outs() << llvm::formatv("  {0}  {1} bytes, copied\n", file.file,
                                  file.bytes);
  return ExitDone;
}
