//===- MatchText.cpp - `$NAME` and `$$NAME` against a name ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "MatchText.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>

namespace aoa::expand {
namespace {

using Part = NameTemplate::Part;

/// Fills the template from left to right; what it has written so far is always
/// name[0, at).
class Search {
public:
  Search(const NameTemplate &shape, llvm::StringRef name,
         const MatchRules &rules, uint64_t &steps)
      : shape(shape), name(name), rules(rules), steps(steps),
        lengths(rules.numPlaceholders), values(rules.numPlaceholders) {
    llvm::SmallVector<bool, 2> seen(rules.numPlaceholders, false);
    for (const Part &part : shape.parts)
      if (part.kind != Part::Literal && part.kind != Part::Star)
        hasRepeats |= std::exchange(seen[part.placeholder], true);
  }

  /// Finds up to `wanted` ways.
  void run(size_t wanted) {
    found.clear();
    dead.clear();
    numWanted = wanted;
    go({0, 0, false, false});
  }

  /// Holds a placeholder's value at this length, whatever it is if none.
  std::optional<size_t> &length(unsigned placeholder) {
    return lengths[placeholder];
  }
  llvm::SmallVector<Values, 2> found;

private:
  struct State {
    size_t part, at;
    bool endsWithDot; ///< name[at - 1] is a dot of the template.
    bool skipsDot;    ///< The next literal leaves its first dot out.
  };

  bool isDone() const { return found.size() == numWanted || steps == 0; }
  void go(const State &state);
  void goLiteral(const State &state);
  void goDigits(const State &state);
  void goText(const State &state);
  /// Goes on to `next` with `value` for the placeholder of part `part`.
  void take(size_t part, llvm::StringRef value, const State &next);
  bool isRest(size_t part) const {
    return part < shape.parts.size() && shape.parts[part].kind == Part::Rest;
  }
  /// The literal of part `part` as far as it must be in the name.
  std::optional<llvm::StringRef> certainLiteral(size_t part) const;

