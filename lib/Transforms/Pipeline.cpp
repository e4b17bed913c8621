//===- Pipeline.cpp - Passes, run one after the other -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Transforms/Pipeline.h"

#include "PassManager.h"
#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace aoa;

namespace {
constexpr PassInfo passInfos[] = {
#define AOA_PASS(FUNCTION, NAME, STAGE, SUMMARY)                               \
  {NAME, SUMMARY, ir::Stage::STAGE},
#include "aoa/Transforms/Passes.def"
};

using AddPass = void (*)(ProgramPassManager &);
constexpr AddPass addPass[] = {
#define AOA_PASS(FUNCTION, NAME, STAGE, SUMMARY)                               \
  [](ProgramPassManager &manager) { manager.addPass(FUNCTION##Pass()); },
#include "aoa/Transforms/Passes.def"
};

/// Runs what a compilation knows of its passes, behind each of them.
class RoundTripPass : public llvm::PassInfoMixin<RoundTripPass> {
public:
  RoundTripPass(RoundTrip roundTrip, const PassInfo &after,
                std::optional<std::string> &bug)
      : roundTrip(roundTrip), after(&after), bug(&bug) {}

  static llvm::StringRef name() { return "round-trip"; }
  llvm::PreservedAnalyses run(ir::Program &program, ProgramAnalysisManager &,
                              PassContext &) {
    if (auto fault = roundTrip(program))
      *bug = "the text of the IR after pass `" + after->name.str() +
             "` does not come back: " + *fault;
    return llvm::PreservedAnalyses::none();
  }

private:
  RoundTrip roundTrip;
  const PassInfo *after;
  std::optional<std::string> *bug;
};

/// Watches the passes of one run.
class Instrumentation {
public:
  Instrumentation(ir::Program &program, PassContext &context,
                  const PipelineOptions &options, PipelineReport &report)
      : program(program), sink(context.sink), options(options), report(report),
        errorsBefore(sink.numErrors()) {}

  void attachTo(llvm::PassInstrumentationCallbacks &callbacks);

private:
  static bool isOurs(llvm::StringRef pass) {
    return pass != RoundTripPass::name();
  }
  bool isSound() const {
    return sink.numErrors() == errorsBefore && !report.bug && !report.refusal;
  }
  bool shouldRun(llvm::StringRef pass);
  void begin(llvm::StringRef pass);
  void end(llvm::StringRef pass);
  bool isDumped(llvm::StringRef pass) const {
    return options.printAfterAll ||
           llvm::any_of(options.printAfter, [&](const PassInfo *info) {
             return info->name == pass;
           });
  }

  const ir::Program &program;
  DiagnosticSink &sink;
  const PipelineOptions &options;
  PipelineReport &report;
  unsigned errorsBefore;
  std::chrono::steady_clock::time_point begun;
};

void Instrumentation::attachTo(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [this](llvm::StringRef pass, llvm::Any) { return shouldRun(pass); });
  callbacks.registerBeforeNonSkippedPassCallback(
      [this](llvm::StringRef pass, llvm::Any) {
        if (isOurs(pass))
          begin(pass);
      });
  callbacks.registerAfterPassCallback(
      [this](llvm::StringRef pass, llvm::Any, const llvm::PreservedAnalyses &) {
        if (isOurs(pass))
          end(pass);
      });
}

static llvm::StringRef nameOf(ir::Stage stage) {
  switch (stage) {
  case ir::Stage::Graph:
    return "graph";
  case ir::Stage::Pieces:
    return "pieces";
  case ir::Stage::Transfers:
    return "transfers";
  }
  llvm_unreachable("all stages are listed");
}

bool Instrumentation::shouldRun(llvm::StringRef pass) {
  if (!isSound())
    return false;
  if (!isOurs(pass))
    return true;
  ir::Stage wanted = (*findPass(pass))->stage;
  if (wanted == program.stage)
    return true;
  report.refusal =
      ("pass `" + pass + "` runs on programs of the stage `" + nameOf(wanted) +
       "`, this one is at `" + nameOf(program.stage) + "`")
          .str();
  return false;
}

void Instrumentation::begin(llvm::StringRef pass) {
  PassStatistics &statistics = report.passes.emplace_back();
  statistics.name = pass;
  statistics.piecesBefore = numPieces(program);
  begun = std::chrono::steady_clock::now();
}

void Instrumentation::end(llvm::StringRef pass) {
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  PassStatistics &statistics = report.passes.back();
  statistics.seconds = took.count();
  statistics.piecesAfter = numPieces(program);
  if (isDumped(pass)) {
    *options.dumps << "; IR after " << pass << '\n';
    ir::print(*options.dumps, program, program.stage);
  }
  // What a pass leaves behind that reported errors need not be whole.
  if (options.verifyEach && isSound())
    if (auto fault = ir::verify(program))
      report.bug =
          "the IR after pass `" + pass.str() + "` is broken: " + *fault;
}
} // namespace

llvm::ArrayRef<PassInfo> aoa::allPasses() { return passInfos; }

std::expected<const PassInfo *, std::string>
aoa::findPass(llvm::StringRef name) {
  for (const PassInfo &pass : passInfos)
    if (pass.name == name)
      return &pass;
  NearestName nearest(name.str());
  for (const PassInfo &pass : passInfos)
    nearest.consider(pass.name);
  return std::unexpected("unknown pass `" + name.str() + "`" + nearest.hint());
}

std::expected<Pipeline, std::string> aoa::parsePipeline(llvm::StringRef text) {
  Pipeline pipeline;
  if (text.trim().empty())
    return pipeline;
  for (llvm::StringRef name : llvm::split(text, ',')) {
    auto pass = findPass(name.trim());
    if (!pass)
      return std::unexpected(std::move(pass.error()));
    pipeline.push_back(*pass);
  }
  return pipeline;
}

Pipeline aoa::passesBetween(llvm::StringRef first, llvm::StringRef last) {
  auto *begin = llvm::find_if(
      passInfos, [&](const PassInfo &pass) { return pass.name == first; });
  auto *end = llvm::find_if(
      passInfos, [&](const PassInfo &pass) { return pass.name == last; });
  assert(begin <= end && end != std::end(passInfos) && "names of the list");
  Pipeline pipeline;
  for (const PassInfo &pass : llvm::make_range(begin, end + 1))
    pipeline.push_back(&pass);
  return pipeline;
}

PipelineReport aoa::runPipeline(ir::Program &program, const Pipeline &pipeline,
                                PassContext &context,
                                const PipelineOptions &options) {
  PipelineReport report;
  Instrumentation instrumentation(program, context, options, report);
  llvm::PassInstrumentationCallbacks callbacks;
  instrumentation.attachTo(callbacks);
  ProgramAnalysisManager analyses;
  analyses.registerPass(
      [&] { return llvm::PassInstrumentationAnalysis(&callbacks); });
  ProgramPassManager passes;
  for (const PassInfo *pass : pipeline) {
    addPass[pass - passInfos](passes);
    if (options.roundTrip)
      passes.addPass(RoundTripPass(options.roundTrip, *pass, report.bug));
  }
  passes.run(program, analyses, context);
  return report;
}

int64_t aoa::numPieces(const ir::Program &program) {
  int64_t count = 0;
  if (program.classes.empty())
    for (const ir::Result &result : program.results)
      count += static_cast<int64_t>(result.pieces.size());
  for (const ir::LayoutClass &layoutClass : program.classes)
    count += layoutClass.numPieces() * layoutClass.numResults;
  return count;
}

void aoa::printTimeReport(llvm::raw_ostream &os,
                          llvm::ArrayRef<PassStatistics> passes) {
  os << llvm::formatv("{0,10} {1,12} {2,12}  pass\n", "seconds", "pieces",
                      "then");
  double total = 0;
  for (const PassStatistics &pass : passes) {
    os << llvm::formatv("{0,10:F6} {1,12} {2,12}  {3}\n", pass.seconds,
                        pass.piecesBefore, pass.piecesAfter, pass.name);
    total += pass.seconds;
  }
  os << llvm::formatv("{0,10:F6} {1,12} {2,12}  total\n", total, "", "");
}
