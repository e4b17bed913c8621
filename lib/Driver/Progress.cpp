//===- Progress.cpp - The bar on a terminal, sizes for people -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace aoa;
using namespace aoa::driver;

std::string driver::formatBytes(int64_t bytes) {
  if (bytes < 1000)
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  constexpr const char *units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = double(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return llvm::formatv("{0:f1} {1}", value, units[unit]).str();
}

static std::string formatSeconds(double seconds) {
  auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 60)
    return llvm::formatv("{0} s", whole).str();
  if (whole < 3600)
    return llvm::formatv("{0}:{1:02}", whole / 60, whole % 60).str();
  return llvm::formatv("{0}:{1:02}:{2:02}", whole / 3600, whole / 60 % 60,
                       whole % 60)
      .str();
}

static void drawBar(const Progress &progress) {
  constexpr int width = 30;
  double part = progress.bytesTotal == 0
                    ? 1.0
                    : double(progress.bytesDone) / double(progress.bytesTotal);
  std::string bar(size_t(part * width), '#');
  bar.resize(width, '.');
  double rate =
      progress.seconds > 0 ? double(progress.bytesDone) / progress.seconds : 0;
  std::string left =
      rate > 0 ? formatSeconds(
                     double(progress.bytesTotal - progress.bytesDone) / rate)
               : "?";
  llvm::errs() << llvm::formatv(
      "\r[{0}] {1,3}%  {2} of {3}  {4}/s  {5} left\x1b[K", bar, int(part * 100),
      formatBytes(progress.bytesDone), formatBytes(progress.bytesTotal),
      formatBytes(int64_t(rate)), left);
  llvm::errs().flush();
}

std::function<void(const Progress &)> driver::progressBar() {
  if (!isatty(STDERR_FILENO))
    return {};
  return drawBar;
}

void driver::clearProgressBar() {
  if (isatty(STDERR_FILENO))
    llvm::errs() << "\r\x1b[K";
}
