//===- IdTemplate.cpp - One statement for each set of ids -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "IdTemplate.h"

#include "IdGap.h"
#include "Placeholders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace aoa::expand {
namespace {

/// A name of the statement; of an array, one of its names.
struct Operand {
  const ast::Name *name;
  bool isTemplate; ///< False: copied as it is.
  NameTemplate shape;
};

/// A name that fits a template. ids[p] is empty for placeholders that the
/// template lacks.
struct Fit {
  llvm::SmallVector<llvm::StringRef, 2> ids;
  llvm::StringRef name;
};

class TemplateExpansion {
public:
  TemplateExpansion(Expander &expander, const ast::Statement &statement)
      : expander(expander), statement(statement) {}

  void run(Statements &out);

private:
  bool parse();
  bool parseSide(llvm::ArrayRef<ast::Name> names, std::vector<Operand> &side);
  bool checkPlaceholders();
  bool choosePattern();
  std::vector<Fit> fitsOf(const Operand &operand);
  bool checkSpelling(llvm::ArrayRef<Fit> fits);
  bool checkSameIds(const Operand &other);
  void reportGaps();
  void instantiate(Statements &out);
  void reportNoFit(const Operand &operand);
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
    return "`$" + placeholders[placeholder].str() + "`";
  }
  static std::string textOf(const Operand &operand) {
    return operand.name->text + operand.shape.suffix;
  }

  Expander &expander;
  const ast::Statement &statement;
  PlaceholderNames placeholders;
  std::vector<Operand> left, right;

  /// The side whose names are matched: the left one unless it is `_`.
  std::vector<Operand> *patternSide = nullptr;
  const NameIndex *names = nullptr;
  const Operand *pattern = nullptr; ///< Has all placeholders.
  std::vector<Fit> fits;            ///< Of `pattern`, by ids.
  /// For each placeholder: canonical id, and a fit that spells it.
  std::vector<llvm::StringMap<std::pair<llvm::StringRef, llvm::StringRef>>>
      spellings;
};

bool TemplateExpansion::parseSide(llvm::ArrayRef<ast::Name> names,
                                  std::vector<Operand> &side) {
  for (const ast::Name &name : names) {
    if (!mayBeTemplate(name)) {
      side.push_back({&name, false, {}});
      continue;
    }
    if (llvm::StringRef unknown = unknownPlaceholder(name.text);
        !unknown.empty())
      return error(diag::UnknownPlaceholder, name,
                   "placeholder " + quoted(unknown) +
                       " is not supported yet: placeholders for numbers end "
                       "in `_ID`");
    NameTemplate shape =
        parseTemplate(name.text, PlaceholderRule::Aoa, placeholders);
    bool isTemplate = llvm::any_of(shape.parts, [](const auto &part) {
      return part.kind == NameTemplate::Part::Placeholder;
    });
    if (!isTemplate || !name.array) {
      side.push_back({&name, isTemplate, std::move(shape)});
      continue;
    }
    // `_3` behind a placeholder would read as a part of it, so the names of an
    // array come apart here and not by the array macro.
    const ast::ArrayRange &range = *name.array;
    if (range.begin >= range.end)
      return error(diag::EmptyArray, name,
                   "`[" + std::to_string(range.begin) + ":" +
                       std::to_string(range.end) + "]` stands for no names");
    if (!expander.takeNames(statement, uint64_t(range.end) - range.begin))
      return false;
    for (int64_t i = range.begin; i < range.end; ++i) {
      side.push_back({&name, true, shape});
      side.back().shape.suffix = "_" + std::to_string(i);
    }
  }
  return true;
}

bool TemplateExpansion::parse() {
  return parseSide(statement.left, left) && parseSide(statement.right, right);
}

static bool isDiscard(const Operand &operand) {
  return operand.name->isDiscard();
}

/// A placeholder on one side only would bind one name many times (`*` gathers),
/// or has nothing to take ids from. `_` is no side.
bool TemplateExpansion::checkPlaceholders() {
  bool addsOnly = llvm::all_of(left, isDiscard);
  patternSide = addsOnly ? &right : &left;
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    auto has = [p](const Operand &operand) {
      return operand.isTemplate && operand.shape.has(p);
    };
    auto giver = llvm::find_if(*patternSide, has);
    if (giver == patternSide->end()) {
      const Operand &taker = *llvm::find_if(right, has);
      return error(diag::MissingPlaceholder, *taker.name,
                   shown(p) + " stands on the right only: no left name says "
                              "which ids there are");
    }
    for (const Operand &operand : right)
      if (!isDiscard(operand) && !has(operand))
        return error(diag::MissingPlaceholder, *operand.name,
                     quoted(textOf(operand)) + " lacks " + shown(p) + " of " +
                         quoted(textOf(*giver)) +
                         ", so each id would bind it anew; `*` gathers names");
  }
  return true;
}

