//===- Scale.h - How an operation grows -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A family of benchmarks is one operation at 10^4 … 10^7 pieces. For each, the
// program prints pieces per second, bytes of memory a piece at the peak, and
// last the exponent of its time: 1 is linear.
//
//   static int64_t addPieces(int64_t numPieces, Clock &clock) {
//     ...                            // what is given
//     clock.start();
//     ...                            // what is measured
//     clock.stop();
//     return set.size();             // pieces that it made
//   }
//   AOA_SCALE("emit/one form", addPieces);
//===----------------------------------------------------------------------===//
#ifndef AOA_BENCHMARKS_AFFINE_SCALE_H
#define AOA_BENCHMARKS_AFFINE_SCALE_H

#include <cstdint>

namespace aoa::bench {

/// Measures the time of the processor, which other programs on the machine
/// disturb least, and the most memory on the heap beyond what start() saw.
class Clock {
public:
  void start();
  void stop();
  double seconds() const { return elapsed; }
  int64_t peakBytes() const { return peak; }

private:
  double started = 0, elapsed = 0;
  int64_t bytesBefore = 0, peak = 0;
};

/// Runs an operation for about `numPieces` pieces and returns for how many.
using Operation = int64_t (*)(int64_t numPieces, Clock &clock);

/// Registers an operation at 10^4 … 10^7 pieces, or up to `mostPieces`.
int addScale(const char *name, Operation operation,
             int64_t mostPieces = 10'000'000);

#define AOA_SCALE_NAME(line) aoaScale##line
#define AOA_SCALE_LINE(line, ...)                                              \
  [[maybe_unused]] static const int AOA_SCALE_NAME(line) =                     \
      aoa::bench::addScale(__VA_ARGS__)
#define AOA_SCALE(...) AOA_SCALE_LINE(__LINE__, __VA_ARGS__)

} // namespace aoa::bench

#endif // AOA_BENCHMARKS_AFFINE_SCALE_H
