//===- NamePattern.h - Patterns over tensor names ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   *            any run of characters, dots too (may be empty)
//   ?            one character
//   {a,b}        alternatives, each itself a pattern without braces
//   {0..15}      a whole number of the range, compared as a number
//   {i}          a whole number, captured as i
//   {rest*}      any run, captured as rest
//
// All else is itself. A pattern fits a whole name. Matching is O(pattern ·
// name) at worst: no input makes it explode.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_NAMEPATTERN_H
#define AOA_CATALOG_NAMEPATTERN_H

#include "aoa/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aoa {

/// What a pattern caught: numbers of `{i}`, texts of `{rest*}`.
struct Captures {
  std::map<std::string, int64_t, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;
};

class NamePattern {
public:
  /// Fails with what is wrong and the byte offset in `text` where.
  static Expected<NamePattern> parse(std::string_view text);

  /// The pattern that fits `name` alone, whatever characters it has.
  static NamePattern literal(std::string_view name);

  bool matches(std::string_view name) const;
  /// Returns what the first (leftmost, shortest stars) fit caught.
  std::optional<Captures> match(std::string_view name) const;

  /// Returns every name that fits, in the pattern's order, where they can be
  /// counted: a pattern of text, alternatives and ranges, for at most `limit`
  /// names. Otherwise returns nothing.
  std::optional<std::vector<std::string>> allNames(size_t limit) const;

  const std::string &text() const { return source; }
  /// Names of the numbers that `{i}` captures, and of the runs of `{rest*}`.
  std::vector<std::string> numberCaptures() const;
  std::vector<std::string> textCaptures() const;

  /// Returns the name that the pattern makes of captures; nothing where it
  /// leaves more open than they say, or they lack one. That the pattern catches
  /// the same in this name again is for the caller to see.
  std::optional<std::string> fill(const Captures &captures) const;

  struct Element; ///< One step of the pattern; see NamePattern.cpp.

private:
  std::string source;
  std::vector<Element> elements;

public:
  NamePattern();
  NamePattern(const NamePattern &);
  NamePattern(NamePattern &&) noexcept;
  NamePattern &operator=(const NamePattern &);
  NamePattern &operator=(NamePattern &&) noexcept;
  ~NamePattern();
};

} // namespace aoa

#endif // AOA_CATALOG_NAMEPATTERN_H
