//===- Analyze.h - Names, shapes and dtypes of a script ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// From an expanded script and its two ends to a Program, with every check of
// the language that needs no geometry: names bound and used, arities, shapes,
// dtypes, bindings lost, sources unused, what the target lists.
//===----------------------------------------------------------------------===//
#ifndef AOA_SEMA_ANALYZE_H
#define AOA_SEMA_ANALYZE_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Catalog/NamePattern.h"
#include "aoa/IR/Program.h"

namespace aoa {

/// What is wanted of the results beside what the script says.
struct ResultOptions {
  /// Floating results are cast to it. The others stay, and so do states of an
  /// optimizer, tensors left to the caller, and results that a statement with a
  /// `dtype` stands behind: one that makes them, or an operand of theirs that
  /// gives them its elements (what a tie only compares does not).
  std::optional<DType> dtype;
  /// Names of results: those that a pattern of `include` fits (all, without
  /// one) and none of `exclude`. What is left out is not made.
  std::vector<NamePattern> include, exclude;

  bool takes(std::string_view name) const;
};

/// What the target is. At most one of `layout` and `list` is set; neither:
/// full.
struct Target {
  const Layout *layout = nullptr;
  const Catalog *list = nullptr; ///< Lists the tensors, with their shards.
  /// Whether the list is an affine map: its ranks have one file each, also
  /// where there is one rank that holds everything whole.
  bool isMap = false;
  /// How names of optimizer states are told from those of tensors.
  StateConvention states = StateConvention::None;
  const ResultOptions *results = nullptr; ///< Null: all, as they are.
};

/// What one statement of an expanded script became.
struct AnalyzedStatement {
  const ast::Statement *statement;
  /// Its operations: [firstOp, endOp). Those of source tensors that it is the
  /// first to read are among them.
  size_t firstOp = 0, endOp = 0;
  /// Of left names as they are read, in order; none for `_`.
  llvm::SmallVector<ir::ValueId, 2> operands = {};
  /// Of right names; none for `_` and for what is removed.
  llvm::SmallVector<ir::ValueId, 2> results = {};
};

/// Analyzes `script` (primitives only). Reports all independent errors; the
/// program is usable only if there were none. Cost: one hash look-up a name.
/// `analyzed`, if given, takes what each statement became.
ir::Program analyze(const ast::Script &script, const Catalog &source,
                    const Target &target, DiagnosticSink &sink,
                    std::vector<AnalyzedStatement> *analyzed = nullptr);

} // namespace aoa

#endif // AOA_SEMA_ANALYZE_H
