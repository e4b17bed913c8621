//===- TemplateIds.cpp - Sequences of the ids of a template --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TemplateExpansion.h"

#include "IdGap.h"

#include <map>

namespace aoa::expand {

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
static void forEachSequence(llvm::ArrayRef<Fit> fits, unsigned p, bool hasText,
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
        fits, p, hasText, [&](llvm::ArrayRef<const Fit *> sequence) {
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
    forEachSequence(fits, p, hasText,
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

} // namespace aoa::expand