bool TemplateExpansion::choosePattern() {
  for (const Operand &operand : *patternSide)
    if (operand.isTemplate &&
        llvm::all_of(llvm::seq<unsigned>(0, placeholders.size()),
                     [&](unsigned p) { return operand.shape.has(p); })) {
      pattern = &operand;
      break;
    }
  if (!pattern) {
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
    return error(diag::UnmatchedTemplate, *pattern->name,
                 quoted(textOf(*pattern)) +
                     " takes its ids from the names that the target lists, and "
                     "this target lists none");
  names = &expander.targetNames;
  return true;
}

static bool idsLess(const Fit &a, const Fit &b) {
  for (size_t p = 0; p < a.ids.size(); ++p)
    if (int order = compareIds(a.ids[p], b.ids[p]))
      return order < 0;
  return false;
}

/// Returns the names that fit `operand`, sorted by ids; with a star one of
/// those that differ only there.
std::vector<Fit> TemplateExpansion::fitsOf(const Operand &operand) {
  std::vector<Fit> found;
  llvm::SmallVector<llvm::StringRef, 2> ids(placeholders.size());
  for (llvm::StringRef name : names->withSignature(operand.shape.signature()))
    if (operand.shape.match(name, ids))
      found.push_back({ids, name});
  llvm::sort(found, [](const Fit &a, const Fit &b) {
    return idsLess(a, b) || (!idsLess(b, a) && a.name < b.name);
  });
  return found;
}

/// Records how ids are spelt. Right names take the spelling of the left ones,
/// so there must be one.
bool TemplateExpansion::checkSpelling(llvm::ArrayRef<Fit> fitsOfOne) {
  spellings.resize(placeholders.size());
  for (const Fit &fit : fitsOfOne)
    for (unsigned p = 0; p < placeholders.size(); ++p) {
      if (fit.ids[p].empty())
        continue;
      auto [known, isNew] = spellings[p].try_emplace(canonicalId(fit.ids[p]),
                                                     fit.ids[p], fit.name);
      if (known->second.first != fit.ids[p])
        return error(
            diag::IdSpelling, *pattern->name,
            "id " + known->first().str() + " of " + shown(p) +
                " is spelt in two ways: " + quoted(known->second.second) +
                " and " + quoted(fit.name));
    }
  return true;
}

static std::string idKey(llvm::ArrayRef<llvm::StringRef> ids,
                         const NameTemplate &shape) {
  std::string key;
  for (unsigned p = 0; p < ids.size(); ++p)
    if (shape.has(p))
      key += canonicalId(ids[p]).str() + ".";
  return key;
}

static std::vector<std::string> texts(llvm::ArrayRef<llvm::StringRef> ids) {
  std::vector<std::string> result;
  for (llvm::StringRef id : ids)
    result.push_back(id.str());
  return result;
}

/// Checks that `other` exists for the ids of the pattern, and for no others.
bool TemplateExpansion::checkSameIds(const Operand &other) {
  std::vector<Fit> otherFits = fitsOf(other);
  if (!checkSpelling(otherFits))
    return false;
  llvm::StringMap<const Fit *> missing;
  for (const Fit &fit : otherFits)
    missing.try_emplace(idKey(fit.ids, other.shape), &fit);
  llvm::StringMap<bool> wanted;
  for (const Fit &fit : fits) {
    std::string key = idKey(fit.ids, other.shape);
    if (!wanted.try_emplace(key, true).second)
      continue;
    if (!missing.erase(key))
      return error(diag::MissingInstance, *other.name,
                   "there is " + quoted(fit.name) + " but no " +
                       quoted(other.shape.fill(texts(fit.ids))) +
                       (otherFits.empty() ? nearestHint(other, fit.name) : ""));
  }
  for (const Fit &fit : otherFits) {
    if (!missing.contains(idKey(fit.ids, other.shape)))
      continue;
    // Ids that `other` lacks are left open in the name.
    std::vector<std::string> ids = texts(fit.ids);
    for (unsigned p = 0; p < ids.size(); ++p)
      if (ids[p].empty())
        ids[p] = "$" + placeholders[p].str();
    return error(diag::MissingInstance, *pattern->name,
                 "there is " + quoted(fit.name) + " but no " +
                     quoted(pattern->shape.fill(ids)));
  }
  return true;
}

void TemplateExpansion::reportNoFit(const Operand &operand) {
  error(diag::UnmatchedTemplate, *operand.name,
        quoted(textOf(operand)) + " fits no name" + nearestHint(operand));
}

std::string TemplateExpansion::nearestHint(const Operand &operand,
                                           llvm::StringRef known) const {
  llvm::StringRef nearest = names->nearest(operand.shape.signature());
  return nearest.empty() || nearest == known
             ? ""
             : "; the nearest is " + quoted(nearest);
}

/// Looks for gaps in the ids of each placeholder, the others held fixed.
void TemplateExpansion::reportGaps() {
  for (unsigned p = 0; p < placeholders.size(); ++p) {
    std::map<std::string, std::vector<const Fit *>> sequences;
    for (const Fit &fit : fits) {
      std::string key;
      for (unsigned q = 0; q < fit.ids.size(); ++q)
        if (q != p)
          key += canonicalId(fit.ids[q]).str() + ".";
      sequences[key].push_back(&fit);
    }
    const Fit *before = nullptr, *after = nullptr;
    std::optional<IdGap> first;
    uint64_t numMissing = 0;
    for (const auto &[key, sequence] : sequences) {
      std::vector<llvm::StringRef> ids;
      for (const Fit *fit : sequence)
        ids.push_back(fit->ids[p]);
      std::optional<IdGap> gap = findIdGap(ids);
      if (!gap)
        continue;
      numMissing += gap->numMissing;
      if (first)
        continue;
      first = gap;
      before = sequence[gap->before - 1];
      after = sequence[gap->before];
    }
    if (!first)
      continue;
    std::vector<std::string> ids = texts(before->ids);
    ids[p] = std::to_string(first->missing);
    std::string more =
        numMissing > 1 ? " (and " + std::to_string(numMissing - 1) + " more)"
                       : "";
    error(diag::IdGap, *pattern->name,
          quoted(pattern->shape.fill(ids)) + " is missing" + more +
              " between " + quoted(before->name) + " and " +
              quoted(after->name));
    return;
  }
}

void TemplateExpansion::instantiate(Statements &out) {
  if (!expander.takeStatements(statement, fits.size() - 1) ||
      !expander.takeNames(statement,
                          fits.size() * (left.size() + right.size())))
    return;
  out.reserve(out.size() + fits.size());
  std::string macro = "$" + placeholders.front().str();
  for (const Fit &fit : fits) {
    std::vector<std::string> leftIds = texts(fit.ids);
    std::vector<std::string> rightIds = leftIds;
    std::string detail;
    for (unsigned p = 0; p < placeholders.size(); ++p) {
      detail += (p ? ", $" : "$") + placeholders[p].str() + " = " + leftIds[p];
      if (placeholders[p] != layerIdOffset)
        continue;
      std::optional<std::string> previous = previousId(leftIds[p]);
      if (!previous) {
        error(diag::NegativeId, *pattern->name,
              shown(p) + " is one less on the right, and " + quoted(fit.name) +
                  " has id 0");
        return;
      }
      rightIds[p] = *previous;
    }
    ast::Statement instance = makeStatement(
        statement,
        expander.result.addExpansion(
            {statement.expansion, macro, pattern->name->range, detail}));
    instance.tags = statement.tags;
    instance.attributes = statement.attributes;
    auto fill = [&](const std::vector<Operand> &side,
                    const std::vector<std::string> &ids,
                    llvm::SmallVectorImpl<ast::Name> &instanceNames) {
      instanceNames.reserve(side.size());
      for (const Operand &operand : side) {
        ast::Name &name = instanceNames.emplace_back(*operand.name);
        if (!operand.isTemplate)
          continue;
        name.text = operand.shape.fill(ids);
        name.array.reset();
      }
    };
    // `_ -> l.$LAYER_ID_OFFSET.w` has ids on the right only: they are its own.
    fill(left, leftIds, instance.left);
    fill(right, patternSide == &right ? leftIds : rightIds, instance.right);
    if (statement.firstLateName < statement.right.size())
      instance.firstLateName =
          llvm::count_if(right, [&](const Operand &operand) {
            return operand.name < &statement.right[statement.firstLateName];
          });
    out.push_back(std::move(instance));
  }
}

void TemplateExpansion::run(Statements &out) {
  if (!parse())
    return;
  if (placeholders.empty()) {
    out.push_back(statement);
    return;
  }
  if (!checkPlaceholders() || !choosePattern())
    return;
  fits = fitsOf(*pattern);
  if (fits.empty())
    return reportNoFit(*pattern);
  if (!checkSpelling(fits))
    return;
  // Names that differ in a star only make one statement.
  fits.erase(std::unique(fits.begin(), fits.end(),
                         [](const Fit &a, const Fit &b) {
                           return !idsLess(a, b) && !idsLess(b, a);
                         }),
             fits.end());
  for (const Operand &operand : *patternSide)
    if (operand.isTemplate && &operand != pattern && !checkSameIds(operand))
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
