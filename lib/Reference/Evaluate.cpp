//===- Evaluate.cpp - A script, one loop over elements a step ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The statements act once on the tensors of the model and once more for every
// kind of optimizer state: a tensor's name then stands for its state of that
// kind, casts do nothing, and results are named after the state.
//===----------------------------------------------------------------------===//
#include "aoa/Reference/Evaluate.h"
#include "CastTensor.h"
#include "EvaluateStatement.h"
#include "StateTensors.h"

#include <set>

using namespace aoa;
using namespace aoa::reference;

namespace {

/// Which of the source's tensors a name stands for.
struct Kind {
  std::string suffix = {}; ///< Of the names of states; none for the model.
  int scalePower = 0;

  bool isState() const { return !suffix.empty(); }
  /// Counters and the like, copied as they are.
  bool isScalar() const { return isState() && scalePower == 0; }
  bool isMaster() const { return isState() && scalePower == 1; }
};

/// The operands of every statement, as the tensors of the model.
using ModelOperands = std::vector<std::vector<WholeTensor>>;

class Evaluation {
public:
  Evaluation(const ast::Script &script, const Tensors &source,
             const Target &target, Kind kind, ModelOperands &model)
      : script(script), source(source), target(target), kind(std::move(kind)),
        model(model), isPaddle(script.dialect == ast::Dialect::Paddle) {
    std::vector<std::string> names;
    for (const auto &[name, tensor] : source)
      names.push_back(name);
    sourceNames = modelNames(names, target.states);
  }

  Expected<Tensors> run();

private:
  struct Binding {
    std::optional<WholeTensor> tensor; ///< Not every tensor has every state.
    bool isCast = false; ///< By a statement that gives it its elements.
    bool read = false;
    bool filledByCaller = false;
    /// Why a state could not be made, which matters where it is wanted only.
    std::optional<Error> failure = {};
  };
  using Done = Expected<bool>;

  Done statement(const ast::Statement &statement);
  Done fill(const ast::Statement &statement);
  Done fail(const ast::Statement &statement, const Error &error);
  void remove(const ast::Statement &statement);
  Expected<Binding> operand(const ast::Name &name, bool copies);
  Expected<std::vector<std::optional<WholeTensor>>>
  evaluate(const ast::Statement &statement,
           const std::vector<Binding> &operands);
  Circumstances circumstancesOf(const ast::Statement &statement) const;

  const WholeTensor *sourceOf(const std::string &name) const {
    auto it = source.find(name + kind.suffix);
    return it == source.end() ? nullptr : &it->second;
  }
  /// A state is left out with its tensor.
  bool isWanted(const std::string &name) const {
    const ResultOptions *options = target.results;
    return !options ||
           (options->takes(name) && options->takes(name + kind.suffix));
  }
  Expected<bool> sinks(Tensors &results) const;
  Expected<bool> listed(Tensors &results) const;
  Expected<bool> take(Tensors &results, const std::string &name,
                      const WholeTensor &tensor, bool isCast) const;

  /// A temporary `%x` is not the tensor `"%x"`.
  static std::string keyOf(const ast::Name &name) {
    return (name.quoted || !name.text.starts_with("%") ? "=" : "") + name.text;
  }

