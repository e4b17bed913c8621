//===- ScriptInputs.h - What commands with a script take --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_SCRIPTINPUTS_H
#define AOA_LIB_DRIVER_SCRIPTINPUTS_H

#include "Compilation.h"
#include "Invocation.h"

namespace aoa::driver {

/// Reads --std, --reverse, --source, --source-layout, --target, --states,
/// --max-pieces, --dtype, --include, --exclude, -D, --config, -I and the script
/// operand.
inline CompilationInputs scriptInputs(Invocation &invocation) {
  CompilationInputs inputs;
  std::vector<std::string> operands = invocation.operands();
  if (!operands.empty())
    inputs.script = operands.front();
  inputs.dialect = invocation.dialect();
  inputs.source = invocation.value(OPT_source).str();
  inputs.sourceLayout = invocation.value(OPT_source_layout).str();
  inputs.target = invocation.value(OPT_target).str();
  inputs.maxPieces = invocation.number(OPT_max_pieces, inputs.maxPieces);
  inputs.states = invocation.stateConvention(inputs.dialect);
  inputs.isReversed = invocation.has(OPT_reverse);
  inputs.results = invocation.resultOptions();
  inputs.parameters = invocation.parameters();
  inputs.config = invocation.value(OPT_config).str();
  inputs.includes.directories = invocation.values(OPT_I);
  return inputs;
}

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_SCRIPTINPUTS_H
