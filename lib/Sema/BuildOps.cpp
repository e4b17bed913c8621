//===- BuildOps.cpp - One statement as operations ---------------*- C++ -*-===//
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
  }
  program.ops.push_back(std::move(op));
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
  return id;
}

void Analyzer::plainStatement(const ast::Statement &statement) {
  auto operations = readOperations(statement, script.dialect, reporter);
  Values operands = readOperands(statement);
  if (!operations || !checkAxis(statement, *operations) ||
      llvm::is_contained(operands, ValueId()))
    return bindAll(statement, {});
  Values values = build(statement, *operations, std::move(operands));
  if (llvm::any_of(operations->oneToOne, [](const OneToOne &each) {
        return each.kind == OneToOne::Kind::Cast;
      }))
    for (ValueId value : values)
      statedDTypes[value.index()] = true;
  bindAll(statement, values);
}

bool Analyzer::checkAxis(const ast::Statement &statement,
                         const Operations &operations) {
  if (operations.axis)
    return true;
  if (statement.right.size() > 1) {
    reporter.report(diag::MissingAxis, statement, statement.arrow,
                    quote(statement.left.front().text) + " is cut in " +
                        std::to_string(statement.right.size()) +
                        " parts, but no `axis` says along which");
    return false;
  }
  if (statement.left.size() == 1)
    return true;
  if (isPaddle()) {
    reporter.report(diag::MissingAxis, statement, statement.arrow,
                    "a merge without `axis`, which --std=paddle wants");
    return false;
  }
  reporter.report(diag::ImplicitAxis, statement, statement.arrow,
                  "a merge without `axis` takes 0; write `axis=0`");
  return true;
}

Analyzer::Values Analyzer::build(const ast::Statement &statement,
                                 const Operations &operations,
                                 Values operands) {
  bool cuts = statement.right.size() > 1;
  // Before a cut the values still go by the operand's name.
  llvm::StringRef name =
      cuts ? statement.left.front().text : statement.right.front().text;
  ValueId value = operands.front();
  if (operands.size() > 1)
    value = merge(statement, operations, std::move(operands));
  else if (!cuts && operations.axis && !isPaddle() &&
           !axisOf(statement, operations, value))
    return {};
  ValueId first = value;
  for (const OneToOne &operation : operations.oneToOne) {
    if (value.isNone())
      return {};
    value = apply(statement, operation, value, name);
  }
  if (value.isNone())
    return {};
  if (cuts)
    return split(statement, operations, value);
  if (value == first && statement.left.size() == 1) {
    // Nothing was made (a cast to the dtype it has makes nothing either).
    primitives::TensorType type = primitives::rename(operandOf(value));
    addOp(OpKind::Rename, {value}, &statement);
    return {addResult(name, type)};
  }
  return {value};
}

std::optional<unsigned> Analyzer::axisOf(const ast::Statement &statement,
                                         const Operations &operations,
                                         ValueId operand) {
  auto axis = primitives::resolveAxis(operandOf(operand),
                                      operations.axis.value_or(0), !isPaddle());
  if (axis)
    return *axis;
  reporter.report(diag::AxisOutOfRange, statement,
                  operations.axis ? operations.axisRange : statement.arrow,
                  axis.error().message);
  return std::nullopt;
}

ValueId Analyzer::merge(const ast::Statement &statement,
                        const Operations &operations, Values parts) {
  auto axis = axisOf(statement, operations, parts.front());
  if (!axis)
    return {};
  llvm::SmallVector<primitives::Operand, 8> operands;
  for (ValueId part : parts)
    operands.push_back(operandOf(part));
  auto type = primitives::merge(operands, *axis);
  if (!type) {
    int at = type.error().operand;
    reporter.report(diag::UnequalMerge, statement,
                    at < 0 ? statement.arrow : statement.left[at].range,
                    type.error().message);
    return {};
  }
  if (isPaddle() && !checkUncastDTypes(statement, parts))
    return {};
  addOp(OpKind::Merge, parts, &statement).axis = *axis;
  return addResult(statement.right.front().text, *type);
}

/// Upstream defers casts, so that a merge compares the dtypes before them.
bool Analyzer::checkUncastDTypes(const ast::Statement &statement,
                                 const Values &parts) {
  auto uncast = [&](size_t i) { return uncastDTypes[parts[i].index()]; };
  for (size_t i = 1; i != parts.size(); ++i) {
    if (uncast(i) == uncast(0))
      continue;
    const std::string &first = statement.left.front().text;
    reporter.report(
        diag::UnequalMerge, statement, statement.left[i].range,
        quote(statement.left[i].text) + " is made of " +
            std::string(nameOf(uncast(i))) + ", " + quote(first) + " of " +
            std::string(nameOf(uncast(0))) +
            ": with --std=paddle a merge compares the dtypes before casts; "
            "--std=aoa accepts it");
    return false;
  }
  return true;
}

Analyzer::Values Analyzer::split(const ast::Statement &statement,
                                 const Operations &operations,
                                 ValueId operand) {
  auto axis = axisOf(statement, operations, operand);
  if (!axis)
    return {};
  auto type =
      primitives::split(operandOf(operand), statement.right.size(), *axis);
  if (!type) {
    reporter.report(diag::UnevenSplit, statement, statement.left.front().range,
                    type.error().message);
    return {};
  }
  addOp(OpKind::Split, {operand}, &statement).axis = *axis;
  Values parts;
  for (const ast::Name &name : statement.right)
    parts.push_back(addResult(name.text, *type));
  splits.emplace_back(&statement, parts);
  return parts;
}

ValueId Analyzer::apply(const ast::Statement &statement,
                        const OneToOne &operation, ValueId operand,
                        llvm::StringRef name) {
  switch (operation.kind) {
  case OneToOne::Kind::Transpose:
    return transpose(statement, operation, operand, name);
  case OneToOne::Kind::Cast:
    return cast(statement, operation, operand, name);
  }
  llvm_unreachable("all kinds are listed");
}

ValueId Analyzer::transpose(const ast::Statement &statement,
                            const OneToOne &operation, ValueId operand,
                            llvm::StringRef name) {
  auto fail = [&](const primitives::Fault &fault) {
    reporter.report(diag::WrongPermutation, statement, operation.range,
                    fault.message);
    return ValueId();
  };
  auto perm = primitives::resolvePermutation(operandOf(operand),
                                             operation.entries, isPaddle());
  if (!perm)
    return fail(perm.error());
  auto type = primitives::transpose(operandOf(operand), *perm);
  if (!type)
    return fail(type.error());
  addOp(OpKind::Transpose, {operand}, &statement).perm = std::move(*perm);
  return addResult(name, *type);
}

ValueId Analyzer::cast(const ast::Statement &statement,
                       const OneToOne &operation, ValueId operand,
                       llvm::StringRef name) {
  primitives::Operand from = operandOf(operand);
  if (operation.from && *operation.from != from.dtype) {
    reporter.report(
        diag::DTypeMismatch, statement, operation.fromRange,
        quote(from.name) + " is " + std::string(nameOf(from.dtype)) +
            ", `src_dtype` says " + std::string(nameOf(*operation.from)));
    return {};
  }
  auto type =
      primitives::cast(from, operation.to, isPaddle() ? canConvert : canCast);
  if (!type) {
    reporter.report(diag::RefusedCast, statement, operation.range,
                    type.error().message);
    return {};
  }
  if (from.dtype == operation.to)
    return operand;
  addOp(OpKind::Cast, {operand}, &statement).dtype = operation.to;
  return addResult(name, *type);
}
