//===- Analyzer.h - The state of one analysis -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Analyze.cpp walks the statements, BuildStatement.cpp turns one into
// operations with the help of BuildJoinOrCut.cpp, BuildOneToOne.cpp and
// PadAndRepeat.cpp; RemoveAdd.cpp has the two forms with `_`, Results.cpp and
// SelectResults.cpp close the program; FollowShapes.cpp stops before that.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_ANALYZER_H
#define AOA_LIB_SEMA_ANALYZER_H

#include "Filling.h"
#include "ModelEnds.h"
#include "NameTable.h"
#include "Operations.h"
#include "Reporter.h"
#include "aoa/Catalog/StateNames.h"
#include "aoa/Primitives/Primitives.h"
#include "aoa/Sema/Analyze.h"

namespace aoa::sema {

class Analyzer {
public:
  Analyzer(const ast::Script &script, const ModelEnds &ends,
           DiagnosticSink &sink,
           std::vector<AnalyzedStatement> *analyzed = nullptr)
      : script(script), ends(ends), source(ends.source()),
        target(ends.target()), reporter(script, sink), names(script, source),
        analyzed(analyzed) {}

  ir::Program run();

  // FollowShapes.cpp. In place of `run`: one statement after the other, none of
  // what is said at the end.
  void follow(const ast::Statement &next);
  /// Whether the statement that binds `name` gave it no value.
  bool isAtFault(const ast::Name &name);
  /// What `name`, without its `^T`, would read now, or why nothing. Requires
  /// that it is not at fault.
  std::expected<primitives::TensorType, std::string>
  typeSoFar(const ast::Name &name);

private:
  using Values = llvm::SmallVector<ir::ValueId, 2>;
  using MadeValue = std::optional<ir::ValueId>;
  bool isPaddle() const { return script.dialect == ast::Dialect::Paddle; }

  // Analyze.cpp
  void statement(const ast::Statement &statement);
  bool checkForm(const ast::Statement &statement);
  bool checkDiscards(const ast::Statement &statement);
  /// Statements name tensors of the model, no states of theirs.
  bool checkNoStates(const ast::Statement &statement);
  bool checkWords(const ast::Statement &statement);
  bool checkArity(const ast::Statement &statement);
  /// Reads all left names; a value is none where that failed (reported, or the
  /// consequence of what was).
  Values readOperands(const ast::Statement &statement);
  ir::ValueId read(const ast::Statement &statement, const ast::Name &name);
  void reportUnknown(const ast::Statement &statement, const ast::Name &name);
  /// What is wrong with the name of a state of the source; empty: it is none.
  std::string faultOfState(const ast::Name &name);
  void reportRemoved(const ast::Statement &statement, SourceRange range,
                     const Meaning &meaning, std::string message);
  void bindAll(const ast::Statement &statement, llvm::ArrayRef<ir::ValueId>);
  void bind(const ast::Statement &statement, const ast::Name &name,
            ir::ValueId value);
  ir::ValueId sourceValue(llvm::StringRef name, Meaning &meaning);

  // BuildStatement.cpp. Here and below nothing (or an empty list) is returned
  // where a primitive refuses, which has then been reported.
  void plainStatement(const ast::Statement &statement);
  Values build(const ast::Statement &statement, const Operations &operations,
               const Values &operands);
  std::optional<unsigned> axisOf(const ast::Statement &statement,
                                 PlacedNumber axis, ir::ValueId operand);
  std::nullopt_t refuse(const DiagnosticKind &kind,
                        const ast::Statement &statement, SourceRange range,
                        const primitives::Fault &fault);
  ir::Op &addOp(ir::OpKind kind, llvm::ArrayRef<ir::ValueId> operands,
                const ast::Statement *statement);
  ir::ValueId addResult(llvm::StringRef name,
                        const primitives::TensorType &type);
  ir::ValueId addRename(const ast::Statement &statement, ir::ValueId operand,
                        llvm::StringRef name);
  primitives::Operand operandOf(ir::ValueId id) const;

  // BuildJoinOrCut.cpp
  bool checkAxis(const ast::Statement &statement, const JoinOrCut &joinOrCut,
                 ir::ValueId operand);
  std::vector<FixIt> onlyAxisThatFits(const ast::Statement &statement,
                                      const JoinOrCut &joinOrCut,
                                      ir::ValueId operand) const;
  MadeValue join(const ast::Statement &statement, const JoinOrCut &joinOrCut,
                 const Values &operands);
  Values cut(const ast::Statement &statement, const JoinOrCut &joinOrCut,
             ir::ValueId operand);
  MadeValue merge(const ast::Statement &statement, const JoinOrCut &joinOrCut,
                  const Values &parts);
  bool checkSizes(const ast::Statement &statement, const JoinOrCut &joinOrCut,
                  llvm::ArrayRef<primitives::Operand> parts, unsigned axis);
  bool checkUncastDTypes(const ast::Statement &statement, const Values &parts);
  Values split(const ast::Statement &statement, const JoinOrCut &joinOrCut,
               ir::ValueId operand);
  Values addParts(const ast::Statement &statement,
                  llvm::ArrayRef<primitives::TensorType> types);
  MadeValue stack(const ast::Statement &statement, PlacedNumber axis,
                  const Values &parts, llvm::StringRef name);
  /// The axis of `unstack` and the type of a slice.
  std::optional<std::pair<unsigned, primitives::TensorType>>
  sliceType(const ast::Statement &statement, PlacedNumber axis,
            ir::ValueId operand, size_t numParts);
  Values unstack(const ast::Statement &statement, PlacedNumber axis,
                 ir::ValueId operand);
  MadeValue tie(const ast::Statement &statement, const JoinOrCut &joinOrCut,
                const Values &operands);

