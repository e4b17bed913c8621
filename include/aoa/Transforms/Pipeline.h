//===- Pipeline.h - Passes, run one after the other -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs passes on LLVM's pass manager: by name, dumped, verified, timed. A pass
// that reports errors ends the pipeline; the rest do not run.
//
//   parsePipeline("lower-to-pieces,check-coverage")
//     →  runPipeline(program, passes, context, {.verifyEach = true})
//===----------------------------------------------------------------------===//
#ifndef AOA_TRANSFORMS_PIPELINE_H
#define AOA_TRANSFORMS_PIPELINE_H

#include "aoa/Transforms/Pass.h"

#include <expected>

namespace aoa {

/// A line of Passes.def.
struct PassInfo {
  llvm::StringRef name, summary;
  ir::Stage stage; ///< It runs on programs that have come so far.
};
using Pipeline = std::vector<const PassInfo *>;

/// All passes, in the order in which a compilation runs them; last those that
/// run on request.
llvm::ArrayRef<PassInfo> allPasses();

/// Returns the pass called `name`. Fails with what is
/// wrong and the nearest name.
std::expected<const PassInfo *, std::string> findPass(llvm::StringRef name);
/// Reads `a,b,c`; an empty text is no pass. Fails as findPass.
std::expected<Pipeline, std::string> parsePipeline(llvm::StringRef text);
/// The passes of allPasses from `first` to `last`. Requires two of its names.
Pipeline passesBetween(llvm::StringRef first, llvm::StringRef last);

struct PassStatistics {
  llvm::StringRef name;
  int64_t piecesBefore = 0, piecesAfter = 0; ///< As numPieces counts them.
  double seconds = 0;
};

/// Takes a program apart and puts it together again. Returns what went wrong:
/// a bug.
using RoundTrip = std::optional<std::string> (*)(ir::Program &);

struct PipelineOptions {
  /// Print the program behind every pass, or behind these.
  bool printAfterAll = false;
  Pipeline printAfter = {};
  llvm::raw_ostream *dumps = nullptr; ///< Where to; required by the two above.
  bool verifyEach = false;            ///< ir::verify behind every pass.
  RoundTrip roundTrip = nullptr; ///< Run behind every pass, if there is one.
};

struct PipelineReport {
  std::vector<PassStatistics> passes; ///< Those that ran.
  /// A pass that does not run on a program of that stage.
  std::optional<std::string> refusal;
  /// What `verifyEach` or the round trip found, and behind which pass.
  std::optional<std::string> bug;
};

/// Runs `pipeline`. The program is usable only if the sink of `context` has no
/// errors then, no pass was refused and there is no bug.
PipelineReport runPipeline(ir::Program &program, const Pipeline &pipeline,
                           PassContext &context,
                           const PipelineOptions &options = {});

/// How many pieces the program has: from storage to storage, those of all
/// results, once they are composed; before, whole tensor to whole tensor.
int64_t numPieces(const ir::Program &program);

/// Prints seconds and pieces of each pass as a table; its form depends on the
/// numbers only.
void printTimeReport(llvm::raw_ostream &os,
                     llvm::ArrayRef<PassStatistics> passes);

} // namespace aoa

#endif // AOA_TRANSFORMS_PIPELINE_H
