//===- TensorsByStoredName.cpp - From stored names to tensors ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each `stored_as` the stored name is cut along the text of it; what stands
// where an expression was is the value that the expression had. Each expression
// with one capture that is not known yet gives that capture. All readings are
// tried forwards in the end, so that nothing here has to be exact.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/StoredName.h"

#include "HolderScope.h"
#include "Holders.h"
#include "Identifier.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace aoa {

namespace {

constexpr int64_t numTriedNumbers = 65'536;
constexpr size_t maxReadings = 10'000; ///< Of one stored name.

bool mentions(const Expr &expr, std::string_view variable) {
  return anyVariable(expr,
                     [&](std::string_view name) { return name == variable; });
}

/// Whether the value is a·x + b for all x.
bool isLinear(const Expr &expr, std::string_view variable) {
  if (!mentions(expr, variable))
    return true;
  switch (expr.kind) {
  case Expr::Kind::Variable:
    return true;
  case Expr::Kind::Negate:
  case Expr::Kind::Add:
  case Expr::Kind::Subtract:
    return std::ranges::all_of(expr.operands, [&](const Expr &operand) {
      return isLinear(operand, variable);
    });
  case Expr::Kind::Multiply:
    return mentions(expr.operands[0], variable) !=
               mentions(expr.operands[1], variable) &&
           isLinear(expr.operands[0], variable) &&
           isLinear(expr.operands[1], variable);
  default: // no other kind is linear for sure
    return false;
  }
}

std::optional<int64_t> wholeValue(const Expr &expr, const ExprScope &scope) {
  ExprResult<Constant> value = evaluate(expr, scope);
  const auto *whole = value ? std::get_if<int64_t>(&value->data) : nullptr;
  return whole ? std::optional(*whole) : std::nullopt;
}

std::optional<int64_t> parseNumber(std::string_view digits) {
  int64_t number = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

/// The coordinates of a rank, and what was caught so far.
struct Known {
  const Mesh &mesh;
  const std::vector<int64_t> &coordinates;
  Captures captures = {};

  std::optional<int64_t> evaluateWith(const Expr &expr,
                                      const std::string &capture, int64_t x) {
    captures.numbers[capture] = x;
    std::optional<int64_t> value =
        wholeValue(expr, HolderScope(captures, mesh, coordinates));
    captures.numbers.erase(capture);
    return value;
  }
};

/// The names that tensors may have which a rank stores under one name.
class Readings {
public:
  using Solver = std::function<Expected<std::vector<int64_t>>(
      const HolderRule &, const Expr &, const std::string &, Known &, int64_t)>;

  Readings(const Solver &solve, std::set<std::string> &names)
      : solve(solve), names(names) {}

  /// Adds what `rule` may store as `stored`; `suffix` goes behind the names.
  Expected<void> add(const HolderRule &rule, std::string_view stored,
                     std::string_view suffix, const Mesh &mesh,
                     const std::vector<int64_t> &coordinates) {
    of = &rule;
    behind = suffix;
    numbers = rule.match.numberCaptures();
    texts = rule.match.textCaptures();
    holes.clear();
    Known known{mesh, coordinates};
    return cut(0, stored, known);
  }

private:
  struct Hole {
    const Expr *value;
    std::string_view text;
  };

  bool isTextCapture(const Expr &expr) const {
    return expr.kind == Expr::Kind::Variable &&
           std::ranges::find(texts, expr.text) != texts.end();
  }

  /// Reads the parts from `part` on in `rest`, in every way there is.
  Expected<void> cut(size_t part, std::string_view rest, Known &known) {
    if (++numSteps > maxReadings)
      return fail(ErrorKind::Limit,
                  fmt::format("there are more than {} ways to read it as "
                              "`stored_as` of {}",
                              maxReadings, of->path));
    std::span<const StoredName::Part> parts = of->storedAs->parts();
    if (part == parts.size())
      return rest.empty() ? findNumbers(known) : Expected<void>();
    if (!parts[part].value) {
      const std::string &literal = parts[part].literal;
      return rest.starts_with(literal)
                 ? cut(part + 1, rest.substr(literal.size()), known)
                 : Expected<void>();
    }
    const Expr &value = *parts[part].value;
    bool isText = isTextCapture(value);
    bool isLast = part + 1 == parts.size();
    for (size_t size = isLast ? rest.size() : 0; size <= rest.size(); ++size) {
      std::string_view text = rest.substr(0, size);
      if (!isText && !std::ranges::all_of(text, isDigit))
        break;
      if (!isText && (text.empty() || (text.size() > 1 && text[0] == '0')))
        continue;
      // The next literal must follow, most often it does not.
      if (!isLast && !parts[part + 1].value &&
          !rest.substr(size).starts_with(parts[part + 1].literal))
        continue;
      if (auto done = take(value, isText, text, part, rest.substr(size), known);
          !done)
        return done;
    }
    return {};
  }

  Expected<void> take(const Expr &value, bool isText, std::string_view text,
                      size_t part, std::string_view rest, Known &known) {
    if (!isText) {
      holes.push_back({&value, text});
      auto done = cut(part + 1, rest, known);
      holes.pop_back();
      return done;
    }
    auto [caught, isNew] = known.captures.texts.emplace(value.text, text);
    if (!isNew && caught->second != text)
      return {};
    auto done = cut(part + 1, rest, known);
    if (isNew)
      known.captures.texts.erase(value.text);
    return done;
  }

  /// The one number that `expr` needs and that is not known; nothing where
  /// there is none or are several.
  std::optional<std::string> unknownOf(const Expr &expr, const Known &known) {
    std::optional<std::string> unknown;
    for (const std::string &number : numbers) {
      if (known.captures.numbers.contains(number) || !mentions(expr, number))
        continue;
      if (unknown)
        return std::nullopt;
      unknown = number;
    }
    return unknown;
  }

  Expected<void> findNumbers(Known &known) {
    if (++numSteps > maxReadings)
      return fail(ErrorKind::Limit,
                  fmt::format("there are more than {} tensors that {} may "
                              "store so",
                              maxReadings, of->path));
    for (const Hole &hole : holes) {
      std::optional<std::string> unknown = unknownOf(*hole.value, known);
      std::optional<int64_t> wanted = parseNumber(hole.text);
      if (!unknown || !wanted)
        continue;
      auto solutions = solve(*of, *hole.value, *unknown, known, *wanted);
      if (!solutions)
        return failWith(std::move(solutions));
      for (int64_t solution : *solutions) {
        known.captures.numbers[*unknown] = solution;
        if (auto done = findNumbers(known); !done)
          return done;
      }
      known.captures.numbers.erase(*unknown);
      return {};
    }
    if (auto name = of->match.fill(known.captures))
      names.insert(*name + std::string(behind));
    return {};
  }

  const Solver &solve;
  std::set<std::string> &names;
  const HolderRule *of = nullptr;
  std::string_view behind;
  std::vector<std::string> numbers, texts; ///< Captures of the pattern.
  std::vector<Hole> holes;
  size_t numSteps = 0;
};

} // namespace

class TensorsByStoredName::Search {
public:
  explicit Search(const Layout &layout) : layout(layout) {
    auto add = [&](const HolderRule &rule) {
      if (rule.storedAs)
        renaming.push_back(&rule);
      for (const auto &[axis, set] : rule.on)
        ++numRulesOfAxis[axis];
    };
    for (const LayoutRule &rule : layout.rules)
      add(rule);
    for (const HolderRule &place : layout.places)
      add(place);
    for (size_t axis = 0; axis < layout.mesh.axes.size(); ++axis)
      matters.push_back(isAskedFor(axis));
  }