  const ast::Script &script;
  const Tensors &source;
  const Target &target;
  Kind kind;
  ModelOperands &model; ///< Written for the model, read for its states.
  bool isPaddle;
  std::set<std::string> sourceNames;
  std::map<std::string, Binding> bound;
  std::set<std::string> readSources, removedSources, declared;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// What a name stands for; to read it counts as a use, to copy it does not.
Expected<Evaluation::Binding> Evaluation::operand(const ast::Name &name,
                                                  bool copies) {
  if (auto it = bound.find(keyOf(name)); it != bound.end()) {
    it->second.read |= !copies;
    if (it->second.filledByCaller)
      return unreadable("`" + name.text + "` is left to the caller");
    return it->second;
  }
  if (!sourceNames.contains(name.text))
    return unreadable("`" + name.text + "` has no value");
  if (!copies)
    readSources.insert(name.text);
  Binding binding;
  if (const WholeTensor *original = sourceOf(name.text))
    binding.tensor = *original;
  return binding;
}

void Evaluation::remove(const ast::Statement &statement) {
  for (const ast::Name &name : statement.left) {
    if (auto it = bound.find(keyOf(name)); it != bound.end() && !isPaddle)
      it->second.read = true;
    else if (sourceNames.contains(name.text))
      removedSources.insert(name.text);
  }
}

Evaluation::Done Evaluation::fill(const ast::Statement &statement) {
  if (isPaddle) {
    for (const ast::Name &name : statement.right)
      declared.insert(keyOf(name));
    return true;
  }
  auto tensor = evaluateFill(statement);
  if (!tensor)
    return failWith(std::move(tensor));
  for (const ast::Name &name : statement.right) {
    Binding &binding = bound[keyOf(name)] = {};
    binding.filledByCaller = !*tensor;
    binding.isCast = true; // It has the dtype that its statement says.
    if (!kind.isState())
      binding.tensor = *tensor;
  }
  return true;
}

Circumstances
Evaluation::circumstancesOf(const ast::Statement &statement) const {
  Circumstances circumstances;
  circumstances.isPaddle = isPaddle;
  circumstances.areStates = kind.isState();
  circumstances.areMasters = kind.isMaster();
  const ast::Attribute *states = statement.find("states");
  if (kind.isState() && states && textOf(states->value) &&
      *textOf(states->value) == "fresh")
    circumstances.freshOf = &model[&statement - script.statements.data()];
  if (!target.list || statement.right.size() != 1)
    return circumstances;
  const std::string &name = statement.right.front().text;
  for (const Tensor &listed : target.list->tensors) {
    auto state = stateName(target.states, listed.name);
    if (listed.name == name ||
        (state && state->tensor == name && state->scalePower != 0))
      circumstances.wanted = listed.shape;
    if (listed.name == name)
      break;
  }
  return circumstances;
}

/// Whether a tie takes the state of its first tensor, whatever the others have.
static bool tiesFirstState(const ast::Statement &statement) {
  auto is = [&](const char *name, std::string_view word) {
    const ast::Attribute *attribute = statement.find(name);
    const std::string *text = attribute ? textOf(attribute->value) : nullptr;
    return text && *text == word;
  };
  return is("tie", "first") || (statement.find("tie") && is("states", "fresh"));
}

/// A counter is what all operands agree on.
static Expected<WholeTensor> agreed(const std::vector<WholeTensor> &operands) {
  for (const WholeTensor &each : operands)
    if (each.dtype != operands.front().dtype ||
        each.shape != operands.front().shape ||
        each.bytes != operands.front().bytes)
      return fail(ErrorKind::Mismatch, "the tensors' counters differ");
  return operands.front();
}

Expected<std::vector<std::optional<WholeTensor>>>
Evaluation::evaluate(const ast::Statement &statement,
                     const std::vector<Binding> &operands) {
  std::vector<WholeTensor> present;
  for (const Binding &operand : operands)
    if (operand.failure)
      return std::unexpected(*operand.failure);
    else if (operand.tensor)
      present.push_back(*operand.tensor);
  if (!kind.isState())
    model[&statement - script.statements.data()] = present;
  size_t numOperands = operands.size();
  if (kind.isState() && tiesFirstState(statement)) {
    numOperands = 1;
    present.erase(present.begin() + (operands.front().tensor ? 1 : 0),
                  present.end());
  }
  std::vector<std::optional<WholeTensor>> made(statement.right.size());
  if (present.empty())
    return made;
  if (kind.isScalar()) {
    auto value = agreed(present);
    if (!value)
      return failWith(std::move(value));
    made.assign(made.size(), *value);
    return made;
  }
  if (present.size() != numOperands)
    return unreadable("only some of the tensors have a state `" + kind.suffix +
                      "`");
  auto parts =
      evaluateStatement(statement, present, circumstancesOf(statement));
  if (!parts)
    return failWith(std::move(parts));
  for (size_t i = 0; i != made.size(); ++i)
    made[i] = std::move((*parts)[i]);
  return made;
}

/// Gives the right names no tensor.
Evaluation::Done Evaluation::fail(const ast::Statement &statement,
                                  const Error &error) {
  Expected<bool> failed = std::unexpected(error);
  auto failure =
      failWith(std::move(failed),
               "evaluating `" + ast::printStatement(statement, script.dialect) +
                   "` on states `" + kind.suffix + "`");
  for (const ast::Name &name : statement.right) {
    Binding &binding = bound[keyOf(name)] = {};
    binding.failure = failure.error();
  }
  return true;
}

Evaluation::Done Evaluation::statement(const ast::Statement &statement) {
  const auto &left = statement.left, &right = statement.right;
  if (left.size() == 1 && left.front().isDiscard())
    return fill(statement);
  if (right.size() == 1 && right.front().isDiscard() &&
      (!isPaddle || left.size() == 1)) {
    remove(statement);
    return true;
  }
  std::vector<Binding> operands;
  for (const ast::Name &name : left) {
    auto binding = operand(name, statement.copies);
    if (!binding)
      return failWith(std::move(binding));
    operands.push_back(std::move(*binding));
  }
  auto made = evaluate(statement, operands);
  if (!made && kind.isState())
    return fail(statement, made.error());
  if (!made)
    return failWith(std::move(made));
  bool isCast = statement.find("dtype") || statement.find("dst_dtype");
  for (const Binding &operand : operands) {
    isCast |= operand.isCast;
    if (statement.find("tie")) // The others are only compared.
      break;
  }
  for (size_t i = 0; i != right.size(); ++i)
    if (isPaddle || !right[i].isDiscard())
      bound[keyOf(right[i])] = {std::move((*made)[i]), isCast};
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Expected<bool> Evaluation::take(Tensors &results, const std::string &name,
                                const WholeTensor &tensor, bool isCast) const {
  const ResultOptions *options = target.results;
  if (!isWanted(name))
    return true;
  WholeTensor result = tensor;
  if (options && options->dtype && !isCast && !kind.isState() &&
      classOf(tensor.dtype) == DTypeClass::Float) {
    auto converted = castTensor(tensor, *options->dtype);
    if (!converted)
      return failWith(std::move(converted), "casting `" + name + "`");
    result = std::move(*converted);
  }
  results.emplace(name + kind.suffix, std::move(result));
  return true;
}

Expected<bool> Evaluation::sinks(Tensors &results) const {
  auto isDeclared = [&](const std::string &name) {
    // With a layout that knows the name, a declaration wins over the source's
    // tensor of that name.
    return declared.contains("=" + name) && target.layout &&
           target.layout->findRule(name);
  };
  for (const std::string &name : sourceNames) {
    const WholeTensor *original = sourceOf(name);
    if (!original || readSources.contains(name) ||
        removedSources.contains(name) || bound.contains("=" + name) ||
        isDeclared(name))
      continue;
    if (auto done = take(results, name, *original, false); !done)
      return done;
  }
  for (const auto &[key, binding] : bound)
    if (key.starts_with("=") && !binding.read && isWanted(key.substr(1))) {
      if (binding.failure)
        return std::unexpected(*binding.failure);
      if (!binding.tensor)
        continue;
      auto done = take(results, key.substr(1), *binding.tensor, binding.isCast);
      if (!done)
        return done;
    }
  return true;
}

Expected<bool> Evaluation::listed(Tensors &results) const {
  std::vector<std::string> names;
  for (const Tensor &wanted : target.list->tensors)
    names.push_back(wanted.name);
  const std::set<std::string> model = modelNames(names, target.states);
  for (const std::string &wanted : names) {
    std::string name = wanted;
    if (auto state = stateName(target.states, wanted);
        state && !model.contains(wanted))
      name = state->tensor;
    if (name + kind.suffix != wanted || !isWanted(name))
      continue;
    auto binding = bound.find("=" + name);
    const WholeTensor *tensor = nullptr;
    if (binding == bound.end() && declared.contains("=" + name))
      continue;
    if (binding == bound.end())
      tensor = sourceNames.contains(name) ? sourceOf(name) : nullptr;
    else if (binding->second.filledByCaller)
      continue;
    else if (binding->second.failure)
      return std::unexpected(*binding->second.failure);
    else if (binding->second.tensor)
      tensor = &*binding->second.tensor;
    if (!tensor)
      return unreadable("nothing makes `" + wanted + "`");
    bool isCast = binding != bound.end() && binding->second.isCast;
    if (auto done = take(results, name, *tensor, isCast); !done)
      return done;
  }
  return true;
}

Expected<Tensors> Evaluation::run() {
  for (const ast::Statement &each : script.statements)
    if (auto done = statement(each); !done)
      return failWith(std::move(done),
                      "evaluating `" +
                          ast::printStatement(each, script.dialect) + "`");
  Tensors results;
  auto done = target.list ? listed(results) : sinks(results);
  if (!done)
    return failWith(std::move(done));
  return results;
}

} // namespace

Expected<Tensors> reference::evaluate(const ast::Script &script,
                                      const Tensors &source,
                                      const Target &target) {
  ModelOperands model(script.statements.size());
  auto results = Evaluation(script, source, target, {}, model).run();
  for (const StateSuffix &suffix : stateSuffixes(target.states)) {
    Kind kind{std::string(suffix.text), suffix.scalePower};
    auto states = Evaluation(script, source, target, kind, model).run();
    if (!results || !states)
      return results ? std::move(states) : std::move(results);
    results->merge(*states);
  }
  return results;
}
