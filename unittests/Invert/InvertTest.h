//===- InvertTest.h - Programs of texts -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_INVERT_INVERTTEST_H
#define AOA_UNITTESTS_INVERT_INVERTTEST_H

#include "aoa/Basic/SourceManager.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Transforms/Pass.h"

#include <gtest/gtest.h>

namespace aoa::invert::test {

/// What a script makes of a source, as pieces.
class Conversion {
public:
  Conversion(Catalog from, const std::string &text) : source(std::move(from)) {
    sortByName(source.tensors);
    FileId file = sources.add("script", text);
    DiagnosticList faults;
    ast::Script script = parseScript(sources, file, ast::Dialect::Aoa, faults);
    ExpandInputs inputs;
    for (const Tensor &tensor : source.tensors)
      inputs.sourceNames.push_back(tensor.name);
    expanded = expandScript(script, inputs, faults);
    program = analyze(expanded, source, whole, faults);
    PassContext context{whole, expanded, faults};
    lowerToPieces(program, context);
    for (const Diagnostic &fault : faults.list)
      EXPECT_NE(fault.kind->severity, Severity::Error) << fault.message;
  }
  Conversion(const Conversion &) = delete;

  /// What it makes, as the source of another.
  Catalog results() const {
    Catalog made;
    for (const ir::Result &result : program.results) {
      if (result.isCompared)
        continue;
      const ir::Value &value = program.value(result.value);
      made.tensors.push_back(
          {.name = result.name,
           .dtype = value.dtype,
           .shape = Shape(value.shape.begin(), value.shape.end())});
    }
    return made;
  }

  Catalog source;
  Target whole;
  SourceManager sources;
  ast::Script expanded;
  ir::Program program;
};

} // namespace aoa::invert::test

#endif // AOA_UNITTESTS_INVERT_INVERTTEST_H