  Expected<std::optional<std::string>> tensorOf(std::string_view stored,
                                                int64_t rank) {
    std::vector<int64_t> coordinates = layout.mesh.coordinates(rank);
    auto [known, isNew] =
        answers.try_emplace({std::string(stored), relevantOf(coordinates)});
    if (!isNew)
      return known->second;
    auto found = search(stored, rank, coordinates);
    if (!found) {
      answers.erase(known);
      return failWith(std::move(found));
    }
    return known->second = std::move(*found);
  }

private:
  using Coordinates = std::vector<int64_t>;

  /// Coordinates of axes that nothing asks about do not matter; they become 0.
  Coordinates relevantOf(Coordinates coordinates) const {
    for (size_t axis = 0; axis < coordinates.size(); ++axis)
      if (!matters[axis])
        coordinates[axis] = 0;
    return coordinates;
  }

  bool isAskedFor(size_t axis) const {
    bool hasPieces = std::ranges::any_of(layout.rules, &LayoutRule::hasPieces);
    if (hasPieces || numRulesOfAxis.contains(static_cast<int>(axis)))
      return true;
    return std::ranges::any_of(renaming, [&](const HolderRule *rule) {
      return std::ranges::any_of(
          rule->storedAs->parts(), [&](const StoredName::Part &part) {
            return part.value &&
                   mentions(*part.value, layout.mesh.axes[axis].name);
          });
    });
  }

