//===- Clauses.cpp - Which texts a placeholder stands for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Clauses.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace aoa::expand {

/// Whether `pattern`, whose `*` stand for any characters, fits the whole of
/// `text`. Cost: the product of their lengths at most.
static bool fitsPiece(llvm::StringRef pattern, llvm::StringRef text) {
  size_t p = 0, t = 0;
  size_t star = llvm::StringRef::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != llvm::StringRef::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.drop_front(p).find_first_not_of('*') == llvm::StringRef::npos;
}

static std::optional<int64_t> numberOf(llvm::StringRef text) {
  int64_t number = 0;
  bool isNumber =
      !text.empty() && (llvm::isDigit(text.front()) || text.front() == '-');
  if (!isNumber || text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// More layers or experts than any model has.
static constexpr int64_t maxIds = 1'000'000;

bool Clauses::resolve(const Placeholders &placeholders) {
  for (const ast::Clause &clause : statement.clauses) {
    auto error = [&](SourceRange range, std::string message) {
      expander.report(diag::ClauseFault, statement, range, std::move(message));
      return false;
    };
    std::optional<Placeholder> wanted = placeholderOf(clause.placeholder);
    const auto *found =
        wanted ? llvm::find(placeholders, *wanted) : placeholders.end();
    if (found == placeholders.end()) {
      std::vector<std::string> known;
      for (const Placeholder &placeholder : placeholders)
        known.push_back(placeholder.text());
      return error(clause.range,
                   quoted(clause.placeholder) +
                       " stands in no name of the statement" +
                       nearestName(clause.placeholder, known).hint());
    }
    unsigned number = found - placeholders.begin();
    bool isChoice = clause.kind == ast::Clause::Kind::Shortest ||
                    clause.kind == ast::Clause::Kind::Longest;
    if (isChoice) {
      if (found->isNumber())
        return error(clause.range, quoted(clause.placeholder) +
                                       " stands for a number, which fits in "
                                       "one way only");
      preferred.push_back({number, clause.kind == ast::Clause::Kind::Longest});
      continue;
    }
    Resolved made{&clause, number, found->isNumber(), {}, {}};
    if (clause.first && clause.last) {
      made.first = std::get<int64_t>(clause.first->data);
      made.last = std::get<int64_t>(clause.last->data);
      std::string range = "the range " + std::to_string(*made.first) + ".." +
                          std::to_string(*made.last);
      if (*made.first < 0 || *made.first > *made.last)
        return error(clause.range, range + " holds no ids");
      if (*made.last - *made.first >= maxIds)
        return error(clause.range, range + " holds more than " +
                                       std::to_string(maxIds) + " ids");
    }
    resolved.push_back(made);
  }
  return true;
}

bool Clauses::isRestricted(unsigned placeholder) const {
  return llvm::any_of(resolved, [&](const Resolved &one) {
    return one.placeholder == placeholder;
  });
}

bool Clauses::isMember(const Resolved &one, llvm::StringRef text) const {
  if (one.first) {
    std::optional<int64_t> number = numberOf(text);
    return number && *number >= *one.first && *number <= *one.last;
  }
  return llvm::any_of(one.clause->set, [&](const std::string &piece) {
    // Ids compare as numbers.
    std::optional<int64_t> id = one.isNumber ? numberOf(piece) : std::nullopt;
    return id ? numberOf(text) == id : fitsPiece(piece, text);
  });
}

bool Clauses::admits(unsigned placeholder, llvm::StringRef text) const {
  return llvm::all_of(resolved, [&](const Resolved &one) {
    return one.placeholder != placeholder ||
           isMember(one, text) == (one.clause->kind == ast::Clause::Kind::In);
  });
}

std::optional<Clauses::Missing>
Clauses::missingId(unsigned placeholder,
                   llvm::ArrayRef<llvm::StringRef> ids) const {
  for (const Resolved &one : resolved) {
    bool isRange = one.first && one.clause->kind == ast::Clause::Kind::In;
    if (one.placeholder != placeholder || !isRange)
      continue;
    // Numbers that another clause takes out of the range need not be there.
    int64_t next = *one.first;
    auto missingUntil = [&](int64_t end) {
      while (next < end && expander.takeStep() &&
             !admits(placeholder, std::to_string(next)))
        ++next;
      return next < end;
    };
    for (llvm::StringRef id : ids) {
      std::optional<int64_t> number = numberOf(id);
      if (!number || *number < *one.first || *number > *one.last)
        continue;
      if (missingUntil(*number))
        return Missing{next, one.clause};
      next = *number + 1;
    }
    for (; next <= *one.last && expander.takeStep(); ++next) {
      if (admits(placeholder, std::to_string(next)))
        return Missing{next, one.clause};
      if (next == *one.last)
        break;
    }
  }
  return std::nullopt;
}

} // namespace aoa::expand
