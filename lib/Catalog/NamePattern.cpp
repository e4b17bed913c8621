//===- NamePattern.cpp - Patterns over tensor names -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pattern is a flat program. `{a,b}c` is
//
//   0 Branch targets 1, 3    1 Text "a"   2 Jump 4   3 Text "b"   4 Text "c"
//
// Matching tries, at each choice (a run's length, an alternative), the
// shortest and the leftmost first, and remembers which (choice, position) have
// failed: each is tried once, which bounds the work by pattern times name.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/NamePattern.h"

#include "Identifier.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace aoa {

struct NamePattern::Element {
  enum class Kind {
    Text,    ///< `text` itself.
    AnyChar, ///< `?`
    Run,     ///< `*` and `{text*}`
    Range,   ///< `{low..high}`
    Number,  ///< `{text}`
    Branch,  ///< Goes on at one of `targets`.
    Jump,    ///< Goes on at `targets[0]`.
  };
  Kind kind;
  std::string text = {};
  int64_t low = 0, high = 0;
  /// Whether a number may start right behind a digit: only where the pattern
  /// itself puts something before it that is no run. `*{1..3}` must not see
  /// the 2 of `w12`.
  bool mayFollowDigit = false;
  std::vector<uint32_t> targets = {};
  uint32_t choice = 0; ///< Number of this choice (Run, Branch).
};

NamePattern::NamePattern() = default;
NamePattern::NamePattern(const NamePattern &) = default;
NamePattern::NamePattern(NamePattern &&) noexcept = default;
NamePattern &NamePattern::operator=(const NamePattern &) = default;
NamePattern &NamePattern::operator=(NamePattern &&) noexcept = default;
NamePattern::~NamePattern() = default;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

using Element = NamePattern::Element;
using Kind = NamePattern::Element::Kind;

/// Bounds the recursion of the matcher.
constexpr size_t maxPatternBytes = 4096;

bool isDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, isDigit);
}

/// Returns the value of a run of digits, nothing where it does not fit.
std::optional<int64_t> numberOf(std::string_view digits) {
  int64_t number = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc())
    return std::nullopt;
  return number;
}

class PatternParser {
public:
  explicit PatternParser(std::string_view text) : text(text) {}

  Expected<std::vector<Element>> run() {
    if (text.empty())
      return fail(ErrorKind::Format, "pattern is empty at byte 0");
    if (text.size() > maxPatternBytes)
      return fail(ErrorKind::Limit,
                  fmt::format("pattern has {} bytes, more than {}", text.size(),
                              maxPatternBytes));
    for (size_t at = 0; at < text.size();) {
      if (text[at] == '}')
        return wrongAt(at, "`}` without `{`");
      if (text[at] != '{') {
        addPlain(text[at++]);
        continue;
      }
      size_t close = text.find_first_of("{}", at + 1);
      if (close == std::string_view::npos)
        return wrongAt(at, "`{` without `}`");
      if (text[close] == '{')
        return wrongAt(close, "`{` inside `{ }`");
      std::string_view inside = text.substr(at + 1, close - at - 1);
      if (auto added = addBraces(inside, at); !added)
        return failWith(std::move(added));
      at = close + 1;
    }
    return std::move(elements);
  }

private:
  static std::unexpected<Error> wrongAt(size_t at, std::string_view what) {
    return fail(ErrorKind::Format, fmt::format("{} at byte {}", what, at));
  }

  /// Adds a character that stands outside braces or in an alternative.
  void addPlain(char c) {
    if (c == '*') {
      // `**` is `*`.
      if (!isRunBefore())
        elements.push_back({.kind = Kind::Run, .choice = numChoices++});
    } else if (c == '?') {
      elements.push_back({.kind = Kind::AnyChar});
    } else if (elements.size() > firstOfText &&
               elements.back().kind == Kind::Text) {
      elements.back().text += c;
    } else {
      elements.push_back({.kind = Kind::Text, .text = std::string(1, c)});
    }
  }