  Expected<std::optional<std::string>> search(std::string_view stored,
                                              int64_t rank,
                                              const Coordinates &coordinates) {
    std::set<std::string> names;
    const Readings::Solver solver =
        [&](const HolderRule &rule, const Expr &expr,
            const std::string &capture, Known &known, int64_t wanted) {
          return solve(rule, expr, capture, known, wanted);
        };
    std::optional<StateName> state = stateName(layout.states, stored);
    for (const HolderRule *rule : renaming) {
      Readings readings(solver, names);
      auto added = readings.add(*rule, stored, "", layout.mesh, coordinates);
      if (added && state)
        added = readings.add(
            *rule, stored.substr(0, stored.size() - state->text.size()),
            state->text, layout.mesh, coordinates);
      if (!added)
        return failWith(std::move(added));
    }
    std::optional<std::string> found;
    for (const std::string &name : names) {
      if (!isStoredAs(name, stored, rank, coordinates))
        continue;
      if (found)
        return fail(ErrorKind::Mismatch,
                    fmt::format("it may be `{}` or `{}`: the layout stores "
                                "both under this name",
                                *found, name));
      found = name;
    }
    std::string same(stored);
    if (!found && isStoredAs(same, stored, rank, coordinates))
      found = std::move(same);
    return found;
  }

  bool isStoredAs(const std::string &name, std::string_view stored,
                  int64_t rank, const Coordinates &coordinates) const {
    const LayoutRule *rule = layout.findRule(name);
    if (!rule)
      return false;
    StoredNames names(layout, *rule, name);
    Expected<std::string_view> there = names.onRank(rank);
    if (!there || *there != stored)
      return false;
    Expected<bool> holds = isHolder(layout, *rule, name, coordinates);
    return holds && *holds;
  }

  /// The numbers for which `expr` is `wanted`.
  Expected<std::vector<int64_t>> solve(const HolderRule &rule, const Expr &expr,
                                       const std::string &capture, Known &known,
                                       int64_t wanted) {
    if (isLinear(expr, capture))
      return solveLinear(expr, capture, known, wanted);
    // The expression may need other captures, but then these are known.
    bool isAlone = std::ranges::none_of(
        rule.match.numberCaptures(), [&](const std::string &other) {
          return other != capture && mentions(expr, other);
        });
    Table table;
    Table *values = &table;
    if (isAlone) {
      auto [kept, isNew] =
          tables.try_emplace({&expr, relevantOf(known.coordinates)});
      values = &kept->second;
      if (!isNew)
        return (*values)[wanted];
    }
    for (int64_t x = 0; x < numTriedNumbers; ++x)
      if (mayHold(rule, capture, x, known.coordinates))
        if (auto value = known.evaluateWith(expr, capture, x))
          (*values)[*value].push_back(x);
    return (*values)[wanted];
  }

  static Expected<std::vector<int64_t>> solveLinear(const Expr &expr,
                                                    const std::string &capture,
                                                    Known &known,
                                                    int64_t wanted) {
    auto atZero = known.evaluateWith(expr, capture, 0);
    auto atOne = known.evaluateWith(expr, capture, 1);
    if (!atZero || !atOne)
      return std::vector<int64_t>();
    std::optional<int64_t> slope = checkedSub(*atOne, *atZero);
    std::optional<int64_t> rise = checkedSub(wanted, *atZero);
    if (!slope || !rise || *slope == 0)
      return std::vector<int64_t>();
    std::optional<int64_t> x;
    if (*slope == -1) // The one divisor that can overflow.
      x = checkedSub(0, *rise);
    else if (*rise % *slope == 0)
      x = *rise / *slope;
    if (!x || *x < 0)
      return std::vector<int64_t>();
    return std::vector<int64_t>{*x};
  }

  /// Whether the `on` of the rule itself, where nothing else says anything of
  /// the axis, lets the rank hold tensors with this number.
  bool mayHold(const HolderRule &rule, const std::string &capture, int64_t x,
               const Coordinates &coordinates) const {
    Captures captures;
    captures.numbers[capture] = x;
    for (const auto &[axis, set] : rule.on) {
      const auto *computed = std::get_if<ComputedCoordinate>(&set);
      if (!computed || numRulesOfAxis.at(axis) != 1 ||
          !mentions(computed->value, capture))
        continue;
      bool hasOthers = anyVariable(computed->value, [&](std::string_view name) {
        return name != capture;
      });
      if (hasOthers)
        continue;
      Expected<int64_t> coordinate = evaluateCoordinate(*computed, captures);
      if (!coordinate || *coordinate != coordinates[static_cast<size_t>(axis)])
        return false;
    }
    return true;
  }

  using Table = std::unordered_map<int64_t, std::vector<int64_t>>;

  const Layout &layout;
  std::vector<const HolderRule *> renaming;
  std::map<int, size_t> numRulesOfAxis;
  std::vector<bool> matters; ///< By axis.
  std::map<std::pair<std::string, Coordinates>, std::optional<std::string>>
      answers;
  std::map<std::pair<const Expr *, Coordinates>, Table> tables;
};

TensorsByStoredName::TensorsByStoredName(const Layout &layout)
    : search(std::make_unique<Search>(layout)) {}
TensorsByStoredName::~TensorsByStoredName() = default;

Expected<std::optional<std::string>>
TensorsByStoredName::tensorOf(std::string_view stored, int64_t rank) {
  return search->tensorOf(stored, rank);
}

} // namespace aoa
