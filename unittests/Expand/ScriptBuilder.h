//===- ScriptBuilder.h - Syntax trees for tests -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes statements from their text without the parser, which Expand does not
// depend on: names, attributes with whole numbers, words, quoted texts and
// lists, `${…}` without blanks, `?` and clauses; commas and `->` between them.
// Ranges are those in the text.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_EXPAND_SCRIPTBUILDER_H
#define AOA_UNITTESTS_EXPAND_SCRIPTBUILDER_H

#include "Expander.h"
#include "aoa/Support/Parameters.h"

#include <map>

namespace aoa::expand::test {

/// One statement a string. `range.begin` counts through all strings.
ast::Script makeScript(const std::vector<std::string> &statements,
                       ast::Dialect dialect);

/// The statements without blanks, as `a,b->c,axis=0`.
std::vector<std::string> textOf(const ast::Script &script);

/// The parts of a tensor along each dimension, and what upstream counts.
struct TestTensor {
  std::vector<int64_t> parts = {1, 1};
  std::vector<Shape> sizes = {};
  bool segmented = false;
  int64_t numDistinctOffsets = 0; ///< 0: product of parts.
};

struct TestEnds {
  std::map<std::string, TestTensor> source = {};
  std::map<std::string, TestTensor> target = {};
  bool targetLists = false;
  int64_t maxStatements = 10'000'000, maxNames = 20'000'000,
          maxValueBytes = 2'000'000'000, maxExprSteps = 1'000'000'000;
  Parameters parameters = {};

  /// Refers to this object.
  ExpandInputs inputs() const;
};

/// An expansion with what was reported.
struct Expanded {
  ast::Script script;
  DiagnosticList diagnostics;

  std::vector<std::string> text() const { return textOf(script); }
  /// `kind: message`, one each.
  std::vector<std::string> reports() const;
};

Expanded expandTexts(const std::vector<std::string> &statements,
                     const TestEnds &ends,
                     ast::Dialect dialect = ast::Dialect::Aoa,
                     MacroSet enabled = MacroSet().set());

using Texts = std::vector<std::string>;

/// A whole checkpoint with these names.
TestEnds source(const Texts &names);

/// Expects these statements, and no report.
void expectExpansion(const Texts &statements, const TestEnds &ends,
                     const Texts &expected,
                     ast::Dialect dialect = ast::Dialect::Aoa);
/// Expects one report, an error.
void expectError(const Texts &statements, const TestEnds &ends,
                 const std::string &expected,
                 ast::Dialect dialect = ast::Dialect::Aoa);

} // namespace aoa::expand::test

#endif // AOA_UNITTESTS_EXPAND_SCRIPTBUILDER_H
