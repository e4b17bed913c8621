//===- Stats.cpp - Counts and seconds of a compilation --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Stats.h"

#include "TextOutput.h"
#include "llvm/ADT/STLExtras.h"

#include <nlohmann/json.hpp>

using namespace aoa;
using namespace aoa::driver;

std::string driver::statsJson(const Compilation &compilation,
                              const RunReport *run) {
  const TransferPlan &plan = compilation.plan;
  const StageSeconds &seconds = compilation.seconds;
  nlohmann::ordered_json json;
  json["version"] = 1;
  json["source_tensors"] = compilation.source.tensors.size();
  json["target_tensors"] =
      llvm::count_if(compilation.program.results, [](const ir::Result &result) {
        return !result.isCompared;
      });
  json["statements"] = compilation.expanded.statements.size();
  json["classes"] = compilation.program.classes.size();
  json["pieces"] = compilation.numPieces();
  json["distinct_pieces"] = compilation.numDistinctPieces();
  json["transfers"] = plan.numTransfers();
  json["comparisons"] = plan.comparisons.size();
  json["bytes_read"] = run ? run->bytesRead : plan.bytesToRead();
  json["bytes_written"] = run ? run->bytesWritten : plan.outputBytes();
  json["seconds"] = {{"parse", seconds.parse},     {"expand", seconds.expand},
                     {"sema", seconds.sema},       {"lower", seconds.lower},
                     {"compose", seconds.compose}, {"plan", seconds.plan},
                     {"run", seconds.run}};
  for (const PassStatistics &pass : compilation.passes)
    json["passes"].push_back({{"name", pass.name.str()},
                              {"pieces_before", pass.piecesBefore},
                              {"pieces_after", pass.piecesAfter},
                              {"seconds", pass.seconds}});
  return json.dump(2) + "\n";
}

bool driver::writeStats(Invocation &invocation, const Compilation &compilation,
                        const RunReport *run) {
  llvm::StringRef path = invocation.value(OPT_stats);
  if (path.empty())
    return true;
  auto written = writeFile(path, statsJson(compilation, run));
  if (!written)
    invocation.report(written.error());
  return written.has_value();
}
