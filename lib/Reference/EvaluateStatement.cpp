//===- EvaluateStatement.cpp - What a statement makes of tensors *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "EvaluateStatement.h"
#include "ElementArithmetic.h"
#include "Elements.h"
#include "FreshStates.h"
#include "JoinCut.h"

using namespace aoa;
using namespace aoa::reference;

/// The operands' axes as `^T` says, joined to one tensor.
static Expected<WholeTensor>
readOperands(const ast::Statement &statement, const JoinCut &how,
             const std::vector<WholeTensor> &operands) {
  std::vector<WholeTensor> turned;
  for (size_t i = 0; i != operands.size(); ++i) {
    auto operand = statement.left[i].transposed
                       ? transpose(operands[i])
                       : Expected<WholeTensor>(operands[i]);
    if (!operand)
      return operand;
    turned.push_back(std::move(*operand));
  }
  if (turned.size() == 1)
    return std::move(turned.front());
  return join(turned, how);
}

namespace {

/// The statement's operations where new elements get new states.
Expected<WholeTensor> evaluateFresh(const ast::Statement &statement,
                                    const Steps &read,
                                    const std::vector<WholeTensor> &operands,
                                    const Circumstances &circumstances) {
  // A tie makes all new: its first state says the dtype and nothing more.
  if (!read.joinCut.tie && circumstances.freshOf->size() != operands.size())
    return unreadable("`states=fresh` of tensors that are not there");
  auto state = readOperands(statement, read.joinCut, operands);
  auto model = readOperands(statement, read.joinCut, *circumstances.freshOf);
  if (!state || !model)
    return state ? std::move(model) : std::move(state);
  bool areMasters = circumstances.areMasters;
  // What is tied or copied has a new state as a whole.
  if (read.joinCut.tie || statement.copies)
    state = allFresh(*state, *model, areMasters);
  Circumstances ofModel = circumstances;
  ofModel.areStates = false;
  for (const Step &step : read.steps) {
    if (!state)
      return state;
    Shape from = state->shape;
    state = apply(step, *state, circumstances);
    model = apply(step, *model, ofModel);
    if (!state || !model)
      return state ? std::move(model) : std::move(state);
    state =
        withFreshElements(step, from, std::move(*state), *model, areMasters);
  }
  return state;
}

Expected<WholeTensor> evaluateOne(const ast::Statement &statement,
                                  const Steps &read,
                                  const std::vector<WholeTensor> &operands,
                                  const Circumstances &circumstances) {
  if (circumstances.freshOf)
    return evaluateFresh(statement, read, operands, circumstances);
  auto tensor = readOperands(statement, read.joinCut, operands);
  for (const Step &step : read.steps)
    if (tensor)
      tensor = apply(step, *tensor, circumstances);
  return tensor;
}

} // namespace

Expected<std::vector<WholeTensor>>
reference::evaluateStatement(const ast::Statement &statement,
                             const std::vector<WholeTensor> &operands,
                             const Circumstances &circumstances) {
  auto read = readSteps(statement);
  if (!read)
    return failWith(std::move(read));
  auto tensor = evaluateOne(statement, *read, operands, circumstances);
  if (!tensor)
    return failWith(std::move(tensor));
  if (statement.right.size() == 1)
    return std::vector{std::move(*tensor)};
  return cut(*tensor, statement.right.size(), read->joinCut);
}

Expected<std::optional<WholeTensor>>
reference::evaluateFill(const ast::Statement &statement) {
  const ast::Attribute *shape = statement.find("shape");
  const ast::Attribute *dtype = statement.find("dtype");
  const ast::Attribute *value = statement.find("value");
  if (!shape && !dtype && !value)
    return std::optional<WholeTensor>();
  if (!shape || !dtype)
    return unreadable("`_` without `shape` and `dtype`");
  auto extents = wholeNumbers(*shape);
  auto type = dtypeOf(*dtype);
  if (!extents || !type)
    return unreadable("`shape` or `dtype`");
  auto number = value ? numberOf(value->value) : Number(int64_t(0));
  auto element = number ? elementOf(*number, *type) : std::nullopt;
  if (!element)
    return unreadable("a `value` that the dtype does not have");
  auto tensor = zeros(*type, *extents);
  if (!tensor)
    return failWith(std::move(tensor));
  for (size_t at = 0; at != tensor->bytes.size(); at += element->size())
    tensor->bytes.replace(at, element->size(), *element);
  return std::optional(std::move(*tensor));
}
