//===- Invocation.h - One call of a command, parsed -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a command with typed access. A value that cannot be read is
// a usage error: it is reported once and `failed` is set; commands return
// ExitUsage when it is.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_INVOCATION_H
#define AOA_LIB_DRIVER_INVOCATION_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/DiagnosticEngine.h"
#include "aoa/Catalog/StateNames.h"
#include "aoa/Driver/Driver.h"
#include "aoa/Planner/BuildPlan.h"
#include "aoa/Runtime/Execute.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Support/Parameters.h"
#include "llvm/Option/ArgList.h"

#include <optional>

namespace aoa::driver {

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

/// Options.td: flags of options.
enum OptionFlag : unsigned {
  WritesFile = 1u << 4, ///< LLVM's own are below.
};

enum class Command {
#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY) NAME,
#include "Commands.def"
};

/// The table of Options.td.
const llvm::opt::OptTable &optionTable();
/// The program that a command belongs to, as its messages begin.
llvm::StringRef programName(Command command);
/// The flags that a command takes.
llvm::opt::Visibility visibilityOf(Command command);

class Invocation {
public:
  Invocation(Command command, const llvm::opt::InputArgList &args);

  Command command;

  bool has(OptionId id) const { return args.hasArg(id); }
  llvm::StringRef value(OptionId id, llvm::StringRef otherwise = "") const {
    return args.getLastArgValue(id, otherwise);
  }
  /// The values of a flag that may be given several times.
  std::vector<std::string> values(OptionId id) const {
    return args.getAllArgValues(id);
  }
  std::vector<std::string> operands() const;

  /// Checks the number of operands. `what` names them: "a plan".
  bool expectOperands(size_t least, size_t most, llvm::StringRef what);
  /// Returns the value of a flag that the command cannot do without.
  std::string required(OptionId id, llvm::StringRef what);

  int64_t byteSize(OptionId id, int64_t otherwise);
  unsigned number(OptionId id, unsigned otherwise);
  /// --states; without it the convention that goes with the dialect.
  StateConvention stateConvention(ast::Dialect dialect);
  /// --dtype, --include, --exclude
  ResultOptions resultOptions();
  /// All of -D.
  Parameters parameters();
  ast::Dialect dialect();
  CheckReplicas checkReplicas();
  bool wantsColor();
  DiagnosticOptions diagnosticOptions();
  /// --output, --overwrite, --memory, --threads, --source, and the signal flag.
  RunOptions runOptions();

  /// Prints `aoac: error: …`, or adds it to the document. Returns the exit code
  /// that fits the error.
  int report(const Error &error);
  /// Prints the document of --diagnostics-format, if that asks for one.
  void finishDiagnostics();

  /// Reports a usage error.
  void usageError(const llvm::Twine &message);
  bool failed = false;

private:
  void readWarningFlags(WarningFlags &warnings);

  const llvm::opt::InputArgList &args;
  std::optional<DiagnosticDocument> document;
};

#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY)                             \
  int run##NAME##Command(Invocation &invocation);
#include "Commands.def"

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_INVOCATION_H
