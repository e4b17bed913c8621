//===- RestrictTemplate.cpp - A clause for what fits too much -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RestrictTemplate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::invert;

void invert::forEachCapture(
    const ast::Script &script, const ast::Statement &statement,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit) {
  for (ast::ExpansionId id = statement.expansion; !id.isNone();) {
    const ast::Expansion &step = script.expansions[id.index()];
    id = step.parent;
    // `$$A = l.0, $X = q`, as expansion says it.
    llvm::SmallVector<llvm::StringRef, 4> parts;
    llvm::StringRef(step.detail).split(parts, ", ");
    for (llvm::StringRef part : parts) {
      auto [placeholder, text] = part.split(" = ");
      if (placeholder.starts_with("$"))
        visit(placeholder, text);
    }
  }
}

void invert::noteCaptures(const ast::Script &script,
                          const ast::Statement &statement, bool isWanted,
                          CapturesOf &captures) {
  forEachCapture(script, statement,
                 [&](llvm::StringRef placeholder, llvm::StringRef text) {
                   Captures &own = captures[placeholder.str()];
                   (isWanted ? own.wanted : own.unwanted).insert(text.str());
                 });
}

namespace {

std::string commonPrefix(const std::set<std::string> &texts) {
  // The smallest and the largest text differ first.
  llvm::StringRef first = *texts.begin(), last = *texts.rbegin();
  size_t length = 0;
  while (length < std::min(first.size(), last.size()) &&
         first[length] == last[length])
    ++length;
  // A whole number, and preferably whole words between dots.
  llvm::StringRef prefix = first.take_front(length);
  if (texts.size() > 1)
    prefix = prefix.take_front(prefix.rfind('.') + 1);
  return prefix.str();
}

/// Entries of a set that hold all of `inside` and none of `outside`; none where
/// no few of them do.
std::vector<std::string> entriesFor(const std::set<std::string> &inside,
                                    const std::set<std::string> &outside) {
  std::string prefix = commonPrefix(inside);
  if (inside.size() > 1 && !prefix.empty() &&
      llvm::none_of(outside, [&](const std::string &text) {
        return llvm::StringRef(text).starts_with(prefix);
      }))
    return {prefix + "*"};
  constexpr size_t maxEntries = 4;
  bool anyShared = llvm::any_of(
      inside, [&](const std::string &text) { return outside.contains(text); });
  if (anyShared || inside.size() > maxEntries)
    return {};
  return {inside.begin(), inside.end()};
}

bool canStandInSet(const std::string &text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("._-/*").contains(c);
  });
}

} // namespace

std::vector<std::string> invert::separatingClauses(const CapturesOf &captures) {
  std::vector<std::string> clauses;
  auto add = [&](const std::string &placeholder, const char *word,
                 const std::vector<std::string> &entries) {
    if (!entries.empty() && llvm::all_of(entries, canStandInSet))
      clauses.push_back(placeholder + word + "{" + llvm::join(entries, ", ") +
                        "}");
  };
  for (const auto &[placeholder, own] : captures) {
    if (own.wanted.empty() || own.unwanted.empty())
      continue;
    add(placeholder, " in ", entriesFor(own.wanted, own.unwanted));
    add(placeholder, " not in ", entriesFor(own.unwanted, own.wanted));
  }
  llvm::sort(clauses, [](const std::string &a, const std::string &b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  return clauses;
}
