//===- PaddleTemplate.cpp - Upstream's templates ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PaddleTemplate.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

static auto allNames(const ast::Statement &statement) {
  return llvm::concat<const ast::Name>(statement.left, statement.right);
}

PaddleTemplate::PaddleTemplate(Expander &expander,
                               const ast::Statement &statement,
                               PlaceholderRule rule)
    : expander(expander), statement(statement), rule(rule) {
  auto rightFirst =
      llvm::concat<const ast::Name>(statement.right, statement.left);
  llvm::SmallVector<const ast::Name *, 4> names;
  if (expander.isReversed())
    for (const ast::Name &name : rightFirst)
      names.push_back(&name);
  else
    for (const ast::Name &name : allNames(statement))
      names.push_back(&name);
  for (const ast::Name *each : names) {
    const ast::Name &name = *each;
    if (!mayBeTemplate(name))
      continue;
    patternShape = parseTemplate(name.text, rule, placeholders);
    if (placeholders.empty())
      continue;
    patternName = &name;
    return;
  }
}

static unsigned count(const NameTemplate &shape, unsigned placeholder) {
  return llvm::count_if(shape.parts, [&](const NameTemplate::Part &part) {
    return part.kind == NameTemplate::Part::Placeholder &&
           part.placeholder == placeholder;
  });
}

bool PaddleTemplate::isInAllNames() {
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    std::string shown = "`$" + placeholders[p].str() + "`";
    if (count(patternShape, p) > 1) {
      expander.report(diag::RepeatedPlaceholder, statement, patternName->range,
                      quoted(patternName->text) + " has " + shown + " twice");
      return false;
    }
    for (const ast::Name &name : allNames(statement)) {
      PlaceholderNames known = placeholders;
      if (parseTemplate(name.text, rule, known).has(p))
        continue;
      expander.report(diag::MissingPlaceholder, statement, name.range,
                      quoted(name.text) + " lacks " + shown + " of " +
                          quoted(patternName->text) +
                          ", which the paddle dialect wants in all names");
      return false;
    }
  }
  return true;
}

bool PaddleTemplate::findIds(bool seesTransposed) {
  idsOf.resize(placeholders.size());
  llvm::SmallVector<llvm::StringRef, 2> fit(placeholders.size());
  if (seesTransposed || !patternName->transposed)
    for (llvm::StringRef name :
         (expander.isReversed() ? expander.targetNames : expander.liveNames)
             .withSignature(patternShape.signature()))
      if (patternShape.match(name, fit))
        for (unsigned p = 0; p < fit.size(); ++p)
          idsOf[p].push_back(canonicalId(fit[p]).str());
  if (idsOf.front().empty()) {
    expander.report(diag::TemplateWithoutMatch, statement, patternName->range,
                    quoted(patternName->text) +
                        " fits no name of the source, so the statement is "
                        "left out, as upstream does");
    return false;
  }
  for (std::vector<std::string> &ids : idsOf) {
    llvm::sort(ids, [](const std::string &a, const std::string &b) {
      return compareIds(a, b) < 0;
    });
    ids.erase(llvm::unique(ids), ids.end());
  }
  return true;
}

ast::Statement PaddleTemplate::instance(llvm::ArrayRef<std::string> leftIds,
                                        llvm::ArrayRef<std::string> rightIds) {
  std::string detail;
  for (unsigned p = 0; p < placeholders.size(); ++p)
    detail += (p ? ", $" : "$") + placeholders[p].str() + " = " + leftIds[p];
  ast::Statement result = makeStatement(
      statement, expander.result.addExpansion({statement.expansion,
                                               "$" + placeholders.front().str(),
                                               patternName->range, detail}));
  result.tags = statement.tags;
  result.attributes = statement.attributes;
  result.firstLateName = statement.firstLateName;
  auto fill = [&](llvm::ArrayRef<ast::Name> names,
                  llvm::ArrayRef<std::string> ids,
                  llvm::SmallVectorImpl<ast::Name> &filled) {
    for (const ast::Name &name : names) {
      // Placeholders that the pattern lacks stay text, as upstream has it.
      PlaceholderNames known = placeholders;
      NameTemplate shape = parseTemplate(name.text, rule, known);
      std::vector<std::string> all(ids.begin(), ids.end());
      for (size_t p = all.size(); p < known.size(); ++p)
        all.push_back("$" + known[p].str());
      filled.push_back(name);
      filled.back().text = shape.fill(all);
    }
  };
  fill(statement.left, leftIds, result.left);
  fill(statement.right, rightIds, result.right);
  return result;
}

} // namespace aoa::expand
