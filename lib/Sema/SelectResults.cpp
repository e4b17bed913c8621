//===- SelectResults.cpp - What is wanted of the results --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Names that patterns leave out are no results, and floating results that no
// statement gave a dtype are cast to the dtype that is wanted of all.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"

using namespace aoa;
using namespace aoa::sema;
using ir::ValueId;

static bool fitsOne(const std::vector<NamePattern> &patterns,
                    std::string_view name) {
  return llvm::any_of(patterns, [&](const NamePattern &pattern) {
    return pattern.matches(name);
  });
}

bool ResultOptions::takes(std::string_view name) const {
  return (include.empty() || fitsOne(include, name)) && !fitsOne(exclude, name);
}

bool Analyzer::takesResult(llvm::StringRef name) {
  if (!target.results)
    return true;
  const ResultOptions &options = *target.results;
  patternIsUsed.resize(options.include.size() + options.exclude.size());
  size_t at = 0;
  for (const auto *patterns : {&options.include, &options.exclude})
    for (const NamePattern &pattern : *patterns) {
      if (!patternIsUsed[at] && pattern.matches(name))
        patternIsUsed[at] = true;
      ++at;
    }
  return options.takes(name);
}

void Analyzer::warnUnusedPatterns() {
  if (!target.results)
    return;
  const ResultOptions &options = *target.results;
  patternIsUsed.resize(options.include.size() + options.exclude.size());
  size_t at = 0;
  for (const auto *patterns : {&options.include, &options.exclude})
    for (const NamePattern &pattern : *patterns)
      if (!patternIsUsed[at++])
        reporter.report(diag::UnusedPattern, SourceRange(),
                        std::string(patterns == &options.include
                                        ? "--include"
                                        : "--exclude") +
                            " " + quote(pattern.text()) + " fits no result");
}

ValueId Analyzer::castResult(llvm::StringRef name, ValueId value,
                             const ast::Statement *statement) {
  if (!target.results || !target.results->dtype || value.isNone())
    return value;
  DType wanted = *target.results->dtype;
  primitives::Operand from = operandOf(value);
  if (from.dtype == wanted || classOf(from.dtype) != DTypeClass::Float ||
      hasStatedDType(value) ||
      program.definition(value).kind == ir::OpKind::Add ||
      stateName(target.states, name))
    return value;
  auto type = primitives::cast(from, wanted);
  assert(type && "floats can be cast to each other");
  ir::Op &op = addOp(ir::OpKind::Cast, {value}, statement);
  op.dtype = wanted;
  op.statement = {};
  // It is none of the statement's own operations, which say what becomes of
  // states: those stay as they are.
  opStatements.back() = nullptr;
  return addResult(name, *type);
}
