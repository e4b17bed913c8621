//===- Expand.cpp - Macros and templates, rewritten away --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Expand/Expand.h"

#include "Expander.h"
#include "LeaveOut.h"
#include "NameChain.h"
#include "PutInValues.h"
#include "Reverse.h"
#include "Temporaries.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa {
namespace expand {
namespace {

/// Whether a statement can need the names that exist.
bool looksNamesUp(const Statements &statements) {
  auto looks = [](const ast::Name &name) {
    return name.interpolation || name.maybe ||
           (!name.quoted && (name.text == "optional" ||
                             llvm::StringRef(name.text).find_first_of("$*") !=
                                 llvm::StringRef::npos));
  };
  return llvm::any_of(statements, [&](const ast::Statement &statement) {
    return statement.isOptional || llvm::any_of(statement.left, looks) ||
           llvm::any_of(statement.right, looks);
  });
}

/// The written statements, with values for `${…}` and expressions.
Statements withValues(Expander &expander, const ast::Script &script) {
  Statements statements;
  statements.reserve(script.body.size());
  for (const ast::Statement *written : ast::statementsOf(script.body)) {
    ast::Statement &statement = statements.emplace_back(*written);
    if (!putInValues(expander, statement))
      statements.pop_back();
  }
  if (!expander.isPaddle())
    expander.temporaryNames.separate(statements, expander.inputs);
  return statements;
}

/// What one written statement becomes by the macros of stage Names.
Statements expandNames(Expander &expander, ast::Statement statement,
                       MacroSet enabled) {
  Statements current, next;
  if (!tellTagsApart(expander, statement) || !checkMaybe(expander, statement))
    return current;
  bool isList = hasList(statement);
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
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY)                      \
  AOA_APPLY_##STAGE(ENUMERATOR)
#include "aoa/Expand/Macros.def"
#undef AOA_APPLY_Names
#undef AOA_APPLY_Operations
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

/// Takes note of what the statements read, remove and bind, for later
/// templates. All of a template's read before one of them binds.
void updateLiveNames(Expander &expander, const Statements &group) {
  for (const ast::Statement &statement : group) {
    bool removes = llvm::all_of(statement.right, [](const ast::Name &name) {
      return name.isDiscard();
    });
    for (const ast::Name &name : statement.left)
      if (removes)
        expander.liveNames.remove(name.text);
      else if (!statement.copies)
        expander.liveNames.markRead(name.text);
  }
  for (const ast::Statement &statement : group)
    for (const ast::Name &name : statement.right)
      if (!name.isDiscard())
        expander.liveNames.add(name.text);
}

using Runner = void (*)(Expander &, size_t, ast::Statement, Statements &);

/// The macro of stage Operations that `statement` needs next, if enabled.
Runner runnerOf(const ast::Statement &statement, MacroSet enabled) {
  auto isEnabled = [&](Macro macro) {
    return enabled[static_cast<size_t>(macro)];
  };
  auto isTransposed = [](const ast::Name &name) { return name.transposed; };
  if (isEnabled(Macro::Transpose) &&
      (llvm::any_of(statement.left, isTransposed) ||
       llvm::any_of(statement.right, isTransposed)))
    return expandTranspose;
  if (statement.tags.empty())
    return nullptr;
  llvm::StringRef tag = statement.tags.front().text;
#define AOA_APPLY_Operations(ENUMERATOR)                                       \
  if (isEnabled(Macro::ENUMERATOR) && tag == formOf(Macro::ENUMERATOR))        \
    return expand##ENUMERATOR;
#define AOA_APPLY_Names(ENUMERATOR)
  auto formOf = [](Macro macro) {
    return allMacros()[static_cast<size_t>(macro)].form;
  };
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY)                      \
  AOA_APPLY_##STAGE(ENUMERATOR)
#include "aoa/Expand/Macros.def"
#undef AOA_APPLY_Names
#undef AOA_APPLY_Chain
#undef AOA_APPLY_Operations
  return nullptr;
}

/// Rewrites statement `index` until no macro is left in it.
void expandOperations(Expander &expander, size_t index,
                      ast::Statement statement, MacroSet enabled) {
  Runner run = runnerOf(statement, enabled);
  if (!run) {
    expander.result.statements.push_back(std::move(statement));
    return;
  }
  Statements made;
  run(expander, index, std::move(statement), made);
  for (ast::Statement &one : made)
    expandOperations(expander, index, std::move(one), enabled);
}

} // namespace

ast::Script expandScript(const ast::Script &script, const ExpandInputs &inputs,
                         DiagnosticSink &sink, MacroSet enabled) {
  Expander expander(script, inputs, sink);
  Statements written = withValues(expander, script);
  bool keepsLive = looksNamesUp(written);
  if (keepsLive)
    expander.indexNames();

  std::vector<Statements> groups;
  for (ast::Statement &statement : written) {
    if (!expander.takeStatements(statement, 1))
      break;
    groups.push_back(expandNames(expander, std::move(statement), enabled));
    if (keepsLive && !expander.isPaddle())
      updateLiveNames(expander, groups.back());
  }

  expander.temporaries = std::make_unique<Temporaries>(expander, groups);
  for (Statements &group : groups) {
    expander.temporaries->beginStatement();
    if (group.size() > 1 && !expander.isPaddle())
      readBeforeBound(expander, group);
  }
  // Statements are copied when a vector of them grows, so each gets its size.
  size_t numNamed = 0;
  for (const Statements &group : groups)
    numNamed += group.size();
  expander.statements.reserve(numNamed);
  for (Statements &group : groups)
    llvm::move(group, std::back_inserter(expander.statements));
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
    if (expander.isOverLimit())
      break;
    expander.temporaries->beginStatement();
    // Only macros with tags look at other statements than their own.
    ast::Statement &statement = expander.statements[i];
    if (hasTags)
      expandOperations(expander, i, statement, enabled);
    else
      expandOperations(expander, i, std::move(statement), enabled);
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
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY) {NAME, SUMMARY, FORM},
#include "aoa/Expand/Macros.def"
  };
  return macros;
}

} // namespace aoa
