//===- RollUp.cpp - Statements that differ in numbers, as one -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RollUp.h"

#include "NumberedText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cstring>
#include <map>
#include <set>

using namespace aoa;
using namespace aoa::invert;

std::string invert::printFlat(FlatStatements flat) {
  std::string text;
  for (const FlatStatement *each : flat)
    text += ast::printStatement(each->statement, ast::Dialect::Aoa) + "\n";
  return text;
}

namespace {

/// Statements in the order of their keys, those of one key together.
std::vector<std::vector<size_t>>
groupByKey(llvm::ArrayRef<NumberedText> texts) {
  llvm::StringMap<size_t> groupOf;
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i != texts.size(); ++i) {
    auto [it, isNew] = groupOf.try_emplace(texts[i].key(), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[it->second].push_back(i);
  }
  return groups;
}

/// Which statement bound what each left name reads, in order.
std::map<std::pair<size_t, size_t>, size_t>
findBinders(FlatStatements flat, llvm::ArrayRef<size_t> order) {
  constexpr size_t outside = SIZE_MAX;
  llvm::StringMap<size_t> bound;
  std::map<std::pair<size_t, size_t>, size_t> binders;
  for (size_t i : order) {
    const ast::Statement &statement = flat[i]->statement;
    for (size_t left = 0; left != statement.left.size(); ++left) {
      auto it = bound.find(statement.left[left].text);
      binders[{i, left}] = it == bound.end() ? outside : it->second;
    }
    for (const ast::Name &name : statement.right)
      if (!name.isDiscard())
        bound[name.text] = i;
  }
  return binders;
}

/// A variable of a group: numbers of the text that are a constant apart.
struct Variable {
  size_t column;               ///< The first of them.
  std::vector<int64_t> values; ///< One a statement.
  std::string placeholder, loop;
};

class Group {
public:
  Group(llvm::ArrayRef<NumberedText> all, llvm::ArrayRef<size_t> members,
        PlaceholderNumbers known)
      : known(std::move(known)) {
    for (size_t member : members)
      texts.push_back(&all[member]);
    findVariables();
  }

  /// Returns a group of one, with its lists.
  std::string asOneStatement() const {
    return print([](const Variable &, int64_t, char) { return ""; }) + "\n";
  }

  /// Returns the group as one statement, or nothing if it is no template.
  std::optional<std::string> asTemplate(bool withClauses) const {
    if (variables.empty() || !isTemplate())
      return std::nullopt;
    std::string text =
        print([&](const Variable &variable, int64_t apart, char next) {
          if (apart != 0)
            return "${" + variable.placeholder + signedNumber(apart) + "}";
          bool goesOn =
              llvm::isUpper(next) || llvm::isDigit(next) || next == '_';
          return goesOn ? "$(" + variable.placeholder + ")"
                        : "$" + variable.placeholder;
        });
    if (withClauses)
      for (const Variable &variable : variables) {
        std::set<int64_t> values(variable.values.begin(),
                                 variable.values.end());
        int64_t first = *values.begin(), last = *values.rbegin();
        if (last - first + 1 != static_cast<int64_t>(values.size()))
          return std::nullopt;
        text += ", $" + variable.placeholder + " in " + std::to_string(first) +
                ".." + std::to_string(last);
      }
    return text + "\n";
  }

