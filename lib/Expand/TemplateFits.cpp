//===- TemplateFits.cpp - Which names a template stands for --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TemplateExpansion.h"

#include "MatchText.h"
#include "aoa/Support/NearestName.h"

namespace aoa::expand {

int TemplateExpansion::compare(const Fit &a, const Fit &b) const {
  for (size_t p = 0; p < a.values.size(); ++p) {
    int order = placeholders[p].isNumber()
                    ? compareIds(a.values[p], b.values[p])
                    : a.values[p].compare(b.values[p]);
    if (order)
      return order;
  }
  return 0;
}

/// "`$$A` = `x`, `$$B` = `y`"
static std::string showValues(const Placeholders &placeholders,
                              const NameTemplate &shape, const Values &values) {
  std::string text;
  for (unsigned p = 0; p < values.size(); ++p)
    if (shape.has(p))
      text += (text.empty() ? "" : ", ") + quoted(placeholders[p].text()) +
              " = " + (values[p].empty() ? "nothing" : quoted(values[p]));
  return text;
}

bool TemplateExpansion::addTextFit(const Operand &operand, llvm::StringRef name,
                                   std::vector<Fit> &found) {
  auto admits = [&](unsigned p, llvm::StringRef text) {
    bool does = clauses.admits(p, text);
    clausesLeftOut |= !does;
    return does;
  };
  MatchRules rules{static_cast<unsigned>(placeholders.size()), admits,
                   clauses.preferences()};
  TextMatch match = matchText(operand.shape, name, rules, expander.stepsLeft);
  switch (match.ways) {
  case TextMatch::None:
    return true;
  case TextMatch::One:
    found.push_back({std::move(match.first), name});
    return true;
  case TextMatch::TooCostly:
    return error(diag::TooManyPlaceholders, *operand.name,
                 quoted(textOf(operand)) +
                     " fits in too many ways to try them all, at " +
                     quoted(name));
  case TextMatch::Several:
    break;
  }
  unsigned differs = 0;
  while (match.first[differs] == match.second[differs])
    ++differs;
  return error(
      diag::AmbiguousMatch, *operand.name,
      quoted(textOf(operand)) + " fits " + quoted(name) + " in two ways, " +
          showValues(placeholders, operand.shape, match.first) + " and " +
          showValues(placeholders, operand.shape, match.second) +
          "; the clause `" + placeholders[differs].text() + " shortest` or `" +
          placeholders[differs].text() + " longest` decides");
}

/// Finds the names that fit `operand`, sorted by values; with a star one of
/// those that differ only there. Reports a name that fits in two ways.
bool TemplateExpansion::findFits(const Operand &operand,
                                 std::vector<Fit> &found) {
  bool needsSearch = operand.shape.hasText() ||
                     llvm::any_of(operand.shape.parts, [](const Part &part) {
                       return part.kind == Part::Shifted;
                     });
  if (operand.shape.hasText()) {
    if (!unread)
      unread = names->unread();
    bool isTemporary = expander.temporaryNames.isTemporary(*operand.name);
    for (llvm::StringRef name : *unread)
      if (expander.temporaryNames.isTemporary(name) == isTemporary &&
          !addTextFit(operand, name, found))
        return false;
  } else {
    llvm::SmallVector<llvm::StringRef, 2> ids(placeholders.size());
    for (llvm::StringRef name :
         names->withSignature(operand.shape.signature())) {
      if (needsSearch) {
        if (!addTextFit(operand, name, found))
          return false;
        continue;
      }
      if (!operand.shape.match(name, ids))
        continue;
      bool isAdmitted = true;
      if (!clauses.isEmpty())
        for (unsigned p = 0; p < ids.size(); ++p)
          isAdmitted &= !operand.shape.has(p) || clauses.admits(p, ids[p]);
      clausesLeftOut |= !isAdmitted;
      if (!isAdmitted)
        continue;
      Fit &fit = found.emplace_back(Fit{{}, name});
      for (llvm::StringRef id : ids)
        fit.values.push_back(id.str());
    }
  }
  llvm::sort(found, [&](const Fit &a, const Fit &b) {
    int order = compare(a, b);
    return order != 0 ? order < 0 : a.name < b.name;
  });
  return true;
}

bool TemplateExpansion::findPatternFits() {
  for (const Operand *pattern : patterns) {
    std::vector<Fit> found;
    if (!findFits(*pattern, found) || !recordSpelling(found, *pattern))
      return false;
    llvm::move(found, std::back_inserter(fits));
  }
  if (patterns.size() > 1)
    llvm::sort(fits, [&](const Fit &a, const Fit &b) {
      int order = compare(a, b);
      return order != 0 ? order < 0 : a.name < b.name;
    });
  // Names that differ in a star only make one statement.
  fits.erase(std::unique(fits.begin(), fits.end(),
                         [&](const Fit &a, const Fit &b) {
                           return compare(a, b) == 0;
                         }),
             fits.end());
  return true;
}

/// Records how ids are spelt. Right names take the spelling of the left ones,
/// so there must be one.
bool TemplateExpansion::recordSpelling(llvm::ArrayRef<Fit> fitsOfOne,
                                       const Operand &operand) {
  spellings.resize(placeholders.size());
  llvm::SmallVector<bool, 2> isExact(placeholders.size(), false);
  for (const Part &part : operand.shape.parts)
    if (part.kind == Part::Placeholder)
      isExact[part.placeholder] = true;
  for (const Fit &fit : fitsOfOne)
    for (unsigned p = 0; p < placeholders.size(); ++p) {
      // 10 of `${LAYER_ID+1}` may be 9 or 09.
      if (!isExact[p])
        continue;
      auto [known, isNew] = spellings[p].try_emplace(canonicalId(fit.values[p]),
                                                     fit.values[p], fit.name);
      if (known->second.first != fit.values[p])
        return error(
            diag::IdSpelling, *operand.name,
            "id " + known->first().str() + " of " + shown(p) +
                " is spelt in two ways: " + quoted(known->second.second) +
                " and " + quoted(fit.name));
    }
  return true;
}

std::string TemplateExpansion::keyOf(const Fit &fit,
                                     const NameTemplate &shape) const {
  std::string key;
  for (unsigned p = 0; p < fit.values.size(); ++p) {
    if (!shape.has(p))
      continue;
    llvm::StringRef value = fit.values[p];
    if (placeholders[p].isNumber())
      value = canonicalId(value);
    key += std::to_string(value.size()) + ":" + value.str();
  }
  return key;
}

/// The name that `operand` would have for the values of `fit`, those that
/// `fit` lacks left open.
std::string TemplateExpansion::exampleOf(const Operand &operand,
                                         const Fit &fit) const {
  std::vector<std::string> values(fit.values.begin(), fit.values.end());
  for (unsigned p = 0; p < values.size(); ++p)
    if (values[p].empty() && !placeholders[p].isRest)
      values[p] = placeholders[p].text();
  return operand.shape.fill(values, [&](const Part &part) {
    return shiftedId(values[part.placeholder], part.shift)
        .value_or("${" + part.text.str() + "}");
  });
}

/// Checks that `other` exists for the values of the pattern, and for no others;
/// where it may be missing, leaves out what is.
bool TemplateExpansion::agree(const Operand &other) {
  std::vector<Fit> otherFits;
  if (!findFits(other, otherFits) || !recordSpelling(otherFits, other))
    return false;
  llvm::StringMap<const Fit *> unused;
  for (const Fit &fit : otherFits)
    unused.try_emplace(keyOf(fit, other.shape), &fit);
  llvm::StringMap<bool> exists;
  bool isRequired = !other.name->maybe && !statement.isOptional;
  std::vector<Fit> kept;
  for (Fit &fit : fits) {
    auto [key, isNew] = exists.try_emplace(keyOf(fit, other.shape), true);
    if (isNew)
      key->second = unused.erase(key->first());
    if (!key->second && isRequired)
      return error(diag::MissingInstance, *other.name,
                   "there is " + quoted(fit.name) + " but no " +
                       quoted(exampleOf(other, fit)) +
                       (otherFits.empty() ? nearestHint(other, fit.name) : ""));
    if (key->second || other.name->maybe)
      kept.push_back(std::move(fit));
  }
  fits = std::move(kept);
  if (statement.isOptional)
    return true;
  for (const Fit &fit : otherFits)
    if (unused.contains(keyOf(fit, other.shape)))
      return error(diag::MissingInstance, *patterns.front()->name,
                   "there is " + quoted(fit.name) + " but no " +
                       quoted(exampleOf(*patterns.front(), fit)));
  return true;
}

bool TemplateExpansion::reportNoFit(const Operand &operand) {
  return error(
      diag::UnmatchedTemplate, *operand.name,
      quoted(textOf(operand)) + " fits no name" +
          (clausesLeftOut ? " that the clauses admit" : nearestHint(operand)));
}

std::string TemplateExpansion::nearestHint(const Operand &operand,
                                           llvm::StringRef known) const {
  if (operand.shape.hasText())
    return "";
  llvm::StringRef nearest = names->nearest(operand.shape.signature());
  return nearest.empty() || nearest == known
             ? ""
             : "; the nearest is " + quoted(nearest);
}

} // namespace aoa::expand
