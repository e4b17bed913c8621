//===- PadAndRepeat.cpp - Operations that are several in the IR -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   pad            fill, pad
//   pad with last  slice, repeat, merge: the last row is put behind the others
//   dedup          dedup, repeat, compare: what comes back must be the operand
//===----------------------------------------------------------------------===//
#include "Analyzer.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

ValueId Analyzer::addFill(const ast::Statement &statement,
                          const primitives::Number &value,
                          const primitives::TensorType &type,
                          llvm::StringRef name) {
  addOp(OpKind::Fill, {}, &statement).value = value;
  return addResult(name, type);
}

std::optional<ValueId> Analyzer::pad(const ast::Statement &statement,
                                     const OneToOne &operation, ValueId operand,
                                     llvm::StringRef name) {
  auto type = primitives::pad(operandOf(operand), operation.around);
  if (!type)
    return refuse(diag::WrongPad, statement, operation.range, type.error());
  primitives::Number value = operation.value.value_or(int64_t(0));
  auto element = primitives::fill(type->dtype, {}, value);
  if (!element)
    return refuse(diag::WrongNumber, statement,
                  operation.value ? operation.valueRange : operation.range,
                  element.error());
  ValueId filled = addFill(statement, value, *element, name);
  ir::Op &op = addOp(OpKind::Pad, {operand, filled}, &statement);
  for (const auto &[before, behind] : operation.around)
    op.begin.push_back(before);
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::padWithLast(const ast::Statement &statement,
                                             const OneToOne &operation,
                                             ValueId operand,
                                             llvm::StringRef name) {
  primitives::Operand from = operandOf(operand);
  auto type = primitives::pad(from, operation.around);
  if (!type)
    return refuse(diag::WrongPad, statement, operation.range, type.error());
  auto fail = [&](std::string message) {
    reporter.report(diag::WrongPad, statement, operation.valueRange,
                    std::move(message));
    return std::nullopt;
  };
  for (size_t axis = 0; axis != operation.around.size(); ++axis) {
    auto [before, behind] = operation.around[axis];
    if (before != 0 || (axis != 0 && behind != 0))
      return fail("`last` with " + std::to_string(before) + " before and " +
                  std::to_string(behind) + " behind on axis " +
                  std::to_string(axis) +
                  ": the last row is repeated at the end of axis 0 only");
  }
  if (from.shape.empty() || operation.around.front().second == 0)
    return operand;
  if (from.shape.front() == 0)
    return fail(quote(from.name) + " has shape " + formatShape(from.shape) +
                " and no last row to repeat");
  return addLastRows(statement, operand, operation.around.front().second, name);
}

ValueId Analyzer::addLastRows(const ast::Statement &statement, ValueId operand,
                              int64_t count, llvm::StringRef name) {
  primitives::Operand from = operandOf(operand);
  primitives::TensorType rows{from.dtype, affine::Extents(from.shape)};
  rows.shape.front() = 1;
  affine::Extents begin(from.shape.size(), 0);
  begin.front() = from.shape.front() - 1;
  addOp(OpKind::Slice, {operand}, &statement).begin = std::move(begin);
  ValueId last = addResult(name, rows);
  rows.shape.front() = count;
  ir::Op &repeat = addOp(OpKind::Repeat, {last}, &statement);
  repeat.count = count;
  ValueId repeated = addResult(name, rows);
  // The sum is an extent of the padded type, so it does not overflow.
  rows.shape.front() = count + program.value(operand).shape.front();
  addOp(OpKind::Merge, {operand, repeated}, &statement);
  return addResult(name, rows);
}

std::optional<ValueId>
Analyzer::addRepeatOf(OpKind kind, decltype(primitives::repeat) &typeOf,
                      const ast::Statement &statement,
                      const OneToOne &operation, ValueId operand,
                      llvm::StringRef name) {
  auto axis = axisOf(statement, *operation.axis, operand);
  if (!axis)
    return std::nullopt;
  auto type = typeOf(operandOf(operand), *axis, operation.count,
                     operation.block->number);
  if (!type)
    return refuse(diag::UnevenRepeat, statement, operation.block->range,
                  type.error());
  return addRepeat(kind, statement, operation, *axis, operand, *type, name);
}

std::optional<ValueId> Analyzer::repeat(const ast::Statement &statement,
                                        const OneToOne &operation,
                                        ValueId operand, llvm::StringRef name) {
  return addRepeatOf(OpKind::Repeat, primitives::repeat, statement, operation,
                     operand, name);
}

ValueId Analyzer::addRepeat(OpKind kind, const ast::Statement &statement,
                            const OneToOne &operation, unsigned axis,
                            ValueId operand, const primitives::TensorType &type,
                            llvm::StringRef name) {
  ir::Op &op = addOp(kind, {operand}, &statement);
  op.axis = axis;
  op.count = operation.count;
  op.block = operation.block->number;
  return addResult(name, type);
}

std::optional<ValueId> Analyzer::dedup(const ast::Statement &statement,
                                       const OneToOne &operation,
                                       ValueId operand, llvm::StringRef name) {
  auto first = addRepeatOf(OpKind::Dedup, primitives::dedup, statement,
                           operation, operand, name);
  if (!first || operation.count == 1)
    return first;
  primitives::TensorType whole = primitives::rename(operandOf(operand));
  unsigned axis = program.definition(*first).axis;
  ValueId again = addRepeat(OpKind::Repeat, statement, operation, axis, *first,
                            whole, name);
  addOp(OpKind::Compare, {operand, again}, &statement);
  return first;
}
