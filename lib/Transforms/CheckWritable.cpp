//===- CheckWritable.cpp - Results that files can hold ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/Pass.h"

#include "FaultPlace.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

using namespace aoa;

void aoa::checkWritable(const ir::Program &program, const ast::Script &script,
                        DiagnosticSink &sink) {
  for (const ir::Result &result : program.results)
    if (result.leftToCaller)
      sink.report(errorAt(diag::LeftToCaller, program.definition(result.value),
                          script,
                          "`" + result.name +
                              "` is left to the caller: a conversion to files "
                              "cannot write it"));
}
