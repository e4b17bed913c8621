//===- BuildStatement.cpp - One statement as operations ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations act left to right: a join first and what follows on its result, a
// cut last and what stands before on its operand.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

primitives::Operand Analyzer::operandOf(ValueId id) const {
  const ir::Value &value = program.value(id);
  return {value.name, value.dtype, value.shape};
}

ir::Op &Analyzer::addOp(OpKind kind, llvm::ArrayRef<ValueId> operands,
                        const ast::Statement *statement) {
  ir::Op op;
  op.kind = kind;
  op.operands.assign(operands.begin(), operands.end());
  for (ValueId id : operands)
    ++program.values[id.index()].numUses;
  if (statement) {
    op.range = statement->range;
    op.expansion = statement->expansion;
    op.statement = ir::StatementId(statement - script.statements.data());
  }
  program.ops.push_back(std::move(op));
  opStatements.push_back(statement);
  return program.ops.back();
}

ValueId Analyzer::addResult(llvm::StringRef name,
                            const primitives::TensorType &type) {
  ValueId id(program.values.size());
  program.values.push_back(
      {name.str(), type.dtype, type.shape, ir::OpId(program.ops.size() - 1)});
  ir::Op &op = program.ops.back();
  op.results.push_back(id);
  uncastDTypes.push_back(op.operands.empty()
                             ? type.dtype
                             : uncastDTypes[op.operands.front().index()]);
  statedDTypes.push_back(llvm::any_of(
      op.operands, [&](ValueId each) { return hasStatedDType(each); }));
  uint8_t steps = op.kind == OpKind::Reshape ? ReshapeStep
                  : op.kind == OpKind::Transpose || op.kind == OpKind::Cast
                      ? OtherStep
                      : 0;
  for (ValueId each : op.operands)
    steps |= upstreamSteps[each.index()];
  upstreamSteps.push_back(steps);
  return id;
}

ValueId Analyzer::addRename(const ast::Statement &statement, ValueId operand,
                            llvm::StringRef name) {
  primitives::TensorType type = primitives::rename(operandOf(operand));
  addOp(OpKind::Rename, {operand}, &statement);
  return addResult(name, type);
}

std::nullopt_t Analyzer::refuse(const DiagnosticKind &kind,
                                const ast::Statement &statement,
                                SourceRange range,
                                const primitives::Fault &fault) {
  reporter.report(kind, statement, range, fault.message);
  return std::nullopt;
}

std::optional<unsigned> Analyzer::axisOf(const ast::Statement &statement,
                                         PlacedNumber axis, ValueId operand) {
  auto resolved =
      primitives::resolveAxis(operandOf(operand), axis.number, !isPaddle());
  if (resolved)
    return *resolved;
  return refuse(diag::AxisOutOfRange, statement, axis.range, resolved.error());
}

void Analyzer::plainStatement(const ast::Statement &statement) {
  auto operations = readOperations(statement, script.dialect, reporter);
  Values operands = readOperands(statement);
  if (!operations || llvm::is_contained(operands, ValueId()) ||
      !checkAxis(statement, operations->joinOrCut, operands.front()) ||
      !checkNotReshaped(statement, operands))
    return bindAll(statement, {});
  Values values = build(statement, *operations, operands);
  if (llvm::any_of(operations->oneToOne, [](const OneToOne &each) {
        return each.kind == OneToOne::Kind::Cast;
      }))
    for (ValueId value : values)
      statedDTypes[value.index()] = true;
  bindAll(statement, values);
}

Analyzer::Values Analyzer::build(const ast::Statement &statement,
                                 const Operations &operations,
                                 const Values &operands) {
  bool cuts = statement.right.size() > 1;
  // Before a cut the values still go by the operand's name.
  llvm::StringRef name =
      cuts ? statement.left.front().text : statement.right.front().text;
  auto value = join(statement, operations.joinOrCut, operands);
  for (const OneToOne &operation : operations.oneToOne)
    if (value)
      value = apply(statement, operation, *value, name);
  if (!value)
    return {};
  if (cuts)
    return cut(statement, operations.joinOrCut, *value);
  // Nothing was made (a cast to the dtype it has makes nothing either).
  if (*value == operands.front())
    return {addRename(statement, *value, name)};
  return {*value};
}
