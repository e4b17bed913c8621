//===- Expand.cpp - Macros and templates, rewritten away --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Expand/Expand.h"

#include "Expander.h"
#include "LeaveOut.h"
#include "NameChain.h"
#include "Reverse.h"
#include "Runner.h"
#include "Temporaries.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa {
namespace expand {
namespace {

/// Whether what is written can need the names that exist.
bool looksNamesUp(const ast::Block &body) {
  auto looks = [](const ast::Name &name) {
    return name.interpolation || name.maybe ||
           (!name.quoted && (name.text == "optional" ||
                             llvm::StringRef(name.text).find_first_of("$*") !=
                                 llvm::StringRef::npos));
  };
  return llvm::any_of(body, [&](const ast::Item &item) {
    const auto *statement = std::get_if<ast::Statement>(&item.data);
    // Blocks and macros may ask for names in many ways.
    return !statement || statement->isOptional ||
           llvm::any_of(statement->left, looks) ||
           llvm::any_of(statement->right, looks);
  });
}

} // namespace

/// Truth values are for macros only.
static bool checkNoTruth(Expander &expander, const ast::Statement &statement) {
  for (const ast::Attribute &attribute : statement.attributes)
    if (const auto *expr = std::get_if<ast::ExprRef>(&attribute.value.data))
      if ((*expr)->kind == Expr::Kind::Bool) {
        expander.report(diag::ExpressionFault, statement, attribute.value.range,
                        "the value is " + ast::printValue(attribute.value) +
                            ", expected a number, a text or a list");
        return false;
      }
  return true;
}

Statements expandNames(Expander &expander, ast::Statement statement,
                       bool hadList, MacroSet enabled) {
  Statements current, next;
  if (!tellTagsApart(expander, statement) || !checkMaybe(expander, statement))
    return current;
  bool isList = hadList || hasList(statement);
  if (statement.tags.empty() && !checkNoTruth(expander, statement))
    return current;
  bool losesNames = statement.isOptional ||
                    llvm::any_of(statement.left, [](const ast::Name &name) {
                      return name.maybe;
                    });
  current.push_back(std::move(statement));
  auto apply = [&](Macro macro, auto &&expandOne) {
    if (!enabled[static_cast<size_t>(macro)])
      return;
    next.reserve(current.size());
    for (ast::Statement &one : current)
      expandOne(expander, std::move(one), next);
    current = std::move(next);
    next.clear();
  };
#define AOA_APPLY_Names(ENUMERATOR)                                            \
  apply(Macro::ENUMERATOR, expand##ENUMERATOR);
#define AOA_APPLY_Chain(ENUMERATOR)
#define AOA_APPLY_Operations(ENUMERATOR)
#define AOA_APPLY_Prelude(ENUMERATOR)
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY)                      \
  AOA_APPLY_##STAGE(ENUMERATOR)
#include "aoa/Expand/Macros.def"
#undef AOA_APPLY_Names
#undef AOA_APPLY_Chain
#undef AOA_APPLY_Operations
#undef AOA_APPLY_Prelude
  if (expander.isPaddle())
    return current;
  if (losesNames) {
    for (ast::Statement &one : current)
      leaveOutMissing(expander, std::move(one), next);
    current = std::move(next);
  }
  if (isList)
    llvm::for_each(current, simplifyListOfOne);
  return current;
}

void updateNames(NameIndex &names, llvm::ArrayRef<ast::Statement> group) {
  for (const ast::Statement &statement : group) {
    bool removes = llvm::all_of(statement.right, [](const ast::Name &name) {
      return name.isDiscard();
    });
    for (const ast::Name &name : statement.left)
      if (removes)
        names.remove(name.text);
      else if (!statement.copies)
        names.markRead(name.text);
  }
  for (const ast::Statement &statement : group)
    for (const ast::Name &name : statement.right)
      if (!name.isDiscard())
        names.add(name.text);
}

std::vector<Group> Runner::runScript(const ast::Block &body) {
  if (!expander.isPaddle())
    expander.temporaryNames.choose(body, expander.inputs);
  for (const ast::Item &item : body)
    if (const auto *definition =
            std::get_if<std::shared_ptr<const ast::MacroDefinition>>(
                &item.data))
      expander.laterMacros.try_emplace((*definition)->tag,
                                       (*definition)->tagRange);
  keepsLive = looksNamesUp(body);
  if (keepsLive)
    expander.indexNames();
  warnBlocks(body);
  groups.reserve(body.size());
  runBlock(body);
  return std::move(groups);
}

void Runner::runOperations(size_t at, ast::Statement statement) {
  index = at;
  auto isEnabled = [&](Macro macro) {
    return enabled[static_cast<size_t>(macro)];
  };
  // A macro of one's own turns its parameters where it uses them.
  const KnownMacro *macro =
      statement.tags.empty()
          ? nullptr
          : expander.macros.find(statement.tags.front().text,
                                 statement.left.size(), statement.right.size());
  bool isOwn = macro && !macro->isBuiltIn;
  auto isTransposed = [](const ast::Name &name) { return name.transposed; };
  if (isEnabled(Macro::Transpose) &&
      (llvm::any_of(statement.right, isTransposed) ||
       (!isOwn && llvm::any_of(statement.left, isTransposed)))) {
    Statements made;
    expandTranspose(expander, at, std::move(statement), made);
    for (ast::Statement &one : made)
      runOperations(at, std::move(one));
    return;
  }
  if (statement.tags.empty()) {
    if (isEnabled(Macro::NameChain) && !checkSides(expander, statement))
      return;
    expander.result.statements.push_back(std::move(statement));
    return;
  }
  llvm::StringRef tag = statement.tags.front().text;
  for (size_t i = 0; i < numMacros; ++i)
    if (allMacros()[i].isTag && allMacros()[i].form == tag && !enabled[i]) {
      expander.result.statements.push_back(std::move(statement));
      return;
    }
  if (const KnownMacro *called = macroOf(statement))
    call(std::move(statement), *called);
}

ast::Script expandScript(const ast::Script &script, const ExpandInputs &inputs,
                         DiagnosticSink &sink, MacroSet enabled) {
  Expander expander(script, inputs, sink);
  Runner runner(expander, enabled);
  std::vector<Group> groups = runner.runScript(script.body);
  if (runner.isOverLimit())
    return std::move(expander.result);

  expander.temporaries = std::make_unique<Temporaries>(expander, groups);
  for (Group &group : groups) {
    expander.temporaries->beginStatement();
    if (group.statements.size() > 1 && !group.isSequence &&
        !expander.isPaddle())
      readBeforeBound(expander, group.statements);
  }
  // Statements are copied when a vector of them grows, so each gets its size.
  size_t numNamed = 0;
  for (const Group &group : groups)
    numNamed += group.statements.size();
  expander.statements.reserve(numNamed);
  for (Group &group : groups) {
    llvm::move(group.statements, std::back_inserter(expander.statements));
    group.statements = {};
  }
  expander.temporaries->useStatements();
  groups.clear();

  if (enabled[static_cast<size_t>(Macro::NameChain)])
    expandNameChain(expander);
  expander.chain = std::make_unique<NameChain>(expander.statements);

  bool hasTags = false;
  size_t numExpected = 0;
  for (const ast::Statement &statement : expander.statements) {
    hasTags |= !statement.tags.empty();
    numExpected += 1 + 3 * statement.tags.size() +
                   llvm::count_if(statement.left, [](const ast::Name &name) {
                     return name.transposed;
                   });
  }
  expander.result.statements.reserve(numExpected);
  expander.temporaries->noteUserNames();
  for (size_t i = 0; i < expander.statements.size(); ++i) {
    if (runner.isOverLimit())
      break;
    expander.temporaries->beginStatement();
    // Only macros with tags look at other statements than their own.
    ast::Statement &statement = expander.statements[i];
    if (hasTags)
      runner.runOperations(i, statement);
    else
      runner.runOperations(i, std::move(statement));
  }
  return std::move(expander.result);
}

} // namespace expand

ast::Script expandScript(const ast::Script &script, const ExpandInputs &inputs,
                         DiagnosticSink &sink) {
  expand::MacroSet all = expand::MacroSet().set();
  if (!script.isReversed)
    return expand::expandScript(script, inputs, sink, all);
  ExpandInputs swapped = expand::swapEnds(inputs);
  ast::Script expanded = expand::expandScript(script, swapped, sink, all);
  expand::turnRound(expanded, !inputs.targetListsNames, sink);
  return expanded;
}

std::span<const MacroInfo> allMacros() {
  static constexpr MacroInfo macros[] = {
#define AOA_STAGE_Names false
#define AOA_STAGE_Chain false
#define AOA_STAGE_Operations false
#define AOA_STAGE_Prelude true
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY)                      \
  {NAME, SUMMARY, FORM, AOA_STAGE_##STAGE},
#include "aoa/Expand/Macros.def"
  };
  return macros;
}

} // namespace aoa
