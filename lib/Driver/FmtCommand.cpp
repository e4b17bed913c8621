//===- FmtCommand.cpp - aoac fmt ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TextOutput.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Parse/Parse.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runFmtCommand(Invocation &invocation) {
  DiagnosticOptions options = invocation.diagnosticOptions();
  ast::Dialect dialect = invocation.dialect();
  if (invocation.has(OPT_i) && invocation.has(OPT_check))
    invocation.usageError("-i and --check exclude each other");
  if (invocation.has(OPT_o) &&
      (invocation.has(OPT_i) || invocation.has(OPT_check)))
    invocation.usageError("-o goes with neither -i nor --check");
  if (!invocation.expectOperands(1, 1, "a script"))
    return ExitUsage;
  std::string path = invocation.operands().front();
  if (invocation.has(OPT_i) && path == "-") {
    invocation.usageError("standard input cannot be written back");
    return ExitUsage;
  }

  SourceManager sources;
  DiagnosticEngine diagnostics(sources, options);
  auto file = sources.open(path);
  if (!file)
    return invocation.report(file.error());
  if (isJsonScript(sources.text(*file)))
    return invocation.report(Error{
        ErrorKind::Unsupported, "`" + sources.name(*file).str() +
                                    "` is JSON: fmt formats scripts as text"});
  auto text = formatScript(sources, *file, dialect, diagnostics);
  diagnostics.flush(llvm::errs());
  if (!text || diagnostics.numErrors() != 0)
    return ExitError;
  bool canonical = *text == sources.text(*file);
  if (invocation.has(OPT_check)) {
    if (!canonical)
      llvm::errs() << "aoac: `" << showable(path)
                   << "` is not in canonical form\n";
    return canonical ? ExitDone : ExitDifferent;
  }
  if (!invocation.has(OPT_i))
    return writeOutput(invocation, *text);
  if (canonical)
    return ExitDone;
  auto written = writeFile(path, *text);
  return written ? int(ExitDone) : invocation.report(written.error());
}
