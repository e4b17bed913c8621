//===- IdTemplate.cpp - One statement for each set of ids -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "IdTemplate.h"

#include "Clauses.h"
#include "IdGap.h"
#include "MatchText.h"
#include "Placeholders.h"
#include "PutInValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace aoa::expand {
namespace {

using Part = NameTemplate::Part;

/// More than any name needs; a search for `$$NAME` goes as deep.
constexpr size_t maxParts = 100;

/// A name of the statement; of an array, one of its names.
struct Operand {
  const ast::Name *name;
  bool isTemplate; ///< False: copied as it is.
  NameTemplate shape;

  bool isDiscard() const { return !isTemplate && name->isDiscard(); }
};

/// A name that fits a template, and what the placeholders stand for there;
/// values of those that the template lacks are empty.
struct Fit {
  Values values;
  llvm::StringRef name;
};

class TemplateExpansion {
public:
  TemplateExpansion(Expander &expander, const ast::Statement &statement)
      : expander(expander), statement(statement),
        scope(expander.inputs.parameters), clauses(expander, statement) {}

  void run(Statements &out);

private:
  bool parse();
  bool parseSide(llvm::ArrayRef<ast::Name> names, std::vector<Operand> &side);
  bool checkPlaceholders();
  bool choosePattern();
  bool findFits(const Operand &operand, std::vector<Fit> &found);
  bool addTextFit(const Operand &operand, llvm::StringRef name,
                  std::vector<Fit> &found);
  bool findPatternFits();
  bool recordSpelling(llvm::ArrayRef<Fit> fitsOfOne, const Operand &operand);
  bool agree(const Operand &other);
  bool checkRanges();
  bool checkNegative();
  void reportGaps();
  void instantiate(Statements &out);
  bool instantiate(const Fit &fit, Statements &out);
  std::optional<ast::Name> filled(const Operand &operand,
                                  llvm::ArrayRef<std::string> values,
                                  const Fit &fit);
  bool reportNoFit(const Operand &operand);
  /// Names the live name that is most like `operand`, or returns an empty text;
  /// `known` is a name that the message gives already.
  std::string nearestHint(const Operand &operand,
                          llvm::StringRef known = "") const;

  bool error(const DiagnosticKind &kind, const ast::Name &name,
             std::string message, std::vector<Note> notes = {}) {
    expander.report(kind, statement, name.range, std::move(message),
                    std::move(notes));
    return false;
  }
  std::string shown(unsigned placeholder) const {
    return quoted(placeholders[placeholder].text());
  }
  static std::string textOf(const Operand &operand) {
    return operand.name->text + operand.shape.suffix;
  }
  bool isPattern(const Operand &operand) const {
    return llvm::is_contained(patterns, &operand);
  }
  std::string exampleOf(const Operand &operand, const Fit &fit) const;
  std::string keyOf(const Fit &fit, const NameTemplate &shape) const;
  int compare(const Fit &a, const Fit &b) const;

  Expander &expander;
  const ast::Statement &statement;
  InstanceScope scope;
  Clauses clauses;
  Placeholders placeholders;
  std::vector<Operand> left, right;
  bool hasText = false; ///< A `$NAME` or `$$NAME`.

