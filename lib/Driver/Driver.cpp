//===- Driver.cpp - The command line of aoac ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Driver/Driver.h"

#include "Interrupt.h"
#include "Invocation.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Support/NearestName.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/StringSaver.h"

#include <new>

using namespace aoa;
using namespace aoa::driver;

namespace {

// Options.td names these; one bit a command.
enum : unsigned {
#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY)                             \
  NAME##Vis = 1u << (static_cast<unsigned>(Command::NAME) + 1),
#include "Commands.def"
};
using llvm::opt::DefaultVis;
using llvm::opt::HelpHidden;
using llvm::opt::RenderJoined;
using llvm::opt::RenderSeparate;

#define PREFIX(NAME, VALUE)                                                    \
  constexpr llvm::StringLiteral NAME##_init[] = VALUE;                         \
  constexpr llvm::ArrayRef<llvm::StringLiteral> NAME(                          \
      NAME##_init, std::size(NAME##_init) - 1);
#include "Options.inc"
#undef PREFIX

constexpr llvm::opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class AoacOptTable final : public llvm::opt::GenericOptTable {
public:
  AoacOptTable() : GenericOptTable(optionInfos) {}
};

struct CommandRow {
  Command command;
  llvm::StringRef program, word, operands, summary;
  int (*run)(Invocation &);
};
constexpr CommandRow commands[] = {
#define AOA_TOOL(NAME, WORD, OPERANDS, SUMMARY)
#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY)                             \
  {Command::NAME, "aoac " WORD, WORD, OPERANDS, SUMMARY, run##NAME##Command},
#include "Commands.def"
};
constexpr CommandRow tools[] = {
#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY)
#define AOA_TOOL(NAME, WORD, OPERANDS, SUMMARY)                                \
  {Command::NAME, WORD, WORD, OPERANDS, SUMMARY, run##NAME##Command},
#include "Commands.def"
};

void printCommands(llvm::raw_ostream &os) {
  os << "aoac " AOA_VERSION ": converts checkpoints between parallel layouts, "
        "formats and model structures\n\nUSAGE: aoac COMMAND [operands] "
        "[options]\n\nCOMMANDS:\n";
  for (const CommandRow &row : commands)
    os << llvm::formatv("  {0,-9} {1}\n", row.word, row.summary);
  os << "\n`aoac COMMAND --help` shows a command's options; `aoac --version` "
        "the version. An argument\n`@FILE` is replaced by the arguments in "
        "FILE.\n";
}

const CommandRow *findCommand(llvm::StringRef word) {
  for (const CommandRow &row : commands)
    if (row.word == word)
      return &row;
  return nullptr;
}

/// Reports flags that the command does not have. Returns whether there were
/// any.
bool reportUnknownFlags(const llvm::opt::InputArgList &args,
                        const CommandRow &row) {
  bool any = false;
  for (const llvm::opt::Arg *arg : args.filtered(OPT_UNKNOWN)) {
    std::string text = arg->getAsString(args), nearest;
    llvm::errs() << programName(row.command) << ": error: unknown option `"
                 << showable(text) << "` of " << row.program;
    if (optionTable().findNearest(text, nearest, visibilityOf(row.command)) <=
        2)
      llvm::errs() << "; did you mean `" << nearest << "`?";
    llvm::errs() << "\n";
    any = true;
  }
  return any;
}

int runCommand(const CommandRow &row, llvm::ArrayRef<const char *> arguments) {
  unsigned missingIndex = 0, missingCount = 0;
  auto args = optionTable().ParseArgs(arguments, missingIndex, missingCount,
                                      visibilityOf(row.command));
  if (missingCount != 0) {
    llvm::errs() << programName(row.command) << ": error: option `"
                 << args.getArgString(missingIndex) << "` needs a value\n";
    return ExitUsage;
  }
  if (args.hasArg(OPT_help)) {
    std::string usage = (row.program + " " + row.operands).str();
    std::string title = (row.program + ": " + row.summary).str();
    optionTable().printHelp(llvm::outs(), usage.c_str(), title.c_str(),
                            /*ShowHidden=*/false, /*ShowAllAliases=*/false,
                            visibilityOf(row.command));
    return ExitDone;
  }
  if (reportUnknownFlags(args, row))
    return ExitUsage;
  Invocation invocation(row.command, args);
  int code = invocation.failed ? int(ExitUsage) : row.run(invocation);
  invocation.finishDiagnostics();
  return code;
}

/// Ends standard output: a closed pipe is the reader's wish, anything else that
/// kept us from writing is an error.
int closeStandardOutput(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return code;
  llvm::outs().clear_error();
  if (error == std::errc::broken_pipe)
    return code;
  llvm::errs() << "aoac: error: writing standard output: " << error.message()
               << "\n";
  return code == ExitDone ? int(ExitError) : code;
}

int dispatch(llvm::ArrayRef<const char *> arguments) {
  if (arguments.empty()) {
    printCommands(llvm::errs());
    return ExitUsage;
  }
  llvm::StringRef word = arguments.front();
  if (word == "--help" || word == "-h" || word == "help") {
    printCommands(llvm::outs());
    return ExitDone;
  }
  if (word == "--version") {
    llvm::outs() << "aoac " AOA_VERSION "\n";
    return ExitDone;
  }
  if (const CommandRow *row = findCommand(word))
    return runCommand(*row, arguments.drop_front());
  NearestName nearest(word.str());
  for (const CommandRow &row : commands)
    nearest.consider(row.word);
  llvm::errs() << "aoac: error: unknown command `" << showable(word) << "`"
               << nearest.hint() << "\n";
  return ExitUsage;
}

int dispatchOpt(llvm::ArrayRef<const char *> arguments) {
  if (!arguments.empty() && llvm::StringRef(arguments.front()) == "--version") {
    llvm::outs() << "aoac-opt " AOA_VERSION "\n";
    return ExitDone;
  }
  return runCommand(tools[0], arguments);
}

using Dispatch = int (*)(llvm::ArrayRef<const char *>);

/// The last barrier: what no part of the program handles.
int dispatchSafely(Dispatch dispatch, llvm::ArrayRef<const char *> arguments) {
  try {
    return dispatch(arguments);
  } catch (const std::bad_alloc &) {
    llvm::errs() << "aoac: error: out of memory\n";
    return ExitError;
  } catch (const std::exception &bug) {
    llvm::errs() << "aoac: internal error: " << bug.what() << "\n";
    return ExitBug;
  }
}

int runProgram(Dispatch dispatch, int argc, char **argv) {
  installSignalHandlers();
  llvm::SmallVector<const char *, 32> arguments(argv + 1, argv + argc);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::cl::ExpansionContext responseFiles(allocator,
                                           llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = responseFiles.expandResponseFiles(arguments)) {
    llvm::errs() << "aoac: error: " << llvm::toString(std::move(error)) << "\n";
    return ExitUsage;
  }
  return closeStandardOutput(dispatchSafely(dispatch, arguments));
}

} // namespace

const llvm::opt::OptTable &driver::optionTable() {
  static const AoacOptTable table;
  return table;
}

llvm::opt::Visibility driver::visibilityOf(Command command) {
  return llvm::opt::Visibility(1u << (static_cast<unsigned>(command) + 1));
}

int aoa::runAoac(int argc, char **argv) {
  return runProgram(dispatch, argc, argv);
}

int aoa::runAoacOpt(int argc, char **argv) {
  return runProgram(dispatchOpt, argc, argv);
}
