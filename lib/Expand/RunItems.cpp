//===- RunItems.cpp - Variables, loops, conditions, statements ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Runner.h"

#include "LeaveOut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <limits>

namespace aoa::expand {

/// Blocks within blocks and calls within calls, together: what the stack holds.
static constexpr unsigned maxDepth = 500;

Runner::Runner(Expander &expander, MacroSet enabled)
    : expander(expander), enabled(enabled) {
  expander.runner = this;
}

Runner::~Runner() { expander.runner = nullptr; }

// ---- What expressions see

std::optional<Constant> Runner::variable(std::string_view name) const {
  if (const Variables::Variable *known = expander.variables.find(name))
    return known->value;
  return std::nullopt;
}

std::optional<Constant> Runner::parameter(std::string_view name) const {
  const ExprScope *given = expander.inputs.parameters;
  return given ? given->parameter(name) : std::nullopt;
}

std::optional<Constant> Runner::config(std::string_view path) const {
  const ExprScope *given = expander.inputs.parameters;
  return given ? given->config(path) : std::nullopt;
}

bool Runner::hasConfig() const {
  return expander.inputs.parameters && expander.inputs.parameters->hasConfig();
}

std::vector<std::string> Runner::variableNames() const {
  return expander.givesHints() ? expander.variables.names()
                               : std::vector<std::string>();
}

std::vector<std::string> Runner::parameterNames() const {
  const ExprScope *given = expander.inputs.parameters;
  return given && expander.givesHints() ? given->parameterNames()
                                        : std::vector<std::string>();
}

std::vector<std::string> Runner::configPaths() const {
  const ExprScope *given = expander.inputs.parameters;
  return given && expander.givesHints() ? given->configPaths()
                                        : std::vector<std::string>();
}

bool Runner::takeSteps(uint64_t count, const Expr &expr) const {
  // Counting changes nothing that is seen.
  return const_cast<Runner *>(this)->countExprSteps(count, expr);
}

bool Runner::countExprSteps(uint64_t count, const Expr &expr) {
  if (stopped)
    return false;
  numExprSteps += count;
  int64_t limit = expander.inputs.maxExprSteps;
  if (numExprSteps <= static_cast<uint64_t>(std::max<int64_t>(limit, 0)))
    return true;
  stopped = true;
  return error(diag::TooManyStatements, expr.range,
               "expressions take more than " + std::to_string(limit) +
                   " steps");
}

// ---- Reports

ast::ExpansionId Runner::context() {
  ast::ExpansionId innermost = frame ? frame->expansion : ast::ExpansionId();
  if (frame && frame->macro.isBuiltIn)
    return innermost;
  for (Turn &turn : turns()) {
    if (!turn.expansion)
      turn.expansion = expander.result.addExpansion(
          {innermost, "for", turn.loop.range,
           turn.loop.variable + " = " + std::to_string(turn.number)});
    innermost = *turn.expansion;
  }
  return innermost;
}

ast::Statement Runner::placeOf(SourceRange range) {
  ast::Statement place;
  place.range = range;
  // A fault in a built-in macro is shown at its tag, which says all.
  bool isBuiltIn = frame && frame->macro.isBuiltIn;
  place.expansion = isBuiltIn ? frame->site.expansion : context();
  return place;
}

bool Runner::error(const DiagnosticKind &kind, SourceRange range,
                   std::string message, std::vector<Note> notes) {
  expander.report(kind, placeOf(range), range, std::move(message),
                  std::move(notes));
  return false;
}

bool Runner::faultOf(const ExprFault &fault) {
  if (!fault.isReported)
    error(diag::ExpressionFault, fault.range, fault.message);
  return false;
}

bool checkNewVariable(Expander &expander, const ast::Statement &statement,
                      llvm::StringRef name, SourceRange range) {
  if (isIdVariable(name)) {
    expander.report(diag::VariableName, statement, range,
                    quoted(name) + " ends in `_ID`, which only placeholders "
                                   "for ids do");
    return false;
  }
  const Variables::Variable *hidden = expander.variables.find(name);
  if (!hidden)
    return true;
  std::vector<Note> notes;
  if (hidden->range.isKnown())
    notes.push_back({hidden->range, "the other one"});
  expander.report(diag::VariableName, statement, range,
                  quoted(name) + " would hide another variable of that name",
                  std::move(notes));
  return false;
}

// ---- Values

std::optional<Constant> Runner::valueOf(const Expr &expr) {
  ExprResult<Constant> value = evaluate(expr, *this);
  if (value)
    return std::move(*value);
  faultOf(value.error());
  return std::nullopt;
}

std::optional<int64_t> Runner::boundOf(const Expr &expr) {
  std::optional<Constant> value = valueOf(expr);
  if (!value)
    return std::nullopt;
  if (const auto *number = std::get_if<int64_t>(&value->data))
    return *number;
  error(diag::ExpressionFault, expr.range,
        "the bound is " + describeConstant(*value) +
            ", expected a whole number");
  return std::nullopt;
}

std::optional<bool> Runner::truthOf(const Expr &expr) {
  std::optional<Constant> value = valueOf(expr);
  if (!value)
    return std::nullopt;
  if (const auto *truth = std::get_if<bool>(&value->data))
    return *truth;
  error(diag::ExpressionFault, expr.range,
        "the condition is " + describeConstant(*value) +
            ", expected a truth value");
  return std::nullopt;
}

// ---- Items

/// Loops may run long without making a statement.
bool Runner::takeStep(SourceRange range) {
  if (stopped || expander.isOverLimit())
    return false;
  if (++numSteps <= static_cast<uint64_t>(
                        std::max<int64_t>(expander.inputs.maxStatements, 0)))
    return true;
  stopped = true;
  return error(diag::TooManyStatements, range,
               "loops and calls run more than " +
                   std::to_string(expander.inputs.maxStatements) + " steps");
}

bool Runner::runBlock(const ast::Block &block) {
  if (depth >= maxDepth)
    return error(diag::CallDepth, frame ? frame->range() : SourceRange(),
                 "calls and blocks are nested more than " +
                     std::to_string(maxDepth) + " deep");
  ++depth;
  size_t outside = expander.variables.size();
  auto leave = llvm::make_scope_exit([&] {
    --depth;
    expander.variables.shrink(outside);
  });
  return llvm::all_of(block, [&](const ast::Item &item) {
    return std::visit([&](const auto &each) { return run(each); }, item.data);
  });
}

/// Outside of a body what follows a fault may well be right.
bool Runner::canGoOn() const {
  return !frame && !stopped && !expander.isOverLimit();
}

bool Runner::run(const ast::Let &let) {
  if (!takeStep(let.range) ||
      !checkNewVariable(expander, placeOf(let.range), let.variable,
                        let.variableRange))
    return false;
  std::optional<Constant> value = valueOf(*let.value);
  if (!value || !expander.takeValue(placeOf(let.range), *value))
    return false;
  expander.variables.push({let.variable, std::move(*value), let.variableRange});
  return true;
}

bool Runner::run(const ast::For &loop) {
  if (!checkNewVariable(expander, placeOf(loop.range), loop.variable,
                        loop.variableRange))
    return canGoOn();
  std::optional<int64_t> first = boundOf(*loop.first),
                         last = boundOf(*loop.last);
  if (!first || !last)
    return canGoOn();
  size_t outside = expander.variables.size();
  expander.variables.push(
      {loop.variable, Constant{*first}, loop.variableRange});
  bool good = true;
  for (int64_t i = *first; i <= *last && good; ++i) {
    expander.variables.setLast(Constant{i});
    turns().push_back({loop, i});
    good = takeStep(loop.range) && runBlock(loop.body);
    turns().pop_back();
    if (i == std::numeric_limits<int64_t>::max())
      break;
  }
  expander.variables.shrink(outside);
  return good || canGoOn();
}

bool Runner::run(const ast::If &choice) {
  for (const ast::If::Branch &branch : choice.branches) {
    if (!takeStep(branch.range))
      return false;
    std::optional<bool> isTaken =
        branch.condition ? truthOf(*branch.condition) : std::optional(true);
    if (!isTaken)
      return canGoOn();
    if (*isTaken)
      return runBlock(branch.body) || canGoOn();
  }
  return true;
}

bool Runner::run(const ast::Assert &assertion) {
  if (!takeStep(assertion.range))
    return false;
  std::optional<bool> holds = truthOf(*assertion.condition);
  if (!holds || *holds)
    return holds || canGoOn();
  ExprResult<std::string> text = evaluateText(*assertion.message, *this);
  if (!text) {
    faultOf(text.error());
    return canGoOn();
  }
  error(diag::FailedAssertion, assertion.range, std::move(*text));
  return canGoOn();
}

bool Runner::run(const ast::Include &) {
  assert(false && "a script that has been loaded holds no include");
  return true;
}

// ---- Statements

bool Runner::run(const ast::Statement &written) {
  if (!takeStep(written.range))
    return false;
  // What lists, arrays and templates make of a name is counted there.
  size_t numNames = written.left.size() + written.right.size();
  if (numNames > 2 && !expander.takeNames(placeOf(written.range), numNames - 2))
    return false;
  if (frame)
    return runInBody(written);
  runAtTop(written);
  return !expander.isOverLimit();
}

void Runner::runAtTop(const ast::Statement &written) {
  ast::Statement statement = written;
  statement.expansion = context();
  bool hadList = false;
  PutInOptions options{*this};
  if (!expander.isPaddle() &&
      !putInValues(expander, statement, options, hadList))
    return;
  if (!expander.takeStatements(statement, 1))
    return;
  Statements group =
      expandNames(expander, std::move(statement), hadList, enabled);
  // A definition further down does not count.
  if (!expander.isPaddle())
    llvm::erase_if(group, [&](const ast::Statement &each) {
      if (each.tags.empty() || macroOf(each))
        return false;
      // What it should have bound is there for what follows.
      if (keepsLive)
        updateNames(expander.liveNames, each);
      return true;
    });
  bool calls = llvm::any_of(group, [&](const ast::Statement &each) {
    if (each.tags.empty() || expander.isPaddle())
      return false;
    return !waits(*macroOf(each));
  });
  if (calls)
    return runCalls(std::move(group));
  if (keepsLive && !expander.isPaddle())
    updateNames(expander.liveNames, group);
  groups.push_back({std::move(group)});
}

void Runner::runCalls(Statements group) {
  if (group.size() > 1)
    readBeforeBound(expander, group);
  groups.push_back({{}, /*isSequence=*/true});
  for (ast::Statement &statement : group)
    if (!emit(std::move(statement)) && expander.isOverLimit())
      return;
}

bool Runner::runInBody(const ast::Statement &written) {
  ast::Statement statement = written;
  statement.expansion = context();
  const ast::Statement &site = frame->site;
  if (frame->macro.isBuiltIn) {
    statement.range = site.range;
    statement.arrow = site.arrow;
  }
  bool hadList = hasList(written);
  PutInOptions options{*this, /*keepsIds=*/false};
  frame->readsRight.clear();
  frame->binds.clear();
  if (!putInValues(expander, statement, options, hadList))
    return false;
  for (unsigned right : frame->readsRight)
    if (!frame->bound[right])
      return error(diag::UnboundParameter, statement.range,
                   quoted(frame->macro.definition->right[right].name) +
                       " is read before " +
                       quoted(frame->macro.definition->tag) + " has bound it");
  for (unsigned right : frame->binds)
    frame->bound.set(right);
  for (ast::Attribute &attribute : statement.attributes)
    if (frame->macro.isBuiltIn) {
      const ast::Attribute *given = site.find(attribute.name);
      attribute.range = given ? given->range : frame->range();
      attribute.value.range = given ? given->value.range : frame->range();
    }

  Statements current;
  if (llvm::any_of(
          llvm::concat<ast::Name>(statement.left, statement.right),
          [](const ast::Name &name) { return name.array != nullptr; })) {
    expandArray(expander, std::move(statement), current);
    if (current.empty())
      return false;
    statement = std::move(current.front());
    current.clear();
  }
  bool losesNames = llvm::any_of(
      statement.left, [](const ast::Name &name) { return name.maybe; });
  if (!checkMaybe(expander, statement))
    return false;
  if (losesNames || statement.isOptional) {
    bool isOptional = statement.isOptional;
    leaveOutMissing(expander, std::move(statement), current);
    if (current.empty())
      return isOptional;
    statement = std::move(current.front());
  }
  if (hadList && !expander.isPaddle())
    simplifyListOfOne(statement);
  return expander.takeStatements(statement, 1) && emit(std::move(statement));
}

bool Runner::emit(ast::Statement statement) {
  if (frame && frame->macro.isBuiltIn) {
    frame->made.push_back(std::move(statement));
    return true;
  }
  if (index) {
    size_t numErrors = expander.numReported;
    runOperations(*index, std::move(statement));
    return expander.numReported == numErrors;
  }
  if (!statement.tags.empty()) {
    const KnownMacro *macro = macroOf(statement);
    if (!macro || !waits(*macro)) {
      bool good = macro && call(statement, *macro);
      // What a call at fault should have bound is there for what follows.
      if (!good && keepsLive)
        updateNames(expander.liveNames, statement);
      return good;
    }
  }
  if (keepsLive)
    updateNames(expander.liveNames, statement);
  // Growing vectors of millions would be copied again and again.
  constexpr size_t enough = 4096;
  if (groups.back().statements.size() >= enough)
    groups.push_back({{}, /*isSequence=*/true});
  groups.back().statements.push_back(std::move(statement));
  return true;
}

} // namespace aoa::expand