  // BuildOneToOne.cpp, PadAndRepeat.cpp
  MadeValue apply(const ast::Statement &statement, const OneToOne &operation,
                  ir::ValueId operand, llvm::StringRef name);
#define AOA_ONE_TO_ONE(FUNCTION)                                               \
  MadeValue FUNCTION(const ast::Statement &statement,                          \
                     const OneToOne &operation, ir::ValueId operand,           \
                     llvm::StringRef name);
  AOA_ONE_TO_ONE(transpose)
  AOA_ONE_TO_ONE(cast)
  AOA_ONE_TO_ONE(reshape)
  AOA_ONE_TO_ONE(rearrange)
  AOA_ONE_TO_ONE(slice)
  AOA_ONE_TO_ONE(calculate)
  AOA_ONE_TO_ONE(pad)
  AOA_ONE_TO_ONE(padWithLast)
  AOA_ONE_TO_ONE(repeat)
  AOA_ONE_TO_ONE(dedup)
#undef AOA_ONE_TO_ONE
  MadeValue dropAxis(const ast::Statement &statement, PlacedNumber axis,
                     ir::ValueId operand, llvm::StringRef name);
  ir::ValueId addLastRows(const ast::Statement &statement, ir::ValueId operand,
                          int64_t count, llvm::StringRef name);
  std::optional<ir::ValueId>
  addRepeatOf(ir::OpKind kind, decltype(primitives::repeat) &typeOf,
              const ast::Statement &statement, const OneToOne &operation,
              ir::ValueId operand, llvm::StringRef name);
  ir::ValueId addRepeat(ir::OpKind kind, const ast::Statement &statement,
                        const OneToOne &operation, unsigned axis,
                        ir::ValueId operand, const primitives::TensorType &type,
                        llvm::StringRef name);
  ir::ValueId addFill(const ast::Statement &statement,
                      const primitives::Number &value,
                      const primitives::TensorType &type, llvm::StringRef name);

  // RemoveAdd.cpp
  void remove(const ast::Statement &statement);
  void removeOne(const ast::Statement &statement, const ast::Name &name);
  void removePaddle(const ast::Statement &statement);
  void finishPaddleRemovals();
  void add(const ast::Statement &statement);
  void finishPaddleAdds();
  void declare(const ast::Statement &statement, const ast::Name &name);
  std::optional<primitives::TensorType>
  typeFromTarget(const ast::Statement &statement, const ast::Name &name);

  // BlockReshape.cpp
  std::optional<ir::ValueId> blockReshape(const ast::Statement &statement,
                                          const OneToOne &operation,
                                          ir::ValueId operand,
                                          llvm::StringRef name);
  std::optional<affine::Extents>
  destinationShape(const ast::Statement &statement, SourceRange range,
                   llvm::StringRef name, bool &isAmbiguous);
  bool checkNotReshaped(const ast::Statement &statement,
                        const Values &operands);
  void checkBlockEdges(llvm::StringRef name, ir::ValueId value,
                       const Meaning &meaning);

  // Results.cpp
  void finish();
  void takeSinks();
  void takeListed();
  void takeListedTensor(const Tensor &listed,
                        std::vector<const Tensor *> &missing);
  void checkListed(const Tensor &listed, ir::ValueId value,
                   const Meaning &meaning);
  const ast::Name *transposableName(const Meaning &meaning) const;
  void reportMissing(llvm::ArrayRef<const Tensor *> missing);
  bool hasCast(DType from, DType to) const;
  const Tensor &sourceTensor(const Meaning &meaning) const;
  void addResultTensor(llvm::StringRef name, ir::ValueId value,
                       const Meaning &meaning);
  void warnUnused();

  // Portability.cpp
  void warnPortability(const ast::Statement &statement);

  // SelectResults.cpp
  bool takesResult(llvm::StringRef name);
  void warnUnusedPatterns();
  /// Returns the value of a result in the dtype that is wanted of all.
  ir::ValueId castResult(llvm::StringRef name, ir::ValueId value,
                         const ast::Statement *statement);
  bool hasStatedDType(ir::ValueId value) const {
    return statedDTypes[value.index()];
  }

  void warnUnusedSources();
  void warnUnusedParts();
  void warnUnusedBindings();
  void checkReplaced();

  const ast::Script &script;
  const ModelEnds &ends;
  const Catalog &source; ///< Without optimizer states, like the target.
  const Target &target;
  Reporter reporter;
  NameTable names;
  std::vector<AnalyzedStatement> *analyzed; ///< Null: nobody asks.
  ir::Program program;

  /// The unread tensors of the source whose name was bound anew, and where.
  struct Replaced {
    Meaning *source;
    const ast::Statement *statement;
    const ast::Name *name;
  };
  std::vector<Replaced> replaced;
  struct PaddleRemoval {
    const ast::Statement *statement;
    std::string name;
  };
  std::vector<PaddleRemoval> paddleRemovals;
  /// The statement of each operation, or null.
  std::vector<const ast::Statement *> opStatements;
  /// The dtype of each value as upstream sees it, where no cast changes it.
  std::vector<DType> uncastDTypes;
  /// Whether a statement with a `dtype` stands behind the elements of a value.
  std::vector<bool> statedDTypes;
  /// What upstream does to the elements of a value behind reading them.
  enum UpstreamStep : uint8_t { ReshapeStep = 1, OtherStep = 2 };
  std::vector<uint8_t> upstreamSteps;
  /// The statement of the user's that was reported last by warnPortability.
  SourceRange lastUnportable;
  std::vector<bool> patternIsUsed; ///< Of --include, then of --exclude.
  std::vector<const ast::Statement *> paddleAdds;
  /// Statements that cut, with the values of their right names.
  std::vector<std::pair<const ast::Statement *, Values>> splits;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_ANALYZER_H