  /// The side whose names are matched: the left one unless it is `_`.
  std::vector<Operand> *patternSide = nullptr;
  NameIndex *names = nullptr;
  std::optional<std::vector<llvm::StringRef>> unread;
  /// Operands with all placeholders: one that must exist, or all with a `?`.
  llvm::SmallVector<const Operand *, 1> patterns;
  std::vector<Fit> fits; ///< Of the patterns, by values.
  bool clausesLeftOut = false;
  /// For each placeholder: canonical id, and a fit that spells it.
  std::vector<llvm::StringMap<std::pair<std::string, llvm::StringRef>>>
      spellings;
};

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
    if (!expander.takeNames(statement, uint64_t(range.end) - range.begin))
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

/// `l.${LAYER_ID+1}` fits `l.0` for the id -1.
bool TemplateExpansion::checkNegative() {
  for (const Fit &fit : fits)
    for (unsigned p = 0; p < placeholders.size(); ++p)
      if (placeholders[p].isNumber() &&
          llvm::StringRef(fit.values[p]).starts_with("-"))
        return error(diag::NegativeId, *patterns.front()->name,
                     quoted(textOf(*patterns.front())) + " fits " +
                         quoted(fit.name) + " for " + shown(p) + " = " +
                         fit.values[p] + "; a clause `" +
                         placeholders[p].text() + " in 0..n` leaves it out");
  return true;
}

/// Visits the ids of placeholder p, the others held fixed; with `$NAME` in the
/// template all of them together.
template <typename Visit>
static void forEachSequence(llvm::ArrayRef<Fit> fits, unsigned p,
                            const Placeholders &placeholders, bool hasText,
                            const Visit &visit) {
  std::map<std::string, std::vector<const Fit *>> sequences;
  for (const Fit &fit : fits) {
    std::string key;
    for (unsigned q = 0; q < fit.values.size() && !hasText; ++q)
      if (q != p)
        key += canonicalId(fit.values[q]).str() + ".";
    sequences[key].push_back(&fit);
  }
  for (auto &[key, sequence] : sequences) {
    if (hasText) {
      auto less = [p](const Fit *a, const Fit *b) {
        int order = compareIds(a->values[p], b->values[p]);
        return order != 0 ? order < 0 : a->name < b->name;
      };
      llvm::sort(sequence, less);
    }
    visit(llvm::ArrayRef<const Fit *>(sequence));
  }
  (void)placeholders;
}

static std::vector<llvm::StringRef> idsOf(llvm::ArrayRef<const Fit *> sequence,
                                          unsigned p) {
  std::vector<llvm::StringRef> ids;
  for (const Fit *fit : sequence)
    ids.push_back(fit->values[p]);
  return ids;
}

/// All numbers of an `in` range must be there.
bool TemplateExpansion::checkRanges() {
  if (clauses.isEmpty() || statement.isOptional)
    return true;
  bool isComplete = true;
  for (unsigned p = 0; p < placeholders.size() && isComplete; ++p)
    forEachSequence(
        fits, p, placeholders, hasText,
        [&](llvm::ArrayRef<const Fit *> sequence) {
          if (!isComplete)
            return;
          std::optional<Clauses::Missing> missing =
              clauses.missingId(p, idsOf(sequence, p));
          if (!missing)
            return;
          isComplete = false;
          Fit witness = *sequence.front();
          witness.values[p] = std::to_string(missing->id);
          expander.report(
              diag::MissingInstance, statement, missing->clause->range,
              "there is no " + quoted(exampleOf(*patterns.front(), witness)) +
                  ", and the clause says " + shown(p) + " in " +
                  ast::printValue(*missing->clause->first) + ".." +
                  ast::printValue(*missing->clause->last));
        });
  return isComplete;
}

/// Looks for gaps in the ids of each placeholder.
void TemplateExpansion::reportGaps() {
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    // What a clause says is no gap.
    if (!placeholders[p].isNumber() || clauses.isRestricted(p))
      continue;
    const Fit *before = nullptr, *after = nullptr;
    std::optional<IdGap> first;
    uint64_t numMissing = 0;
    forEachSequence(fits, p, placeholders, hasText,
                    [&](llvm::ArrayRef<const Fit *> sequence) {
                      std::optional<IdGap> gap = findIdGap(idsOf(sequence, p));
                      if (!gap)
                        return;
                      numMissing += gap->numMissing;
                      if (first)
                        return;
                      first = gap;
                      before = sequence[gap->before - 1];
                      after = sequence[gap->before];
                    });
    if (!first)
      continue;
    Fit witness = *before;
    witness.values[p] = std::to_string(first->missing);
    std::string more =
        numMissing > 1 ? " (and " + std::to_string(numMissing - 1) + " more)"
                       : "";
    error(diag::IdGap, *patterns.front()->name,
          quoted(exampleOf(*patterns.front(), witness)) + " is missing" + more +
              " between " + quoted(before->name) + " and " +
              quoted(after->name));
    return;
  }
}

/// Whether the text of a name, read again as a bare name, would be something
/// else.
static bool needsQuotes(llvm::StringRef text) {
  return text.find_first_of("$*") != llvm::StringRef::npos ||
         text.starts_with("%") || !ast::isBareName(text, ast::Dialect::Aoa) ||
         text == "_" || isWordOfTheLanguage(text);
}

std::optional<ast::Name>
TemplateExpansion::filled(const Operand &operand,
                          llvm::ArrayRef<std::string> values, const Fit &fit) {
  ast::Name name = *operand.name;
  if (!operand.isTemplate)
    return name;
  llvm::SmallVector<llvm::StringRef, 2> idNames, ids;
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    idNames.push_back(placeholders[p].name);
    ids.push_back(values[p]);
  }
  InstanceScope instanceScope(expander.inputs.parameters, idNames, ids);
  bool failed = false;
  auto valueOf = [&](const Part &part) -> std::string {
    std::optional<std::string> text =
        part.kind == Part::Shifted
            ? shiftedId(values[part.placeholder], part.shift)
            : textOfExpr(expander, statement, *part.expr, instanceScope);
    failed |= !text;
    if (!text && part.kind == Part::Shifted)
      error(diag::NegativeId, name,
            "`${" + part.text.str() + "}` is beyond 18 digits for " +
                quoted(fit.name));
    if (!text)
      return "";
    if (llvm::StringRef(*text).starts_with("-")) {
      failed = true;
      error(diag::NegativeId, name,
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
    error(diag::AmbiguousMatch, name,
          quoted(textOf(operand)) + " is empty for " + quoted(fit.name));
    return std::nullopt;
  }
  bool isTemporary = expander.temporaryNames.isTemporary(*operand.name);
  if (!operand.shape.hasText() && !operand.shape.hasExpression())
    return name;
  if (!isTemporary && expander.temporaryNames.isTemporary(name.text)) {
    error(diag::ReadsAsTemporary, name,
          quoted(name.text) + ", which " + quoted(textOf(operand)) +
              " is for " + quoted(fit.name) + ", reads as a temporary");
    return std::nullopt;
  }
  if (operand.shape.hasStar()) {
    // The star is matched later, among the characters of the values.
    if (llvm::StringRef(name.text).count('*') != 1 ||
        llvm::StringRef(name.text).contains('$')) {
      error(diag::SeveralStars, name,
            quoted(textOf(operand)) + " has a `*`, and so has a value of " +
                quoted(fit.name) + " at its placeholders");
      return std::nullopt;
    }
    return name;
  }
  name.quoted |= !isTemporary && needsQuotes(name.text);
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
      std::optional<ast::Name> name = filled(operand, values, fit);
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
                       InstanceScope(expander.inputs.parameters, idNames, ids)))
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
  for (const Fit &fit : fits)
    if (!instantiate(fit, out))
      return;
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

} // namespace

void expandIdTemplate(Expander &expander, const ast::Statement &statement,
                      Statements &out) {
  TemplateExpansion(expander, statement).run(out);
}

} // namespace aoa::expand
