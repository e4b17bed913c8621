//===- BuildOneToOne.cpp - Operations on one tensor -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Analyzer.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;
using Kind = OneToOne::Kind;

std::optional<ValueId> Analyzer::apply(const ast::Statement &statement,
                                       const OneToOne &operation,
                                       ValueId operand, llvm::StringRef name) {
  switch (operation.kind) {
  case Kind::Transpose:
    return transpose(statement, operation, operand, name);
  case Kind::Cast:
    return cast(statement, operation, operand, name);
  case Kind::Reshape:
    return reshape(statement, operation, operand, name);
  case Kind::Rearrange:
    return rearrange(statement, operation, operand, name);
  case Kind::Slice:
    return slice(statement, operation, operand, name);
  case Kind::Pad:
    return operation.repeatsLast
               ? padWithLast(statement, operation, operand, name)
               : pad(statement, operation, operand, name);
  case Kind::Repeat:
    return repeat(statement, operation, operand, name);
  case Kind::Dedup:
    return dedup(statement, operation, operand, name);
  case Kind::Scale:
  case Kind::Plus:
    return calculate(statement, operation, operand, name);
  case Kind::Stack:
    return stack(statement, *operation.axis, {operand}, name);
  case Kind::Unstack:
    return dropAxis(statement, *operation.axis, operand, name);
  }
  llvm_unreachable("all kinds are listed");
}

std::optional<ValueId> Analyzer::transpose(const ast::Statement &statement,
                                           const OneToOne &operation,
                                           ValueId operand,
                                           llvm::StringRef name) {
  auto perm = primitives::resolvePermutation(operandOf(operand),
                                             operation.entries, isPaddle());
  if (!perm)
    return refuse(diag::WrongPermutation, statement, operation.range,
                  perm.error());
  auto type = primitives::transpose(operandOf(operand), *perm);
  if (!type)
    return refuse(diag::WrongPermutation, statement, operation.range,
                  type.error());
  addOp(OpKind::Transpose, {operand}, &statement).perm = std::move(*perm);
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::cast(const ast::Statement &statement,
                                      const OneToOne &operation,
                                      ValueId operand, llvm::StringRef name) {
  primitives::Operand from = operandOf(operand);
  if (operation.from && *operation.from != from.dtype) {
    reporter.report(
        diag::DTypeMismatch, statement, operation.fromRange,
        quote(from.name) + " is " + std::string(nameOf(from.dtype)) +
            ", `src_dtype` says " + std::string(nameOf(*operation.from)));
    return std::nullopt;
  }
  auto type =
      primitives::cast(from, operation.to, isPaddle() ? canConvert : canCast);
  if (!type)
    return refuse(diag::RefusedCast, statement, operation.range, type.error());
  if (from.dtype == operation.to)
    return operand;
  addOp(OpKind::Cast, {operand}, &statement).dtype = operation.to;
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::reshape(const ast::Statement &statement,
                                         const OneToOne &operation,
                                         ValueId operand,
                                         llvm::StringRef name) {
  if (isPaddle())
    return blockReshape(statement, operation, operand, name);
  auto type = primitives::reshape(operandOf(operand), operation.entries);
  if (!type)
    return refuse(diag::WrongReshape, statement, operation.range, type.error());
  addOp(OpKind::Reshape, {operand}, &statement);
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::rearrange(const ast::Statement &statement,
                                           const OneToOne &operation,
                                           ValueId operand,
                                           llvm::StringRef name) {
  std::vector<primitives::NamedSize> sizes;
  for (const auto &[factor, size] : operation.factors)
    sizes.push_back({factor, size});
  auto found =
      primitives::resolveRearrange(operandOf(operand), operation.text, sizes);
  if (!found)
    return refuse(diag::WrongRearrange, statement, operation.range,
                  found.error());
  auto type = primitives::rearrange(operandOf(operand), found->split,
                                    found->perm, found->result);
  if (!type)
    return refuse(diag::WrongRearrange, statement, operation.range,
                  type.error());
  ir::Op &op = addOp(OpKind::Rearrange, {operand}, &statement);
  op.shape = std::move(found->split);
  op.perm = std::move(found->perm);
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::slice(const ast::Statement &statement,
                                       const OneToOne &operation,
                                       ValueId operand, llvm::StringRef name) {
  auto box = primitives::resolveSlice(operandOf(operand), operation.text);
  if (!box)
    return refuse(diag::WrongSlice, statement, operation.range, box.error());
  auto type = primitives::slice(operandOf(operand), box->begin, box->extent);
  if (!type)
    return refuse(diag::WrongSlice, statement, operation.range, type.error());
  addOp(OpKind::Slice, {operand}, &statement).begin = std::move(box->begin);
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::calculate(const ast::Statement &statement,
                                           const OneToOne &operation,
                                           ValueId operand,
                                           llvm::StringRef name) {
  bool scales = operation.kind == Kind::Scale;
  auto type = scales ? primitives::scale(operandOf(operand), operation.number)
                     : primitives::plus(operandOf(operand), operation.number);
  if (!type)
    return refuse(diag::WrongNumber, statement, operation.range, type.error());
  addOp(scales ? OpKind::Scale : OpKind::Plus, {operand}, &statement).number =
      operation.number;
  return addResult(name, *type);
}

std::optional<ValueId> Analyzer::dropAxis(const ast::Statement &statement,
                                          PlacedNumber axis, ValueId operand,
                                          llvm::StringRef name) {
  auto slice = sliceType(statement, axis, operand, 1);
  if (!slice)
    return std::nullopt;
  addOp(OpKind::Unstack, {operand}, &statement).axis = slice->first;
  return addResult(name, slice->second);
}
