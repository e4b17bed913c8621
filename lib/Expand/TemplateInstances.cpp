//===- TemplateInstances.cpp - The statements of a template --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TemplateExpansion.h"

namespace aoa::expand {

/// Whether the text of a name, read again as a bare name, would be something
/// else.
static bool needsQuotes(const Expander &expander, llvm::StringRef text) {
  return text.find_first_of("$*") != llvm::StringRef::npos ||
         text.starts_with("%") || !ast::isBareName(text, ast::Dialect::Aoa) ||
         text == "_" || expander.isWordOfTheLanguage(text);
}

std::optional<ast::Name>
TemplateExpansion::filled(const Operand &operand,
                          llvm::ArrayRef<std::string> values, const Fit &fit,
                          const ast::Statement &instance) {
  ast::Name name = *operand.name;
  if (!operand.isTemplate)
    return name;
  llvm::SmallVector<llvm::StringRef, 2> idNames, ids;
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    idNames.push_back(placeholders[p].name);
    ids.push_back(values[p]);
  }
  InstanceScope instanceScope(expander.scope(), idNames, ids);
  bool failed = false;
  auto valueOf = [&](const Part &part) -> std::string {
    std::optional<std::string> text =
        part.kind == Part::Shifted
            ? shiftedId(values[part.placeholder], part.shift)
            : textOfExpr(expander, instance, *part.expr, instanceScope);
    failed |= !text;
    if (!text && part.kind == Part::Shifted)
      error(instance, diag::NegativeId, name,
            "`${" + part.text.str() + "}` is beyond 18 digits for " +
                quoted(fit.name));
    if (!text)
      return "";
    if (llvm::StringRef(*text).starts_with("-")) {
      failed = true;
      error(instance, diag::NegativeId, name,
            "`${" + part.text.str() + "}` is " + *text + " for " +
                quoted(fit.name) + ", below 0");
    }
    return *text;
  };
  name.text = operand.shape.fill(values, valueOf);
  name.array.reset();
  name.interpolation = nullptr;
  if (failed)
    return std::nullopt;
  if (name.text.empty()) {
    error(instance, diag::AmbiguousMatch, name,
          quoted(textOf(operand)) + " is empty for " + quoted(fit.name));
    return std::nullopt;
  }
  bool isTemporary = expander.temporaryNames.isTemporary(*operand.name);
  if (!operand.shape.hasText() && !operand.shape.hasExpression())
    return name;
  if (!isTemporary && expander.temporaryNames.isTemporary(name.text)) {
    error(instance, diag::ReadsAsTemporary, name,
          quoted(name.text) + ", which " + quoted(textOf(operand)) +
              " is for " + quoted(fit.name) + ", reads as a temporary");
    return std::nullopt;
  }
  if (operand.shape.hasStar()) {
    // The star is matched later, among the characters of the values.
    if (llvm::StringRef(name.text).count('*') != 1 ||
        llvm::StringRef(name.text).contains('$')) {
      error(instance, diag::SeveralStars, name,
            quoted(textOf(operand)) + " has a `*`, and so has a value of " +
                quoted(fit.name) + " at its placeholders");
      return std::nullopt;
    }
    return name;
  }
  if (isTemporary && !ast::isBareName(name.text, ast::Dialect::Aoa)) {
    error(instance, diag::ExpressionFault, name,
          quoted(name.text) + ", which " + quoted(textOf(operand)) +
              " is for " + quoted(fit.name) +
              ", is no name of a temporary, and quotes make none of it");
    return std::nullopt;
  }
  name.quoted |= !isTemporary && needsQuotes(expander, name.text);
  return name;
}

bool TemplateExpansion::instantiate(const Fit &fit, Statements &out) {
  std::vector<std::string> leftValues(fit.values.begin(), fit.values.end());
  for (unsigned p = 0; p < placeholders.size(); ++p)
    if (placeholders[p].isNumber())
      if (auto known = spellings[p].find(canonicalId(leftValues[p]));
          known != spellings[p].end())
        leftValues[p] = known->second.first;
  std::vector<std::string> rightValues = leftValues;
  std::string detail;
  llvm::SmallVector<llvm::StringRef, 2> idNames, ids;
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    detail += (p ? ", " : "") + placeholders[p].text() + " = " + leftValues[p];
    idNames.push_back(placeholders[p].name);
    ids.push_back(leftValues[p]);
    if (!placeholders[p].isNumber() || placeholders[p].name != layerIdOffset)
      continue;
    std::optional<std::string> previous = previousId(leftValues[p]);
    if (!previous)
      return error(diag::NegativeId, *patterns.front()->name,
                   shown(p) + " is one less on the right, and " +
                       quoted(fit.name) + " has id 0");
    rightValues[p] = *previous;
  }
  ast::Statement instance = makeStatement(
      statement, expander.result.addExpansion(
                     {statement.expansion, placeholders.front().text(),
                      patterns.front()->name->range, std::move(detail)}));
  instance.tags = statement.tags;
  instance.attributes = statement.attributes;
  instance.copies = statement.copies;
  instance.isOptional = statement.isOptional;
  auto fill = [&](const std::vector<Operand> &side,
                  const std::vector<std::string> &values,
                  llvm::SmallVectorImpl<ast::Name> &instanceNames) {
    instanceNames.reserve(side.size());
    for (const Operand &operand : side) {
      std::optional<ast::Name> name = filled(operand, values, fit, instance);
      if (!name)
        return false;
      instanceNames.push_back(std::move(*name));
    }
    return true;
  };
  // `_ -> l.$LAYER_ID_OFFSET.w` has ids on the right only: they are its own.
  if (!fill(left, leftValues, instance.left) ||
      !fill(right, patternSide == &right ? leftValues : rightValues,
            instance.right) ||
      !putInAttributes(expander, instance,
                       InstanceScope(expander.scope(), idNames, ids)))
    return false;
  if (statement.firstLateName < statement.right.size())
    instance.firstLateName = llvm::count_if(right, [&](const Operand &operand) {
      return operand.name < &statement.right[statement.firstLateName];
    });
  out.push_back(std::move(instance));
  return true;
}

void TemplateExpansion::instantiate(Statements &out) {
  if (fits.empty() || !expander.takeStatements(statement, fits.size() - 1) ||
      !expander.takeNames(statement,
                          fits.size() * (left.size() + right.size())))
    return;
  out.reserve(out.size() + fits.size());
  // A fault of one instance is a fault of most: all of them are counted.
  for (const Fit &fit : fits) {
    if (!instantiate(fit, out))
      continue;
    const ast::Statement &made = out.back();
    for (const ast::Name &name :
         llvm::concat<const ast::Name>(made.left, made.right))
      if (!expander.takeText(statement, name.text))
        return;
  }
}

} // namespace aoa::expand