  const NameTemplate &shape;
  llvm::StringRef name;
  const MatchRules &rules;
  uint64_t &steps;
  llvm::SmallVector<std::optional<size_t>, 2> lengths;
  /// Pieces of `name`, or of `shifted`.
  llvm::SmallVector<std::optional<llvm::StringRef>, 2> values;
  std::deque<std::string> shifted;
  bool hasRepeats = false;
  size_t numWanted = 1;
  llvm::DenseSet<uint64_t> dead; ///< States that no way leads on from.
};

void Search::go(const State &state) {
  if (isDone())
    return;
  --steps;
  if (state.part == shape.parts.size()) {
    if (name.drop_front(state.at) != llvm::StringRef(shape.suffix))
      return;
    Values &way = found.emplace_back();
    for (const std::optional<llvm::StringRef> &value : values)
      way.push_back(value.value_or("").str());
    return;
  }
  uint64_t key = (state.part * (name.size() + 1) + state.at) * 4 +
                 state.endsWithDot * 2 + state.skipsDot;
  if (!hasRepeats && dead.contains(key))
    return;
  const size_t before = found.size();
  switch (shape.parts[state.part].kind) {
  case Part::Literal:
    goLiteral(state);
    break;
  case Part::Placeholder:
  case Part::Shifted:
  case Part::Star:
    goDigits(state);
    break;
  case Part::Word:
  case Part::Rest:
    goText(state);
    break;
  case Part::Expression:
    break;
  }
  // Values bound on the way here bear on what follows only if they repeat.
  if (!hasRepeats && found.size() == before && steps > 0)
    dead.insert(key);
}

void Search::goLiteral(const State &state) {
  llvm::StringRef text =
      shape.parts[state.part].text.drop_front(state.skipsDot);
  llvm::StringRef rest = name.drop_front(state.at);
  bool endsWithDot = text.empty() ? state.endsWithDot : text.ends_with(".");
  // `a.` in front of a `$$B` that stands for nothing is `a`.
  if (!text.empty() && endsWithDot && isRest(state.part + 1) &&
      rest.starts_with(text.drop_back()))
    take(state.part + 1, "",
         {state.part + 2, state.at + text.size() - 1, false, false});
  if (rest.starts_with(text))
    go({state.part + 1, state.at + text.size(), endsWithDot, false});
}

void Search::goDigits(const State &state) {
  const Part &part = shape.parts[state.part];
  llvm::StringRef digits = name.drop_front(state.at).take_while(llvm::isDigit);
  // Digits that follow the placeholder in the template are not the id's.
  llvm::StringRef behind = shape.suffix;
  if (state.part + 1 < shape.parts.size()) {
    const Part &next = shape.parts[state.part + 1];
    behind = next.kind == Part::Literal ? next.text : llvm::StringRef();
  }
  digits.consume_back(behind.take_while(llvm::isDigit));
  if (digits.empty())
    return;
  State next{state.part + 1, state.at + digits.size(), false, false};
  if (part.kind == Part::Star)
    return go(next);
  if (part.kind == Part::Placeholder)
    return take(state.part, digits, next);
  if (std::optional<std::string> id = shiftedId(digits, inverse(part.shift))) {
    shifted.push_back(std::move(*id));
    take(state.part, shifted.back(), next);
    shifted.pop_back();
  }
}

std::optional<llvm::StringRef> Search::certainLiteral(size_t part) const {
  if (part == shape.parts.size())
    return llvm::StringRef(shape.suffix);
  if (shape.parts[part].kind != Part::Literal)
    return std::nullopt;
  llvm::StringRef text = shape.parts[part].text;
  if (isRest(part + 1))
    text.consume_back(".");
  return text;
}

void Search::goText(const State &state) {
  const Part &part = shape.parts[state.part];
  size_t behind = state.part + 1;
  if (part.kind == Part::Rest && !state.endsWithDot) {
    bool hasDotBehind = behind < shape.parts.size() &&
                        shape.parts[behind].kind == Part::Literal &&
                        shape.parts[behind].text.starts_with(".");
    take(state.part, "", {behind, state.at, false, hasDotBehind});
  }
  size_t last = name.size();
  if (part.kind == Part::Word)
    last = std::min(name.find('.', state.at), name.size());
  auto takeUntil = [&](size_t end) {
    take(state.part, name.slice(state.at, end), {behind, end, false, false});
  };
  std::optional<llvm::StringRef> literal = certainLiteral(behind);
  // What the last literal of all leaves is one way only.
  bool isTail = literal && behind + 1 >= shape.parts.size();
  if (isTail) {
    size_t tail = literal->size() +
                  (behind < shape.parts.size() ? shape.suffix.size() : 0);
    if (name.size() >= tail && name.size() - tail > state.at &&
        name.size() - tail <= last)
      takeUntil(name.size() - tail);
    return;
  }
  for (size_t end = state.at + 1; end <= last && !isDone(); ++end) {
    if (literal) {
      end = name.find(*literal, end);
      if (end > last) // Also npos.
        return;
    }
    takeUntil(end);
  }
}

void Search::take(size_t part, llvm::StringRef value, const State &next) {
  if (isDone())
    return;
  --steps;
  unsigned placeholder = shape.parts[part].placeholder;
  if ((lengths[placeholder] && *lengths[placeholder] != value.size()) ||
      !rules.admits(placeholder, value))
    return;
  std::optional<llvm::StringRef> &known = values[placeholder];
  if (known) {
    steps -= std::min<uint64_t>(steps, value.size() / 64);
    if (*known == value)
      go(next);
    return;
  }
  known = value;
  go(next);
  known.reset();
}

} // namespace

TextMatch matchText(const NameTemplate &shape, llvm::StringRef name,
                    const MatchRules &rules, uint64_t &steps) {
  Search search(shape, name, rules, steps);
  search.run(2);
  TextMatch match;
  auto finish = [&] {
    match.ways = steps == 0                 ? TextMatch::TooCostly
                 : search.found.size() == 2 ? TextMatch::Several
                 : search.found.size() == 1 ? TextMatch::One
                                            : TextMatch::None;
    if (!search.found.empty())
      match.first = search.found.front();
    if (search.found.size() == 2)
      match.second = search.found.back();
    return match;
  };
  for (const MatchRules::Preference &preference : rules.preferences) {
    if (search.found.size() < 2 || !shape.has(preference.placeholder))
      continue;
    for (size_t i = 0; i <= name.size() && steps > 0; ++i) {
      search.length(preference.placeholder) =
          preference.longest ? name.size() - i : i;
      search.run(2);
      if (!search.found.empty())
        break;
    }
  }
  return finish();
}

} // namespace aoa::expand
