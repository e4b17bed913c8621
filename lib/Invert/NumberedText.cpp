//===- NumberedText.cpp - A statement and the numbers in it ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "NumberedText.h"

#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::invert;

namespace {

/// A name cut at its numbers.
struct NumberedName {
  std::vector<std::string> texts;
  std::vector<int64_t> numbers;
  bool quoted, transposed;

  bool differsInNumbersOnly(const NumberedName &other) const {
    return texts == other.texts && quoted == other.quoted &&
           transposed == other.transposed;
  }
};

NumberedName cut(const ast::Name &name) {
  NumberedName result{{""}, {}, name.quoted, name.transposed};
  llvm::StringRef rest = name.text;
  while (!rest.empty()) {
    llvm::StringRef digits = rest.take_while(llvm::isDigit);
    int64_t number;
    // `01` is another text than 1.
    bool isNumber = !digits.empty() &&
                    (digits.size() == 1 || digits.front() != '0') &&
                    !digits.getAsInteger(10, number) && number < INT32_MAX;
    if (isNumber) {
      result.numbers.push_back(number);
      result.texts.emplace_back();
      rest = rest.drop_front(digits.size());
      continue;
    }
    size_t length = std::max<size_t>(digits.size(), 1);
    result.texts.back() += rest.take_front(length);
    rest = rest.drop_front(length);
  }
  return result;
}

class Reader {
public:
  NumberedText read(const ast::Statement &statement) {
    text.texts.emplace_back();
    side(statement.left, true);
    add(" -> ");
    side(statement.right, false);
    ast::Statement rest = statement;
    rest.left.clear();
    rest.right.clear();
    // What stands behind the names, as the printer has it.
    add(behindNames(rest));
    return std::move(text);
  }

private:
  static std::string behindNames(const ast::Statement &statement) {
    std::string printed = ast::printStatement(statement, ast::Dialect::Aoa);
    llvm::StringRef rest(printed);
    rest.consume_front(" -> ");
    return rest.empty() ? "" : ", " + rest.str();
  }

  void add(const std::string &more) { text.texts.back() += more; }

  void addNumber(int64_t value, bool isLeft, bool isQuoted) {
    text.numbers.push_back({value, isLeft, isQuoted});
    text.texts.emplace_back();
  }

  void side(llvm::ArrayRef<ast::Name> names, bool isLeft) {
    std::vector<NumberedName> cuts;
    for (const ast::Name &name : names)
      cuts.push_back(cut(name));
    for (size_t i = 0; i < cuts.size();) {
      if (i != 0)
        add(", ");
      auto [period, count] = longestList(llvm::ArrayRef(cuts).drop_front(i));
      if (count < 3 || count * period < 4) {
        addName(cuts[i++], isLeft, {});
        continue;
      }
      addList(llvm::ArrayRef(cuts).slice(i, period * count), period, count,
              isLeft);
      i += period * count;
    }
  }

  /// How many names repeat how often, counting up, at the beginning of `names`.
  static std::pair<size_t, size_t>
  longestList(llvm::ArrayRef<NumberedName> names) {
    constexpr size_t maxPeriod = 8;
    std::pair<size_t, size_t> best = {1, 1};
    for (size_t period = 1; period <= maxPeriod && 2 * period <= names.size();
         ++period) {
      size_t count = 1;
      while ((count + 1) * period <= names.size() &&
             continues(names, period, count))
        ++count;
      if (count > 1 && count * period > best.first * best.second)
        best = {period, count};
    }
    return best;
  }

  /// Whether round `count` of the names follows from the rounds before.
  static bool continues(llvm::ArrayRef<NumberedName> names, size_t period,
                        size_t count) {
    bool counts = false;
    for (size_t i = 0; i != period; ++i) {
      const NumberedName &first = names[i], &second = names[period + i];
      const NumberedName &now = names[count * period + i];
      if (!first.differsInNumbersOnly(now))
        return false;
      for (size_t at = 0; at != first.numbers.size(); ++at) {
        int64_t step = second.numbers[at] - first.numbers[at];
        if ((step != 0 && step != 1) ||
            now.numbers[at] !=
                first.numbers[at] + step * static_cast<int64_t>(count))
          return false;
        counts |= step == 1;
      }
    }
    return counts;
  }

  void addList(llvm::ArrayRef<NumberedName> names, size_t period, size_t count,
               bool isLeft) {
    // The first number that counts up is the variable.
    std::optional<int64_t> begin;
    add("(");
    for (size_t i = 0; i != period; ++i) {
      add(i == 0 ? "" : ", ");
      std::vector<std::optional<std::string>> running;
      for (size_t at = 0; at != names[i].numbers.size(); ++at) {
        int64_t first = names[i].numbers[at];
        if (names[period + i].numbers[at] == first) {
          running.push_back(std::nullopt);
          continue;
        }
        if (!begin)
          begin = first;
        int64_t apart = first - *begin;
        running.push_back("${i" +
                          (apart == 0  ? ""
                           : apart > 0 ? "+" + std::to_string(apart)
                                       : std::to_string(apart)) +
                          "}");
      }
      addName(names[i], isLeft, running);
    }
    add(" for i in " + std::to_string(*begin) + ".." +
        std::to_string(*begin + static_cast<int64_t>(count) - 1) + ")");
  }

  /// `running` has what stands for numbers that are those of a list.
  void addName(const NumberedName &name, bool isLeft,
               llvm::ArrayRef<std::optional<std::string>> running) {
    std::string quote;
    if (name.quoted) {
      bool hasDouble = llvm::any_of(
          name.texts, [](llvm::StringRef part) { return part.contains('"'); });
      quote = hasDouble ? "'" : "\"";
    }
    add(quote + name.texts.front());
    for (size_t i = 0; i != name.numbers.size(); ++i) {
      if (i < running.size() && running[i])
        add(*running[i]);
      else
        addNumber(name.numbers[i], isLeft, name.quoted);
      add(name.texts[i + 1]);
    }
    add(quote + (name.transposed ? "^T" : ""));
  }

  NumberedText text;
};

} // namespace

std::string NumberedText::key() const {
  std::string key;
  for (const std::string &each : texts)
    key += each + '\0';
  for (const Number &number : numbers)
    key += number.isQuoted ? 'q' : ' ';
  return key;
}

NumberedText invert::readNumbers(const ast::Statement &statement) {
  return Reader().read(statement);
}
