//===- Compilation.h - The stages, one after the other ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What every command that compiles shares: opens the two ends and the script,
// runs the stages, times them, shows the diagnostics. Each step returns whether
// the next one may run; what went wrong has then been printed.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_COMPILATION_H
#define AOA_LIB_DRIVER_COMPILATION_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/DiagnosticEngine.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Driver/Driver.h"
#include "aoa/IR/Program.h"
#include "aoa/Parse/LoadScript.h"
#include "aoa/Plan/TransferPlan.h"
#include "aoa/Planner/BuildPlan.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Support/Parameters.h"
#include "aoa/Transforms/Pipeline.h"

#include <deque>

namespace aoa::driver {

/// What a compilation reads, as the user named it.
struct CompilationInputs {
  std::string script; ///< A path, `-`, or empty: no script.
  ast::Dialect dialect = ast::Dialect::Aoa;
  std::string source;       ///< Empty: nothing is known of the source.
  std::string sourceLayout; ///< Empty: none.
  std::string target;       ///< Empty or `full`, or a path.
  /// Where the result goes: an earlier one there is no part of the source.
  /// Empty: not known.
  std::string output;
  int64_t maxPieces = 50'000'000; ///< Of all results together.
  StateConvention states = StateConvention::None;
  bool isReversed = false; ///< --reverse
  ResultOptions results;
  Parameters parameters; ///< Of the command line, without a config.
  std::string config;    ///< Empty: `config.json` of the source, if any.
  IncludeOptions includes;
};

struct StageSeconds {
  double parse = 0, expand = 0, sema = 0, lower = 0, compose = 0, plan = 0,
         run = 0;
};

class Compilation {
public:
  explicit Compilation(DiagnosticOptions options);

  /// Opens source, layouts, target and script. Texts come from files.
  bool open(const CompilationInputs &inputs);
  /// The same from the texts that a plan carries.
  bool open(const PlanOrigin &origin, const std::string &sourcePath);

  bool parse();
  bool expand();
  bool analyze();
  bool lower();
  /// Makes the script for the way back, after `lower`.
  bool invert(const std::string &scriptName, std::string &text);
  bool compose();
  /// In place of the two: places the results and cuts their shards where
  /// holders change.
  bool placeHomogeneously();
  /// Runs passes on the program as `pipelineOptions` says.
  bool runPasses(const Pipeline &passes);
  /// Builds the plan, with side files unless `withSideFiles` is false.
  bool buildPlan(int64_t maxShardBytes, bool withSideFiles,
                 CheckReplicas checkReplicas = CheckReplicas::No);

  /// All of the above up to `compose`.
  bool compileToPieces();

  /// The exit code after a step that said no.
  int failure() const { return foundBug ? ExitBug : ExitError; }

  /// Shows an error that is no fault of a text; returns false.
  bool report(const Error &error);

  /// Prints what was reported since the last call.
  void flushDiagnostics() { diagnostics.flush(llvm::errs()); }

  Target target() const;
  bool hasScript() const { return !scriptFile.isNone(); }
  bool hasSource() const { return sourceOpened; }
  /// Pieces from storage to storage of all results, and of the classes.
  int64_t numPieces() const;
  int64_t numDistinctPieces() const;

  SourceManager sources;
  DiagnosticEngine diagnostics;
  FileId scriptFile;
  Catalog source;
  std::optional<Layout> sourceLayout, targetLayout;
  Parameters parameters; ///< What `${…}` sees.
  std::optional<Catalog> targetList;
  bool targetIsMap = false; ///< Whether the list is an affine map.
  ast::Script script;       ///< As parsed.
  ast::Script expanded;     ///< Primitives.
  ir::Program program;
  std::vector<AnalyzedStatement> analyzed; ///< Of `expanded`.
  TransferPlan plan;
  /// After buildPlan: tensors with stored copies that a run does not compare.
  int64_t numNotCompared = 0;
  SideFiles sideFiles;
  StageSeconds seconds;
  PipelineOptions pipelineOptions;
  std::vector<PassStatistics> passes; ///< Those that ran.

private:
  bool openSource(const std::string &path, const std::string &output = "");
  bool openTarget(const std::string &path);
  bool openScript(const std::string &path);
  void useResults(const ResultOptions &options);
  bool readResults(const PlanOrigin &origin);
  /// Warns where the config.json that goes along names another dtype.
  void checkConfigDType();
  bool reverse(const char *what);
  bool useScript(FileId file);
  bool useIncludes(const IncludeOptions &options);
  bool loadWithIncludes();
  void keepParameters();
  bool useTargetText(FileId file, const std::string &root);
  bool useParameters(const CompilationInputs &inputs);
  bool findConfig(llvm::StringRef text);
  bool setConfig(const std::string &path);
  std::optional<Layout> readLayout(const std::string &path);
  std::optional<Layout> parseSourceLayout(FileId file);
  bool placeSourceByLayout();
  /// Prints diagnostics when there are errors; returns whether there are none.
  bool check();

  ast::Dialect dialect = ast::Dialect::Aoa;
  int64_t maxPieces = CompilationInputs().maxPieces;
  StateConvention states = StateConvention::None;
  ResultOptions results;
  PlanOrigin origin;
  IncludeOptions includes;
  bool isOfPlan = false;     ///< Its texts come from a plan, none from files.
  std::string defaultConfig; ///< A path; empty: none.
  bool configIsAsked = false;
  bool sourceOpened = false, foundBug = false, isReversed = false;
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_COMPILATION_H
