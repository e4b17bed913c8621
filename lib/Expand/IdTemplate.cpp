//===- IdTemplate.cpp - One statement for each set of ids -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "IdTemplate.h"

#include "TemplateExpansion.h"
#include "llvm/ADT/Sequence.h"

namespace aoa::expand {

/// More than any name needs; a search for `$$NAME` goes as deep.
static constexpr size_t maxParts = 100;

bool TemplateExpansion::parseSide(llvm::ArrayRef<ast::Name> names,
                                  std::vector<Operand> &side) {
  for (const ast::Name &name : names) {
    if (!mayBeTemplate(name)) {
      side.push_back({&name, false, {}});
      continue;
    }
    NameTemplate shape = parseTemplate(name, scope, placeholders);
    if (shape.parts.size() > maxParts)
      return error(diag::TooManyPlaceholders, name,
                   "the name has " + std::to_string(shape.parts.size()) +
                       " parts, more than " + std::to_string(maxParts));
    bool isTemplate = llvm::any_of(shape.parts, [](const Part &part) {
      return part.kind != Part::Literal && part.kind != Part::Star;
    });
    hasText |= shape.hasText();
    if (!isTemplate || !name.array) {
      side.push_back({&name, isTemplate, std::move(shape)});
      continue;
    }
    // `_3` behind a placeholder would read as a part of it, so the names of an
    // array come apart here and not by the array macro.
    const ast::ArrayRange &range = *name.array;
    if (range.begin < 0 || range.begin >= range.end)
      return error(diag::EmptyArray, name,
                   "`[" + std::to_string(range.begin) + ":" +
                       std::to_string(range.end) + "]` stands for no names");
    // Each gets a copy of the parts.
    uint64_t count = static_cast<uint64_t>(range.end) - range.begin;
    if (!expander.takeNames(statement, count) ||
        !expander.takeNames(statement, count * shape.parts.size()))
      return false;
    for (int64_t i = range.begin; i < range.end; ++i) {
      side.push_back({&name, true, shape});
      side.back().shape.suffix = expander.temporaryNames.elementSuffix(name, i);
    }
  }
  return true;
}

bool TemplateExpansion::parse() {
  return parseSide(statement.left, left) && parseSide(statement.right, right);
}

static bool isDiscard(const Operand &operand) { return operand.isDiscard(); }

/// A placeholder on one side only would bind one name many times (`*` gathers),
/// or has nothing to take ids from. `_` is no side.
bool TemplateExpansion::checkPlaceholders() {
  bool addsOnly = llvm::all_of(left, isDiscard);
  patternSide = addsOnly ? &right : &left;
  for (const Operand &operand : *patternSide)
    for (const Part &part : operand.shape.parts)
      if (part.kind == Part::Expression)
        return error(diag::UnsolvableId, *operand.name,
                     "`${" + part.text.str() +
                         "}` cannot be solved for an id, and names are matched "
                         "on this side: write an id plus or minus a number");
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    auto has = [p](const Operand &operand) {
      return operand.isTemplate && operand.shape.has(p);
    };
    auto giver = llvm::find_if(*patternSide, has);
    if (giver == patternSide->end()) {
      const Operand &taker = *llvm::find_if(right, has);
      return error(diag::MissingPlaceholder, *taker.name,
                   shown(p) +
                       " stands on the right only: no left name says "
                       "which " +
                       (placeholders[p].isNumber() ? "ids" : "texts") +
                       " there are");
    }
    auto takes = [&](const Operand &operand) {
      return has(operand) ||
             llvm::any_of(operand.shape.parts, [&](const Part &part) {
               return part.kind == Part::Expression &&
                      anyVariable(*part.expr, [&](std::string_view name) {
                        return placeholders[p].isNumber() &&
                               placeholders[p].name == llvm::StringRef(name);
                      });
             });
    };
    for (const Operand &operand : right)
      if (!isDiscard(operand) && !takes(operand))
        return error(diag::MissingPlaceholder, *operand.name,
                     quoted(textOf(operand)) + " lacks " + shown(p) + " of " +
                         quoted(textOf(*giver)) + ", so each " +
                         (placeholders[p].isNumber() ? "id" : "text") +
                         " would bind it anew; `*` gathers names");
  }
  return true;
}

bool TemplateExpansion::choosePattern() {
  llvm::SmallVector<const Operand *, 1> optional;
  for (const Operand &operand : *patternSide) {
    bool hasAll =
        llvm::all_of(llvm::seq<unsigned>(0, placeholders.size()),
                     [&](unsigned p) { return operand.shape.has(p); });
    if (!operand.isTemplate || !hasAll)
      continue;
    if (operand.name->maybe)
      optional.push_back(&operand);
    else if (patterns.empty())
      patterns.push_back(&operand);
  }
  if (patterns.empty())
    patterns = std::move(optional);
  if (patterns.empty()) {
    const Operand &first =
        *llvm::find_if(*patternSide, [](const Operand &operand) {
          return operand.isTemplate;
        });
    for (unsigned p = 0; p < placeholders.size(); ++p)
      if (!first.shape.has(p))
        return error(diag::MissingPlaceholder, *first.name,
                     "no left name has all placeholders: " +
                         quoted(textOf(first)) + " lacks " + shown(p) +
                         ", so nothing says which ids go together");
  }
  if (patternSide == &left) {
    names = &expander.liveNames;
    return true;
  }
  if (!expander.inputs.targetListsNames)
    return error(diag::UnmatchedTemplate, *patterns.front()->name,
                 quoted(textOf(*patterns.front())) +
                     " takes its ids from the names that the target lists, and "
                     "this target lists none");
  names = &expander.targetNames;
  return true;
}

void TemplateExpansion::run(Statements &out) {
  if (!parse())
    return;
  if (placeholders.empty()) {
    if (clauses.resolve(placeholders) && checkNoIdsLeft(expander, statement))
      out.push_back(statement);
    return;
  }
  if (!checkPlaceholders() || !clauses.resolve(placeholders) ||
      !choosePattern() || !findPatternFits())
    return;
  if (fits.empty()) {
    if (!statement.isOptional)
      reportNoFit(*patterns.front());
    return;
  }
  for (const Operand &operand : *patternSide)
    if (operand.isTemplate && !isPattern(operand) && !agree(operand))
      return;
  if (!checkNegative() || !checkRanges())
    return;
  reportGaps();
  instantiate(out);
}

void expandIdTemplate(Expander &expander, const ast::Statement &statement,
                      Statements &out) {
  TemplateExpansion(expander, statement).run(out);
}

} // namespace aoa::expand
