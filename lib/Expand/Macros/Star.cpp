//===- Star.cpp - All names with a number in this place ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `e.*.w` is all names that have digits for the `*`, in order of the numbers:
// on the left names that exist, on the right names that the target lists (in
// the aoa dialect names that exist if none of those fits).
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "IdGap.h"
#include "NameTemplate.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {
namespace {

struct Fit {
  llvm::StringRef number, name;
};

bool hasStar(const ast::Name &name) {
  return !name.quoted && llvm::StringRef(name.text).contains('*');
}

NameTemplate shapeOf(const ast::Name &name) {
  auto [before, after] = llvm::StringRef(name.text).split('*');
  NameTemplate shape;
  if (!before.empty())
    shape.parts.push_back({NameTemplate::Part::Literal, before});
  shape.parts.push_back({NameTemplate::Part::Star, {}});
  if (!after.empty())
    shape.parts.push_back({NameTemplate::Part::Literal, after});
  return shape;
}

std::vector<Fit> fitsIn(const NameIndex &names, const NameTemplate &shape) {
  std::vector<Fit> fits;
  llvm::StringRef number;
  for (llvm::StringRef name : names.withSignature(shape.signature()))
    if (shape.match(name, {}, &number))
      fits.push_back({number, name});
  llvm::sort(fits, [](const Fit &a, const Fit &b) {
    int order = compareIds(a.number, b.number);
    return order < 0 || (order == 0 && a.name < b.name);
  });
  return fits;
}

class StarExpansion {
public:
  StarExpansion(Expander &expander, ast::Statement &statement)
      : expander(expander), statement(statement) {}

  bool expandSide(llvm::SmallVectorImpl<ast::Name> &names, bool isRight,
                  unsigned &firstLate);

private:
  bool find(const ast::Name &name, bool isRight, bool mayBeMissing,
            std::vector<Fit> &fits);
  bool checkNumbers(const ast::Name &name, llvm::ArrayRef<Fit> fits);
  bool error(const DiagnosticKind &kind, const ast::Name &name,
             std::string message) {
    expander.report(kind, statement, name.range, std::move(message));
    return false;
  }

  Expander &expander;
  ast::Statement &statement;
};

bool StarExpansion::find(const ast::Name &name, bool isRight, bool mayBeMissing,
                         std::vector<Fit> &fits) {
  if (llvm::StringRef(name.text).count('*') > 1)
    return error(diag::SeveralStars, name,
                 quoted(name.text) + " has more than one `*`");
  if (expander.isReversed())
    return error(diag::ReversedMacro, name,
                 quoted(name.text) +
                     " in a reversed script: upstream looks for left names "
                     "among the tensors that the right ones stand for; write "
                     "the names");
  bool paddle = expander.isPaddle();
  bool listed = expander.inputs.targetListsNames;
  if (isRight && paddle && !listed)
    return error(diag::StarWithoutMatch, name,
                 quoted(name.text) + " stands for names that the target lists, "
                                     "and this target lists none");
  if (!isRight && paddle && name.transposed)
    return error(diag::StarWithoutMatch, name,
                 "`*` and `^T` in one name, " + quoted(name.text + "^T") +
                     ", fit nothing in the paddle dialect");

  NameTemplate shape = shapeOf(name);
  if (isRight && listed)
    fits = fitsIn(expander.targetNames, shape);
  if (!isRight || (fits.empty() && !paddle))
    fits = fitsIn(expander.liveNames, shape);
  if (!fits.empty() || mayBeMissing)
    return true;
  const NameIndex &names =
      isRight && listed ? expander.targetNames : expander.liveNames;
  llvm::StringRef nearest = names.nearest(shape.signature());
  return error(
      diag::StarWithoutMatch, name,
      quoted(name.text) + " fits no name" +
          (nearest.empty() ? "" : "; the nearest is " + quoted(nearest)));
}

bool StarExpansion::checkNumbers(const ast::Name &name,
                                 llvm::ArrayRef<Fit> fits) {
  for (size_t i = 1; i < fits.size(); ++i)
    if (compareIds(fits[i - 1].number, fits[i].number) == 0)
      return error(
          diag::IdSpelling, name,
          "number " + canonicalId(fits[i].number).str() +
              " at the `*` is spelt in two ways: " + quoted(fits[i - 1].name) +
              " and " + quoted(fits[i].name));
  std::vector<llvm::StringRef> numbers;
  for (const Fit &fit : fits)
    numbers.push_back(fit.number);
  if (std::optional<IdGap> gap = findIdGap(numbers)) {
    auto [before, after] = llvm::StringRef(name.text).split('*');
    std::string more =
        gap->numMissing > 1
            ? " (and " + std::to_string(gap->numMissing - 1) + " more)"
            : "";
    error(diag::IdGap, name,
          quoted(before.str() + std::to_string(gap->missing) + after.str()) +
              " is missing" + more + " between " +
              quoted(fits[gap->before - 1].name) + " and " +
              quoted(fits[gap->before].name));
  }
  return true;
}

bool StarExpansion::expandSide(llvm::SmallVectorImpl<ast::Name> &names,
                               bool isRight, unsigned &firstLate) {
  llvm::SmallVector<ast::Name, 2> expanded;
  for (size_t i = 0; i < names.size(); ++i) {
    if (isRight && firstLate == i)
      firstLate = expanded.size();
    const ast::Name &name = names[i];
    if (!hasStar(name)) {
      expanded.push_back(name);
      continue;
    }
    std::vector<Fit> fits;
    bool mayBeMissing = name.maybe || (statement.isOptional && !isRight);
    if (!find(name, isRight, mayBeMissing, fits))
      return false;
    if (fits.empty() && name.maybe)
      continue;
    if (fits.empty() || (!expander.isPaddle() && !checkNumbers(name, fits)) ||
        !expander.takeNames(statement, fits.size()))
      return false;
    statement.expansion = expander.result.addExpansion(
        {statement.expansion, "*", name.range,
         quoted(name.text) + " is " + std::to_string(fits.size()) +
             (fits.size() == 1 ? " name" : " names")});
    for (const Fit &fit : fits) {
      if (!expander.takeText(statement, fit.name))
        return false;
      expanded.push_back(name);
      expanded.back().text = fit.name.str();
    }
  }
  names = std::move(expanded);
  return true;
}

} // namespace

void expandStar(Expander &expander, ast::Statement statement, Statements &out) {
  if (llvm::any_of(statement.left, hasStar) ||
      llvm::any_of(statement.right, hasStar)) {
    StarExpansion expansion(expander, statement);
    unsigned firstLate = statement.firstLateName;
    if (!expansion.expandSide(statement.left, false, firstLate) ||
        !expansion.expandSide(statement.right, true, firstLate))
      return;
    statement.firstLateName = firstLate;
  }
  out.push_back(std::move(statement));
}

} // namespace aoa::expand