  /// Returns the group as loops, or nothing if they would run over other
  /// numbers.
  std::optional<std::string> asLoops() const {
    if (variables.empty() || variables.size() > 2)
      return std::nullopt;
    // Which second numbers go with each first one.
    std::map<int64_t, std::set<int64_t>> seconds;
    for (size_t i = 0; i != texts.size(); ++i) {
      int64_t second = variables.size() == 2 ? variables[1].values[i] : 0;
      if (!seconds[variables[0].values[i]].insert(second).second)
        return std::nullopt;
    }
    std::string text;
    for (auto it = seconds.begin(); it != seconds.end();) {
      auto last = it;
      for (auto next = std::next(it);
           next != seconds.end() && next->first == last->first + 1 &&
           next->second == it->second;
           ++next)
        last = next;
      bool isOne = it == last;
      std::string indent = isOne ? "" : "  ";
      if (!isOne)
        text += loop(variables[0].loop, it->first, last->first);
      for (auto [first, end] : runsOf(it->second)) {
        bool isInnerLoop = first != end;
        if (isInnerLoop)
          text += indent + loop(variables[1].loop, first, end) + "  ";
        text +=
            indent + statementFor(isOne, it->first, !isInnerLoop, first) + "\n";
        if (isInnerLoop)
          text += indent + "}\n";
      }
      if (!isOne)
        text += "}\n";
      it = std::next(last);
    }
    return text;
  }

private:
  static std::string signedNumber(int64_t number) {
    return (number > 0 ? "+" : "") + std::to_string(number);
  }
  /// Prints the statement with the variables of loops, or with their only
  /// numbers.
  std::string statementFor(bool isFirstFixed, int64_t first, bool isSecondFixed,
                           int64_t second) const {
    return print([&](const Variable &variable, int64_t apart, char) {
      bool isFirst = &variable == &variables.front();
      if (isFirst ? isFirstFixed : isSecondFixed)
        return std::to_string((isFirst ? first : second) + apart);
      return "${" + variable.loop + (apart == 0 ? "" : signedNumber(apart)) +
             "}";
    });
  }
  static std::string loop(const std::string &variable, int64_t first,
                          int64_t last) {
    return "for " + variable + " in " + std::to_string(first) + ".." +
           std::to_string(last) + " {\n";
  }
  static std::vector<std::pair<int64_t, int64_t>>
  runsOf(const std::set<int64_t> &values) {
    std::vector<std::pair<int64_t, int64_t>> runs;
    for (int64_t value : values)
      if (!runs.empty() && runs.back().second + 1 == value)
        runs.back().second = value;
      else
        runs.emplace_back(value, value);
    return runs;
  }

  /// A statement with more is no easier to read than those that it stands for.
  static constexpr size_t maxVariables = 8;

  /// Finds none where they are too many.
  void findVariables() {
    size_t numColumns = texts.front()->numbers.size();
    columns.resize(numColumns);
    for (size_t column = 0; column != numColumns; ++column) {
      std::vector<int64_t> values;
      for (const NumberedText *text : texts)
        values.push_back(text->numbers[column].value);
      if (llvm::all_equal(values))
        continue;
      auto known = llvm::find_if(variables, [&](const Variable &variable) {
        for (size_t i = 1; i != values.size(); ++i)
          if (values[i] - variable.values[i] != values[0] - variable.values[0])
            return false;
        return true;
      });
      if (known == variables.end() && variables.size() == maxVariables) {
        variables.clear();
        return;
      }
      if (known == variables.end()) {
        variables.push_back({column, std::move(values), "", ""});
        nameVariable(variables.back());
        known = std::prev(variables.end());
      }
      columns[column] = known - variables.begin();
    }
  }

  /// Calls a variable after what stands before its number.
  void nameVariable(Variable &variable) {
    auto isCalled = [&](const std::string &placeholder) {
      return llvm::any_of(variables, [&](const Variable &other) {
        return other.placeholder == placeholder;
      });
    };
    for (const auto &[placeholder, number] : known)
      if (number == variable.values.front() && !isCalled(placeholder)) {
        variable.placeholder = placeholder;
        variable.loop =
            llvm::StringRef(placeholder).drop_back(std::strlen("_ID")).lower();
        return;
      }
    llvm::StringRef before = texts.front()->texts[variable.column];
    auto endsInWord = [&](llvm::StringRef word) {
      return before.rtrim(".s").ends_with_insensitive(word);
    };
    std::string word =
        endsInWord("expert") ? "expert"
        : endsInWord("layer") || endsInWord("h") || endsInWord("block")
            ? "layer"
            : "n";
    auto placeholderOf = [](llvm::StringRef name) {
      return name.upper() + "_ID";
    };
    std::string name = word;
    for (unsigned i = 2; isCalled(placeholderOf(name)); ++i)
      name = word + std::to_string(i);
    variable.loop = name;
    variable.placeholder = placeholderOf(name);
  }

