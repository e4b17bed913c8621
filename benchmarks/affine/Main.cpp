//===- Main.cpp - Measures lib/Affine ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Scale.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace aoa::bench;

int aoa::bench::addScale(const char *name, Operation operation,
                         int64_t mostPieces) {
  auto run = [operation](benchmark::State &state) {
    int64_t numPieces = 0, peakBytes = 0;
    for ([[maybe_unused]] auto iteration : state) {
      Clock clock;
      numPieces = operation(state.range(0), clock);
      state.SetIterationTime(clock.seconds());
      peakBytes = std::max(peakBytes, clock.peakBytes());
    }
    state.counters["pieces"] = static_cast<double>(numPieces);
    state.counters["pieces/s"] =
        benchmark::Counter(static_cast<double>(numPieces),
                           benchmark::Counter::kIsIterationInvariantRate);
    state.counters["B/piece"] =
        static_cast<double>(peakBytes) / static_cast<double>(numPieces);
  };
  auto *family = benchmark::RegisterBenchmark(name, run);
  for (int64_t size = 10'000; size <= mostPieces; size *= 10)
    family->Arg(size);
  family->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
  return 0;
}

namespace {
struct Point {
  double pieces, seconds, bytes;
};

/// Returns the slope of log(seconds) over log(pieces).
double exponentOf(const std::vector<Point> &points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point &point : points) {
    double logPieces = std::log(point.pieces),
           logTime = std::log(point.seconds);
    n += 1;
    x += logPieces;
    y += logTime;
    xx += logPieces * logPieces;
    xy += logPieces * logTime;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Shows each run, and a table of the families at the end.
class ScaleReporter : public benchmark::ConsoleReporter {
public:
  ScaleReporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs) {
      if (run.run_type != Run::RT_Iteration || !run.counters.contains("pieces"))
        continue;
      double pieces = run.counters.at("pieces");
      families[run.run_name.function_name].push_back(
          {pieces, run.real_accumulated_time / double(run.iterations),
           run.counters.at("B/piece")});
    }
  }

  void printTable() const {
    std::printf("\n%-36s %10s %12s %12s %8s %9s\n", "", "pieces", "M pieces/s",
                "slowest", "B/piece", "exponent");
    for (const auto &[name, points] : families) {
      const Point &largest = points.back();
      double slowest = INFINITY, bytes = 0;
      for (const Point &point : points) {
        slowest = std::min(slowest, point.pieces / point.seconds);
        bytes = std::max(bytes, point.bytes);
      }
      std::printf("%-36s %10.0f %12.1f %12.1f %8.0f", name.c_str(),
                  largest.pieces, largest.pieces / largest.seconds / 1e6,
                  slowest / 1e6, bytes);
      if (points.size() > 1)
        std::printf(" %9.2f", exponentOf(points));
      std::printf("\n");
    }
  }

private:
  std::map<std::string, std::vector<Point>> families;
};
} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  ScaleReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printTable();
}
