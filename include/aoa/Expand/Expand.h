//===- Expand.h - Macros and templates, rewritten away ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a script until only statements with primitives are left: blocks and
// macros of its own, templates, and the built-in macros of Macros.def, whose
// meaning is in docs/Language.md.
//===----------------------------------------------------------------------===//
#ifndef AOA_EXPAND_EXPAND_H
#define AOA_EXPAND_EXPAND_H

#include "aoa/AST/Script.h"
#include "aoa/AST/ShapesSoFar.h"
#include "aoa/Catalog/PlaceTensor.h"

#include <functional>
#include <memory>
#include <span>

namespace aoa {

/// What macros may know about the two ends of a conversion.
struct ExpandInputs {
  /// Names of the source's tensors, sorted.
  std::vector<llvm::StringRef> sourceNames;
  /// Names that the target lists, sorted; empty for layouts of rules and
  /// `full`.
  std::vector<llvm::StringRef> targetNames;
  bool targetListsNames = false;
  /// Partition of a source tensor; nothing for an unknown name.
  std::function<std::optional<PartitionInfo>(llvm::StringRef)> sourcePartition;
  /// Partition that the target gives a name with `rank` dimensions; nothing for
  /// `full` and for names that it does not know.
  std::function<std::optional<PartitionInfo>(llvm::StringRef, unsigned rank)>
      targetPartition;
  /// Number of dimensions of a source tensor.
  std::function<std::optional<unsigned>(llvm::StringRef)> sourceRank;
  /// What `${…}` sees: `-D` and `config:`. Null: nothing.
  const ExprScope *parameters = nullptr;
  /// Begins to follow shapes, at the source. Empty: nothing knows them.
  std::function<std::unique_ptr<ShapesSoFar>()> followShapes;
  int64_t maxStatements = 10'000'000;
  /// Names take the memory (hundreds a statement where a tensor is cut into
  /// heads): one list of nearly so many took 14 GB.
  int64_t maxNames = 20'000'000;
  /// Of long texts and lists, in variables and statements.
  int64_t maxValueBytes = 2'000'000'000;
  /// Of expressions, some seconds: loops repeat any number of operators.
  int64_t maxExprSteps = 1'000'000'000;
};

/// Expands `script`. Faults are reported with the place in the user's text and
/// the expansion chain; the statement at fault is left out of the result.
ast::Script expandScript(const ast::Script &script, const ExpandInputs &inputs,
                         DiagnosticSink &sink);

struct MacroInfo {
  llvm::StringRef name;
  llvm::StringRef summary;
  llvm::StringRef form; ///< As scripts write it: `name^T`; may be empty.
  bool isTag = false;   ///< A word behind the names, written in the language.
};
/// All macros of Macros.def, in the order they act.
std::span<const MacroInfo> allMacros();

/// The text in which the built-in tags are written.
llvm::StringRef preludeText();

} // namespace aoa

#endif // AOA_EXPAND_EXPAND_H
