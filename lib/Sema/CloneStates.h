//===- CloneStates.h - The operations of a tensor, on its state -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes for one kind of state (`.moment1_0`) what the program makes of the
// tensors themselves. Operations are made once, also where several results need
// them. How States.h treats each operation is decided here.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_CLONESTATES_H
#define AOA_LIB_SEMA_CLONESTATES_H

#include "ModelEnds.h"
#include "Reporter.h"

namespace aoa::sema {

/// What a statement says about states that cannot simply follow.
enum class StatesMode : uint8_t { Refuse, Copy, Fresh };

/// What `statement` says; null says nothing.
StatesMode modeOf(const ast::Statement *statement);

/// A program that operations are added to.
struct StatesBuilder {
  ir::Program &program;
  const ModelEnds &ends;
  /// The statement of each operation of the model's graph, or null.
  llvm::ArrayRef<const ast::Statement *> statements;
  Reporter &reporter;
  size_t suffix; ///< Which kind of state.

  const StateSuffix &kind() const {
    return ends.sourceStates.suffixes()[suffix];
  }
  bool isMaster() const { return kind().scalePower == 1; }
  std::string nameOf(ir::ValueId model) const {
    return program.value(model).name + std::string(kind().text);
  }
  /// The state of a source tensor; null if the source has none.
  const Tensor *stateOf(ir::ValueId source) const;

  ir::Op &addOp(ir::OpKind kind, llvm::ArrayRef<ir::ValueId> operands,
                const ir::Op *origin);
  ir::ValueId addResult(std::string name, DType dtype, affine::Extents shape);
  /// The Source operation of a state.
  ir::ValueId addSource(const Tensor &state);
  ir::ValueId addRename(ir::ValueId value, std::string name,
                        const ir::Op *origin);
  /// Reports at an operation of the model's graph.
  void report(const DiagnosticKind &kind, size_t op, std::string message);
};

/// Makes the states of the model's values `wanted`, whose sources all have one.
/// Returns one value each; none where that was reported.
std::vector<ir::ValueId> cloneStates(StatesBuilder &builder,
                                     llvm::ArrayRef<ir::ValueId> wanted);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_CLONESTATES_H