  bool isTemplate() const {
    for (size_t variable = 0; variable != variables.size(); ++variable) {
      bool isLeft = false, isRight = false;
      for (size_t column = 0; column != columns.size(); ++column) {
        if (columns[column] != variable)
          continue;
        const NumberedText::Number &number = texts.front()->numbers[column];
        if (number.isQuoted)
          return false;
        (number.isLeft ? isLeft : isRight) = true;
      }
      bool removes =
          llvm::StringRef(texts.front()->texts.back()).ends_with(" -> _");
      if (!isLeft || (!isRight && !removes))
        return false;
    }
    return true;
  }

  template <typename PrintVariable>
  std::string print(const PrintVariable &printVariable) const {
    const NumberedText &first = *texts.front();
    std::string text = first.texts.front();
    for (size_t column = 0; column != columns.size(); ++column) {
      const std::string &next = first.texts[column + 1];
      int64_t value = first.numbers[column].value;
      if (!columns[column]) {
        text += std::to_string(value);
      } else {
        const Variable &variable = variables[*columns[column]];
        text += printVariable(variable, value - variable.values.front(),
                              next.empty() ? ' ' : next.front());
      }
      text += next;
    }
    return text;
  }

  PlaceholderNumbers known;
  std::vector<const NumberedText *> texts;
  std::vector<Variable> variables;
  /// The variable of each number, if it is none that is always the same.
  std::vector<std::optional<size_t>> columns;
};

std::vector<NumberedText> readAll(FlatStatements flat) {
  std::vector<NumberedText> texts;
  texts.reserve(flat.size());
  for (const FlatStatement *each : flat)
    texts.push_back(readNumbers(each->statement));
  return texts;
}

} // namespace

bool invert::canBeRolledUp(FlatStatements flat) {
  std::vector<size_t> written(flat.size());
  for (size_t i = 0; i != flat.size(); ++i)
    written[i] = i;
  std::vector<size_t> grouped;
  for (const std::vector<size_t> &group : groupByKey(readAll(flat)))
    llvm::append_range(grouped, group);
  return findBinders(flat, written) == findBinders(flat, grouped);
}

bool invert::canStandBehind(FlatStatements later, FlatStatements earlier) {
  std::vector<const FlatStatement *> all(later.begin(), later.end());
  llvm::append_range(all, earlier);
  std::vector<size_t> now, then;
  for (size_t i = 0; i != all.size(); ++i)
    now.push_back(i);
  then.assign(now.begin() + static_cast<ptrdiff_t>(later.size()), now.end());
  then.insert(then.end(), now.begin(),
              now.begin() + static_cast<ptrdiff_t>(later.size()));
  return findBinders(all, now) == findBinders(all, then);
}

std::vector<Roll> invert::rollUp(FlatStatements flat,
                                 PlaceholdersOf placeholdersOf) {
  std::vector<Roll> rolls;
  std::vector<NumberedText> texts = readAll(flat);
  for (const std::vector<size_t> &members : groupByKey(texts)) {
    Roll &roll = rolls.emplace_back();
    for (size_t member : members)
      roll.flat.push_back(flat[member]);
    auto add = [&](std::optional<std::string> text) {
      if (text && !llvm::is_contained(roll.texts, *text))
        roll.texts.push_back(std::move(*text));
    };
    Group group(texts, members, placeholdersOf(*flat[members.front()]));
    if (members.size() > 1) {
      add(group.asTemplate(false));
      add(group.asTemplate(true));
      add(group.asLoops());
    } else {
      // A single statement may still hold lists.
      add(group.asOneStatement());
    }
    add(printFlat(roll.flat));
  }
  return rolls;
}