  bool isRunBefore() const {
    return elements.size() > firstOfText && elements.back().kind == Kind::Run &&
           elements.back().text.empty();
  }

  Expected<void> addBraces(std::string_view inside, size_t at) {
    bool mayFollowDigit =
        !elements.empty() &&
        (elements.back().kind == Kind::Text ||
         elements.back().kind == Kind::AnyChar ||
         (elements.back().kind == Kind::Jump && !groupMayEndInRun));
    if (inside.find(',') != std::string_view::npos)
      return addAlternatives(inside, at);
    if (size_t dots = inside.find(".."); dots != std::string_view::npos)
      return addRange(inside.substr(0, dots), inside.substr(dots + 2), at,
                      mayFollowDigit);
    bool isRun = inside.ends_with('*');
    std::string_view name = inside.substr(0, inside.size() - isRun);
    if (!isIdentifier(name))
      return wrongAt(at, fmt::format("`{{{}}}` is no list of alternatives "
                                     "`{{a,b}}`, no range `{{0..7}}` and no "
                                     "name `{{i}}` or `{{rest*}}`",
                                     inside));
    for (const Element &element : elements)
      if ((element.kind == Kind::Run || element.kind == Kind::Number) &&
          element.text == name)
        return wrongAt(at, fmt::format("`{}` is captured twice, again", name));
    if (isRun)
      elements.push_back({.kind = Kind::Run,
                          .text = std::string(name),
                          .choice = numChoices++});
    else
      elements.push_back({.kind = Kind::Number,
                          .text = std::string(name),
                          .mayFollowDigit = mayFollowDigit});
    firstOfText = elements.size();
    return {};
  }

  Expected<void> addRange(std::string_view low, std::string_view high,
                          size_t at, bool mayFollowDigit) {
    if (!isDigits(low) || !isDigits(high))
      return wrongAt(
          at,
          fmt::format("range `{{{}..{}}}` wants two whole numbers", low, high));
    std::optional<int64_t> first = numberOf(low), last = numberOf(high);
    if (!first || !last)
      return wrongAt(
          at, fmt::format("range `{{{}..{}}}` is beyond 64 bits", low, high));
    if (*first > *last)
      return wrongAt(at, fmt::format("range `{{{}..{}}}` is empty", low, high));
    elements.push_back({.kind = Kind::Range,
                        .low = *first,
                        .high = *last,
                        .mayFollowDigit = mayFollowDigit});
    firstOfText = elements.size();
    return {};
  }

  Expected<void> addAlternatives(std::string_view inside, size_t at) {
    auto branch = static_cast<uint32_t>(elements.size());
    elements.push_back({.kind = Kind::Branch, .choice = numChoices++});
    std::vector<uint32_t> jumps;
    groupMayEndInRun = false;
    while (true) {
      size_t comma = std::min(inside.find(','), inside.size());
      std::string_view alternative = inside.substr(0, comma);
      if (size_t dots = alternative.find("..");
          dots != std::string_view::npos &&
          isDigits(alternative.substr(0, dots)))
        return wrongAt(at, fmt::format("range `{}` among alternatives; write "
                                       "it alone in braces",
                                       alternative));
      elements[branch].targets.push_back(
          static_cast<uint32_t>(elements.size()));
      firstOfText = elements.size();
      for (char c : alternative)
        addPlain(c);
      groupMayEndInRun |= alternative.empty() || alternative.ends_with('*');
      jumps.push_back(static_cast<uint32_t>(elements.size()));
      elements.push_back({.kind = Kind::Jump});
      if (comma == inside.size())
        break;
      inside.remove_prefix(comma + 1);
    }
    firstOfText = elements.size();
    for (uint32_t jump : jumps)
      elements[jump].targets = {static_cast<uint32_t>(firstOfText)};
    return {};
  }

