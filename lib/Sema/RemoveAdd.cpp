//===- RemoveAdd.cpp - The two forms with `_` -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the aoa dialect both act where they stand. Upstream collects them: a
// removal hides a source tensor from the whole program, a declaration holds
// only if no statement makes the tensor. Both are therefore settled at the end
// with --std=paddle, and what upstream would silently leave out is an error.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

void Analyzer::remove(const ast::Statement &statement) {
  if (isPaddle())
    return removePaddle(statement);
  if (!statement.attributes.empty())
    reporter.report(diag::UnknownAttribute, statement,
                    statement.attributes.front().range,
                    "a removal takes no attributes, found " +
                        quote(statement.attributes.front().name));
  for (const ast::Name &name : statement.left)
    removeOne(statement, name);
}

void Analyzer::removeOne(const ast::Statement &statement,
                         const ast::Name &name) {
  Meaning *meaning = names.find(name);
  if (!meaning)
    return reportUnknown(statement, name);
  if (meaning->removed)
    return reportRemoved(statement, name.range, *meaning,
                         quote(name.text) + " is removed twice");
  if (meaning->numReads != 0)
    return reporter.report(diag::RemovedAndUsed, statement, name.range,
                           quote(name.text) + " is removed, but also used",
                           {{meaning->firstRead, "used here"}});
  meaning->removed = true;
  meaning->removedAt = name.range.isKnown() ? name.range : statement.range;
  ValueId value =
      meaning->statement ? meaning->value : sourceValue(name.text, *meaning);
  if (!value.isNone())
    addOp(OpKind::Remove, {value}, &statement);
}

void Analyzer::removePaddle(const ast::Statement &statement) {
  const ast::Name &name = statement.left.front();
  if (names.findSource(name.text))
    paddleRemovals.push_back({&statement, name.text});
  else if (names.find(name))
    reporter.report(diag::RemoveIgnored, statement, name.range,
                    quote(name.text) +
                        " is bound by the script, and upstream removes tensors "
                        "of the source only: it stays a result");
  else
    reporter.report(diag::RemoveIgnored, statement, name.range,
                    quote(name.text) + " is no tensor of the source" +
                        names.nearest(name.text).hint());
}

/// Marks the values that results are made of.
static std::vector<bool> findLive(const ir::Program &program) {
  std::vector<bool> live(program.values.size(), false);
  for (const ir::Result &result : program.results)
    live[result.value.index()] = true;
  // Operands are defined before their operation.
  for (size_t i = program.ops.size(); i-- != 0;) {
    const ir::Op &op = program.ops[i];
    if (llvm::any_of(op.results, [&](ValueId id) { return live[id.index()]; }))
      for (ValueId id : op.operands)
        live[id.index()] = true;
  }
  return live;
}

void Analyzer::finishPaddleRemovals() {
  if (paddleRemovals.empty())
    return;
  std::vector<bool> live = findLive(program);
  for (const PaddleRemoval &removal : paddleRemovals) {
    Meaning &meaning = *names.findSource(removal.name);
    bool used = !meaning.value.isNone() &&
                meaning.value.index() < live.size() &&
                live[meaning.value.index()];
    if (!used) {
      addOp(OpKind::Remove, {sourceValue(removal.name, meaning)},
            removal.statement);
      continue;
    }
    std::vector<Note> notes;
    if (meaning.numReads != 0)
      notes.push_back({meaning.firstRead, "used here"});
    reporter.report(diag::RemoveLeavesHole, *removal.statement,
                    removal.statement->left.front().range,
                    quote(removal.name) +
                        " is removed, but results are made of it; upstream "
                        "leaves their elements unset",
                    std::move(notes));
  }
}

std::optional<primitives::TensorType>
Analyzer::typeFromTarget(const ast::Statement &statement,
                         const ast::Name &name) {
  std::string why;
  if (target.list) {
    const Tensor *listed = target.list->find(name.text);
    if (listed && listed->dtypeIsKnown)
      return primitives::TensorType{
          listed->dtype,
          affine::Extents(listed->shape.begin(), listed->shape.end())};
    why = listed ? "the target lists it without a dtype"
                 : "the target does not list it";
  } else if (target.layout) {
    const LayoutRule *rule = target.layout->findRule(name.text);
    if (rule && rule->dtype && rule->shape) {
      auto type = primitives::add(*rule->dtype, *rule->shape);
      if (type)
        return *type;
      why = type.error().message;
    } else {
      why = rule ? quote(rule->path) + " of the layout has no `dtype` and "
                                       "`shape`"
                 : "no rule of the layout fits it";
    }
  } else {
    why = "a full target does not say them";
  }
  reporter.report(diag::AddWithoutType, statement, name.range,
                  "nothing gives the shape and dtype of " + quote(name.text) +
                      ": " + why);
  return std::nullopt;
}

void Analyzer::declare(const ast::Statement &statement, const ast::Name &name) {
  auto type = typeFromTarget(statement, name);
  if (!type)
    return bind(statement, name, {});
  addOp(OpKind::Add, {}, &statement);
  bind(statement, name, addResult(name.text, *type));
}

void Analyzer::add(const ast::Statement &statement) {
  if (isPaddle()) {
    paddleAdds.push_back(&statement);
    return;
  }
  const ast::Name &name = statement.right.front();
  auto filling = readFilling(statement, script.dialect, reporter);
  if (!filling)
    return bind(statement, name, {});
  if (filling->isLeftToCaller)
    return declare(statement, name);
  ValueId filled = addFill(statement, filling->value, filling->type, name.text);
  statedDTypes[filled.index()] = true;
  bind(statement, name, filled);
}

void Analyzer::finishPaddleAdds() {
  for (const ast::Statement *statement : paddleAdds)
    for (const ast::Name &name : statement->right) {
      if (name.isDiscard() || names.findBound(NameTable::keyOf(name)))
        continue;
      bool known = target.list ? target.list->find(name.text) != nullptr
                   : target.layout
                       ? target.layout->findRule(name.text) != nullptr
                       : false;
      if (known)
        declare(*statement, name);
      else
        reporter.report(diag::AddIgnored, *statement, name.range,
                        quote(name.text) +
                            " is declared, but the target does not have it");
    }
}
