//===- BuildJoinOrCut.cpp - Several tensors to one, and back ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Analyzer.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;
using Kind = JoinOrCut::Kind;

bool Analyzer::checkAxis(const ast::Statement &statement,
                         const JoinOrCut &joinOrCut, ValueId operand) {
  if (joinOrCut.axis ||
      (joinOrCut.kind != Kind::Merge && joinOrCut.kind != Kind::Split))
    return true;
  if (joinOrCut.kind == Kind::Split) {
    reporter.report(diag::MissingAxis, statement, statement.arrow,
                    quote(statement.left.front().text) + " is cut in " +
                        std::to_string(statement.right.size()) +
                        " parts, but no `axis` says along which",
                    {}, onlyAxisThatFits(statement, joinOrCut, operand));
    return false;
  }
  if (isPaddle()) {
    reporter.report(diag::MissingAxis, statement, statement.arrow,
                    "a merge without `axis`, which --std=paddle wants");
    return false;
  }
  reporter.report(diag::ImplicitAxis, statement, statement.arrow,
                  "a merge without `axis` takes 0; write `axis=0`", {},
                  reporter.insertAfterNames(statement, ", axis=0"));
  return true;
}

std::vector<FixIt> Analyzer::onlyAxisThatFits(const ast::Statement &statement,
                                              const JoinOrCut &joinOrCut,
                                              ValueId operand) const {
  std::optional<unsigned> fitting;
  primitives::Operand from = operandOf(operand);
  for (unsigned axis = 0; axis != from.shape.size(); ++axis) {
    if (!primitives::resolveSizes(from, statement.right.size(), axis,
                                  groupsOf(joinOrCut), sizesOf(joinOrCut)))
      continue;
    if (fitting)
      return {};
    fitting = axis;
  }
  if (!fitting)
    return {};
  return reporter.insertAfterNames(statement,
                                   ", axis=" + std::to_string(*fitting));
}

std::optional<ValueId> Analyzer::join(const ast::Statement &statement,
                                      const JoinOrCut &joinOrCut,
                                      const Values &operands) {
  switch (joinOrCut.kind) {
  case Kind::Merge:
    return merge(statement, joinOrCut, operands);
  case Kind::Stack:
    return stack(statement, *joinOrCut.axis, operands,
                 statement.right.front().text);
  case Kind::Tie:
    return tie(statement, joinOrCut, operands);
  case Kind::None:
  case Kind::Split:
  case Kind::Unstack:
  case Kind::Copy:
    return operands.front();
  }
  llvm_unreachable("all kinds are listed");
}

Analyzer::Values Analyzer::cut(const ast::Statement &statement,
                               const JoinOrCut &joinOrCut, ValueId operand) {
  switch (joinOrCut.kind) {
  case Kind::Split:
    return split(statement, joinOrCut, operand);
  case Kind::Unstack:
    return unstack(statement, *joinOrCut.axis, operand);
  case Kind::Copy: {
    Values copies;
    for (const ast::Name &name : statement.right)
      copies.push_back(addRename(statement, operand, name.text));
    return copies;
  }
  case Kind::None:
  case Kind::Merge:
  case Kind::Stack:
  case Kind::Tie:
    break;
  }
  llvm_unreachable("several right names are cut for");
}

std::optional<ValueId> Analyzer::merge(const ast::Statement &statement,
                                       const JoinOrCut &joinOrCut,
                                       const Values &parts) {
  // Upstream does not look at the axis of a rename.
  if (isPaddle() && parts.size() == 1)
    return parts.front();
  auto axis = axisOf(statement,
                     joinOrCut.axis.value_or(PlacedNumber{0, statement.arrow}),
                     parts.front());
  if (!axis)
    return std::nullopt;
  llvm::SmallVector<primitives::Operand, 8> operands;
  for (ValueId part : parts)
    operands.push_back(operandOf(part));
  auto type = primitives::merge(operands, *axis, groupsOf(joinOrCut));
  if (!type) {
    int at = type.error().operand;
    return refuse(diag::UnequalMerge, statement,
                  at < 0 ? statement.arrow : statement.left[at].range,
                  type.error());
  }
  if (!checkSizes(statement, joinOrCut, operands, *axis) ||
      (isPaddle() && !checkUncastDTypes(statement, parts)))
    return std::nullopt;
  // A list that has one name is joined already.
  if (parts.size() == 1)
    return parts.front();
  ir::Op &op = addOp(OpKind::Merge, parts, &statement);
  op.axis = *axis;
  op.groups = groupsOf(joinOrCut);
  return addResult(statement.right.front().text, *type);
}