  std::string_view text;
  std::vector<Element> elements;
  uint32_t numChoices = 0;
  /// Elements before this one are closed: what a jump leads to must not be
  /// merged into what stands before.
  size_t firstOfText = 0;
  bool groupMayEndInRun = false; ///< Of the last group of alternatives.
};

} // namespace

Expected<NamePattern> NamePattern::parse(std::string_view text) {
  auto elements = PatternParser(text).run();
  if (!elements)
    return failWith(std::move(elements));
  NamePattern pattern;
  pattern.source = text;
  pattern.elements = std::move(*elements);
  return pattern;
}

NamePattern NamePattern::literal(std::string_view name) {
  NamePattern pattern;
  pattern.source = name;
  if (!name.empty())
    pattern.elements.push_back(
        {.kind = Element::Kind::Text, .text = std::string(name)});
  return pattern;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {

/// Which (choice, position) cannot lead to a fit. Small ones need no heap.
class FailedChoices {
public:
  FailedChoices(size_t numChoices, size_t numPositions)
      : numPositions(numPositions) {
    size_t numWords = (numChoices * numPositions + 63) / 64;
    if (numWords > few.size())
      many.resize(numWords);
    words = many.empty() ? few.data() : many.data();
  }

  bool contains(size_t choice, size_t position) const {
    size_t bit = choice * numPositions + position;
    return words[bit / 64] >> (bit % 64) & 1;
  }
  void insert(size_t choice, size_t position) {
    size_t bit = choice * numPositions + position;
    words[bit / 64] |= uint64_t(1) << (bit % 64);
  }

private:
  size_t numPositions;
  std::array<uint64_t, 16> few = {};
  std::vector<uint64_t> many;
  uint64_t *words;
};

class Matcher {
public:
  Matcher(const std::vector<Element> &elements, std::string_view name,
          Captures *captures)
      : elements(elements), name(name), captures(captures),
        failed(countChoices(elements), name.size() + 1) {}

  /// Whether the elements from `index` on fit the name from `at` on. Recursion
  /// goes as deep as there are choices.
  bool fits(size_t index, size_t at) {
    while (index != elements.size()) {
      const Element &element = elements[index];
      switch (element.kind) {
      case Kind::Text:
        if (!name.substr(at).starts_with(element.text))
          return false;
        at += element.text.size();
        break;
      case Kind::AnyChar:
        if (at == name.size())
          return false;
        ++at;
        // One character, not one byte of it.
        while (at < name.size() && (name[at] & 0xC0) == 0x80)
          ++at;
        break;
      case Kind::Jump:
        index = element.targets[0];
        continue;
      case Kind::Range:
      case Kind::Number: {
        size_t end = endOfNumber(element, at);
        if (end == at)
          return false;
        if (element.kind == Kind::Number)
          return fitsNumber(element, index, at, end);
        at = end;
        break;
      }
      case Kind::Run:
        return fitsRun(element, index, at);
      case Kind::Branch:
        return fitsBranch(element, at);
      }
      ++index;
    }
    return at == name.size();
  }

private:
  static size_t countChoices(const std::vector<Element> &elements) {
    return static_cast<size_t>(std::ranges::count_if(elements, [](auto &e) {
      return e.kind == Kind::Run || e.kind == Kind::Branch;
    }));
  }

  /// Returns the end of the whole number at `at`, or `at` if none fits there.
  size_t endOfNumber(const Element &element, size_t at) const {
    if (!element.mayFollowDigit && at != 0 && isDigit(name[at - 1]))
      return at;
    size_t end = at;
    while (end < name.size() && isDigit(name[end]))
      ++end;
    std::optional<int64_t> number = numberOf(name.substr(at, end - at));
    if (end == at || !number)
      return at;
    if (element.kind == Kind::Range &&
        (*number < element.low || *number > element.high))
      return at;
    return end;
  }

  bool fitsNumber(const Element &element, size_t index, size_t at, size_t end) {
    if (!fits(index + 1, end))
      return false;
    if (captures)
      captures->numbers[element.text] = *numberOf(name.substr(at, end - at));
    return true;
  }

  bool fitsRun(const Element &element, size_t index, size_t at) {
    if (index + 1 == elements.size())
      return capture(element, at, name.size());
    for (size_t end = at; end <= name.size(); ++end) {
      // All longer ones from here have been tried too.
      if (failed.contains(element.choice, end))
        return false;
      failed.insert(element.choice, end);
      if (fits(index + 1, end))
        return capture(element, at, end);
    }
    return false;
  }

  bool fitsBranch(const Element &element, size_t at) {
    if (failed.contains(element.choice, at))
      return false;
    failed.insert(element.choice, at);
    return std::ranges::any_of(
        element.targets, [&](uint32_t target) { return fits(target, at); });
  }

  bool capture(const Element &element, size_t begin, size_t end) {
    if (captures && !element.text.empty())
      captures->texts[element.text] = name.substr(begin, end - begin);
    return true;
  }

  const std::vector<Element> &elements;
  std::string_view name;
  Captures *captures;
  FailedChoices failed;
};

} // namespace

bool NamePattern::matches(std::string_view name) const {
  return Matcher(elements, name, nullptr).fits(0, 0);
}

std::optional<Captures> NamePattern::match(std::string_view name) const {
  Captures captures;
  if (!Matcher(elements, name, &captures).fits(0, 0))
    return std::nullopt;
  return captures;
}

std::vector<std::string> NamePattern::numberCaptures() const {
  std::vector<std::string> names;
  for (const Element &element : elements)
    if (element.kind == Element::Kind::Number)
      names.push_back(element.text);
  return names;
}

std::vector<std::string> NamePattern::textCaptures() const {
  std::vector<std::string> names;
  for (const Element &element : elements)
    if (element.kind == Element::Kind::Run && !element.text.empty())
      names.push_back(element.text);
  return names;
}

std::optional<std::string> NamePattern::fill(const Captures &captures) const {
  std::string name;
  for (const Element &element : elements) {
    if (element.kind == Element::Kind::Text) {
      name += element.text;
    } else if (element.kind == Element::Kind::Number) {
      auto number = captures.numbers.find(element.text);
      if (number == captures.numbers.end())
        return std::nullopt;
      name += std::to_string(number->second);
    } else if (element.kind == Element::Kind::Run) {
      auto text = captures.texts.find(element.text);
      if (text == captures.texts.end())
        return std::nullopt;
      name += text->second;
    } else {
      return std::nullopt;
    }
  }
  return name;
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

namespace {

/// Appends to `names` what the program from `at` on makes of `prefix`. Returns
/// whether that can be counted and stays below `limit`.
bool listNames(const std::vector<Element> &elements, size_t at,
               std::string prefix, size_t limit,
               std::vector<std::string> &names) {
  if (names.size() > limit)
    return false;
  if (at == elements.size()) {
    names.push_back(std::move(prefix));
    return true;
  }
  const Element &element = elements[at];
  switch (element.kind) {
  case Kind::Text:
    return listNames(elements, at + 1, prefix + element.text, limit, names);
  case Kind::Jump:
    return listNames(elements, element.targets[0], std::move(prefix), limit,
                     names);
  case Kind::Branch:
    return std::ranges::all_of(element.targets, [&](uint32_t target) {
      return listNames(elements, target, prefix, limit, names);
    });
  case Kind::Range:
    for (int64_t number = element.low; number <= element.high; ++number)
      if (!listNames(elements, at + 1, prefix + std::to_string(number), limit,
                     names))
        return false;
    return true;
  case Kind::AnyChar:
  case Kind::Run:
  case Kind::Number:
    return false;
  }
  return false;
}

} // namespace

std::optional<std::vector<std::string>>
NamePattern::allNames(size_t limit) const {
  std::vector<std::string> names;
  if (!listNames(elements, 0, "", limit, names) || names.size() > limit)
    return std::nullopt;
  return names;
}

} // namespace aoa
