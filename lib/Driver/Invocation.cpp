//===- Invocation.cpp - One call of a command, parsed ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Invocation.h"

#include "DiagnosticKinds.h"
#include "Interrupt.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Support/ByteSize.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace aoa;
using namespace aoa::driver;

llvm::StringRef driver::programName(Command command) {
  return command == Command::Opt ? "aoac-opt" : "aoac";
}

Invocation::Invocation(Command command, const llvm::opt::InputArgList &args)
    : command(command), args(args) {
  using Form = DiagnosticDocument::Form;
  llvm::StringRef format = value(OPT_diagnostics_format, "text");
  if (format == "json" || format == "sarif")
    document.emplace(format == "json" ? Form::Json : Form::Sarif, AOA_VERSION);
  else if (format != "text")
    usageError("unknown format of diagnostics `" + format +
               "`; expected `text`, `json` or `sarif`");
}

std::vector<std::string> Invocation::operands() const {
  return args.getAllArgValues(OPT_INPUT);
}

void Invocation::usageError(const llvm::Twine &message) {
  llvm::errs() << programName(command) << ": error: " << showable(message.str())
               << "\n";
  failed = true;
}

bool Invocation::expectOperands(size_t least, size_t most,
                                llvm::StringRef what) {
  size_t count = operands().size();
  if (count < least)
    usageError("expected " + what);
  else if (count > most)
    usageError("unexpected operand `" + operands()[most] + "`");
  return !failed;
}

std::string Invocation::required(OptionId id, llvm::StringRef what) {
  if (value(id).empty())
    usageError("expected " + what);
  return value(id).str();
}

int64_t Invocation::byteSize(OptionId id, int64_t otherwise) {
  if (!has(id))
    return otherwise;
  if (auto bytes = parseByteSize(value(id)))
    return *bytes;
  usageError("`" + value(id) +
             "` is no size; expected bytes or a number with KB, MB, GB, KiB, "
             "MiB or GiB");
  return otherwise;
}

unsigned Invocation::number(OptionId id, unsigned otherwise) {
  unsigned number = otherwise;
  if (has(id) && value(id).getAsInteger(10, number))
    usageError("`" + value(id) + "` is no number");
  return number;
}

StateConvention Invocation::stateConvention(ast::Dialect dialect) {
  llvm::StringRef text =
      value(OPT_states, dialect == ast::Dialect::Paddle ? "paddle" : "none");
  auto convention = findStateConvention(text);
  if (!convention)
    usageError("unknown convention of states `" + text +
               "`; expected `none`, `paddle` or `deepspeed`");
  return convention.value_or(StateConvention::None);
}

ResultOptions Invocation::resultOptions() {
  ResultOptions options;
  if (has(OPT_dtype)) {
    llvm::StringRef text = value(OPT_dtype);
    options.dtype = dtypeFromAnyName(text);
    if (!options.dtype)
      options.dtype = dtypeFromSafetensors(text.upper());
    if (!options.dtype || classOf(*options.dtype) != DTypeClass::Float)
      usageError("`" + text +
                 "` is no floating dtype; expected bf16, f16, f32, f64, "
                 "f8_e4m3 or f8_e5m2");
  }
  auto readPatterns = [&](OptionId id, std::vector<NamePattern> &patterns) {
    for (const std::string &text : values(id)) {
      auto pattern = NamePattern::parse(text);
      if (pattern)
        patterns.push_back(std::move(*pattern));
      else
        usageError("`" + text +
                   "` is no pattern of names: " + pattern.error().str());
    }
  };
  readPatterns(OPT_include_names, options.include);
  readPatterns(OPT_exclude_names, options.exclude);
  return options;
}

Parameters Invocation::parameters() {
  Parameters parameters;
  for (const std::string &definition : values(OPT_D))
    if (auto defined = parameters.define(definition); !defined)
      usageError("-D: " + defined.error().str());
  return parameters;
}

ast::Dialect Invocation::dialect() {
  llvm::StringRef text = value(OPT_std, "aoa");
  if (text != "aoa" && text != "paddle")
    usageError("unknown dialect `" + text + "`; expected `aoa` or `paddle`");
  return text == "paddle" ? ast::Dialect::Paddle : ast::Dialect::Aoa;
}

CheckReplicas Invocation::checkReplicas() {
  llvm::StringRef text = value(OPT_check_replicas, "auto");
  if (text == "yes")
    return CheckReplicas::Yes;
  if (text == "no")
    return CheckReplicas::No;
  if (text != "auto")
    usageError("unknown value `" + text +
               "` of --check-replicas; expected `auto`, `yes` or `no`");
  return CheckReplicas::Auto;
}

bool Invocation::wantsColor() {
  llvm::StringRef when = value(OPT_color, "auto");
  if (when == "always")
    return true;
  if (when != "auto" && when != "never")
    usageError("unknown value `" + when + "` of --color");
  auto noColor = llvm::sys::Process::GetEnv("NO_COLOR");
  return when == "auto" && !(noColor && !noColor->empty()) &&
         llvm::sys::Process::StandardErrHasColors();
}

void Invocation::readWarningFlags(WarningFlags &warnings) {
  if (has(OPT_Werror))
    warnings.makeAllErrors();
  if (has(OPT_strict))
    warnings.makeStrict();
  for (const std::string &flag : values(OPT_W))
    if (auto taken = warnings.add(flag, allDiagnosticKinds()); !taken)
      usageError(taken.error().str());
}

DiagnosticOptions Invocation::diagnosticOptions() {
  DiagnosticOptions options;
  readWarningFlags(options.warnings);
  options.document = document ? &*document : nullptr;
  options.color = wantsColor();
  options.errorLimit = number(OPT_error_limit, options.errorLimit);
  return options;
}

RunOptions Invocation::runOptions() {
  RunOptions options;
  options.output = value(OPT_output).str();
  options.overwrite = has(OPT_overwrite);
  options.memoryBytes = byteSize(OPT_memory, options.memoryBytes);
  options.threads = number(OPT_threads, 0);
  options.stop = &stopRequested();
  return options;
}

int Invocation::report(const Error &error) {
  if (document)
    document->addFailure(error.str());
  else
    llvm::errs() << "aoac: error: " << showable(error.str()) << "\n";
  return error.kind() == ErrorKind::Interrupted ? ExitInterrupted : ExitError;
}

void Invocation::finishDiagnostics() {
  if (document)
    document->print(llvm::errs());
}