/// Whether the parts of a merge have the sizes that are written.
bool Analyzer::checkSizes(const ast::Statement &statement,
                          const JoinOrCut &joinOrCut,
                          llvm::ArrayRef<primitives::Operand> parts,
                          unsigned axis) {
  if (!joinOrCut.sizes)
    return true;
  auto fail = [&](std::string message) {
    reporter.report(diag::UnequalMerge, statement, joinOrCut.sizesRange,
                    std::move(message));
    return false;
  };
  llvm::ArrayRef<int64_t> sizes = *joinOrCut.sizes;
  if (sizes.size() != parts.size())
    return fail(std::to_string(sizes.size()) + " sizes for " +
                std::to_string(parts.size()) + " left names");
  int64_t groups = groupsOf(joinOrCut);
  for (size_t i = 0; i != parts.size(); ++i)
    if (int64_t has = parts[i].shape[axis] / groups; has != sizes[i])
      return fail(quote(parts[i].name) + " has " + std::to_string(has) +
                  " of axis " + std::to_string(axis) +
                  (groups == 1 ? "" : " in each group") + ", `sizes` says " +
                  std::to_string(sizes[i]));
  return true;
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
                                 const JoinOrCut &joinOrCut, ValueId operand) {
  auto axis = axisOf(statement, *joinOrCut.axis, operand);
  if (!axis)
    return {};
  primitives::Operand from = operandOf(operand);
  int64_t groups = groupsOf(joinOrCut);
  SourceRange range =
      joinOrCut.sizes ? joinOrCut.sizesRange : statement.left.front().range;
  auto fail = [&](const primitives::Fault &fault) {
    refuse(diag::UnevenSplit, statement, range, fault);
    return Values();
  };
  auto sizes = primitives::resolveSizes(from, statement.right.size(), *axis,
                                        groups, sizesOf(joinOrCut));
  if (!sizes)
    return fail(sizes.error());
  auto types = primitives::split(from, *axis, groups, *sizes);
  if (!types)
    return fail(types.error());
  ir::Op &op = addOp(OpKind::Split, {operand}, &statement);
  op.axis = *axis;
  op.groups = groups;
  return addParts(statement, *types);
}

Analyzer::Values
Analyzer::addParts(const ast::Statement &statement,
                   llvm::ArrayRef<primitives::TensorType> types) {
  Values parts;
  for (size_t i = 0; i != types.size(); ++i)
    parts.push_back(addResult(statement.right[i].text, types[i]));
  splits.emplace_back(&statement, parts);
  return parts;
}

std::optional<ValueId> Analyzer::stack(const ast::Statement &statement,
                                       PlacedNumber written,
                                       const Values &parts,
                                       llvm::StringRef name) {
  llvm::SmallVector<primitives::Operand, 8> operands;
  for (ValueId part : parts)
    operands.push_back(operandOf(part));
  auto rank = static_cast<int64_t>(operands.front().shape.size()) + 1;
  int64_t axis = written.number < 0 ? written.number + rank : written.number;
  if (axis < 0 || axis >= rank) {
    reporter.report(
        diag::AxisOutOfRange, statement, written.range,
        "axis " + std::to_string(written.number) + " of a stack of " +
            quote(operands.front().name) + ", which has shape " +
            formatShape(operands.front().shape) + ", expected " +
            std::to_string(-rank) + " to " + std::to_string(rank - 1));
    return std::nullopt;
  }
  auto type = primitives::stack(operands, static_cast<unsigned>(axis));
  if (!type) {
    int at = type.error().operand;
    bool isLeft = at >= 0 && parts.size() == statement.left.size();
    return refuse(diag::UnequalMerge, statement,
                  isLeft ? statement.left[at].range : written.range,
                  type.error());
  }
  addOp(OpKind::Stack, parts, &statement).axis = static_cast<unsigned>(axis);
  return addResult(name, *type);
}

std::optional<std::pair<unsigned, primitives::TensorType>>
Analyzer::sliceType(const ast::Statement &statement, PlacedNumber written,
                    ValueId operand, size_t numParts) {
  auto axis = axisOf(statement, written, operand);
  if (!axis)
    return std::nullopt;
  auto type = primitives::unstack(operandOf(operand),
                                  static_cast<unsigned>(numParts), *axis);
  if (!type)
    return refuse(diag::UnevenSplit, statement, written.range, type.error());
  return std::pair(*axis, std::move(*type));
}

Analyzer::Values Analyzer::unstack(const ast::Statement &statement,
                                   PlacedNumber written, ValueId operand) {
  size_t numParts = statement.right.size();
  auto slice = sliceType(statement, written, operand, numParts);
  if (!slice)
    return {};
  addOp(OpKind::Unstack, {operand}, &statement).axis = slice->first;
  return addParts(statement, std::vector(numParts, slice->second));
}

std::optional<ValueId> Analyzer::tie(const ast::Statement &statement,
                                     const JoinOrCut &joinOrCut,
                                     const Values &operands) {
  llvm::SmallVector<primitives::Operand, 8> types;
  for (ValueId operand : operands)
    types.push_back(operandOf(operand));
  if (auto equal = primitives::equalTypes(types, "tie"); !equal) {
    int at = equal.error().operand;
    return refuse(diag::UnequalTie, statement,
                  at < 0 ? joinOrCut.range : statement.left[at].range,
                  equal.error());
  }
  if (joinOrCut.verifies)
    for (ValueId other : llvm::ArrayRef(operands).drop_front())
      if (other != operands.front())
        addOp(OpKind::Compare, {operands.front(), other}, &statement);
  return operands.front();
}
