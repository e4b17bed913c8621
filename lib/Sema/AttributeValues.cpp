//===- AttributeValues.cpp - The values of attributes, typed ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AttributeValues.h"

#include "aoa/Support/NearestName.h"

using namespace aoa;
using namespace aoa::sema;
using ast::Dialect;

void AttributeValues::fail(const ast::Attribute &attribute,
                           const std::string &expected) {
  reporter.report(diag::AttributeValue, statement, attribute.value.range,
                  quote(attribute.name) + " is " +
                      ast::printValue(attribute.value) + ", expected " +
                      expected);
}

std::optional<int64_t>
AttributeValues::wholeNumber(const ast::Attribute &attribute) {
  if (const auto *number = std::get_if<int64_t>(&attribute.value.data))
    return *number;
  bool isQuoted = std::holds_alternative<ast::Text>(attribute.value.data);
  fail(attribute,
       isQuoted ? "a whole number without quotes" : "a whole number");
  return std::nullopt;
}

std::optional<int64_t> AttributeValues::count(const ast::Attribute &attribute) {
  auto number = wholeNumber(attribute);
  if (!number || *number > 0)
    return number;
  fail(attribute, "at least 1");
  return std::nullopt;
}

std::optional<primitives::Number>
AttributeValues::number(const ast::Attribute &attribute) {
  if (const auto *whole = std::get_if<int64_t>(&attribute.value.data))
    return *whole;
  if (const auto *real = std::get_if<double>(&attribute.value.data))
    return *real;
  fail(attribute, "a number");
  return std::nullopt;
}

namespace {

/// Reads the list in a quoted text; blanks may stand anywhere between.
class ListParser {
public:
  explicit ListParser(llvm::StringRef text) : text(text) {}

  std::optional<ast::List> parse() {
    auto list = parseList(0);
    skipBlanks();
    if (!list || !text.empty())
      return std::nullopt;
    return list;
  }

private:
  /// Lists hold numbers or pairs of them.
  static constexpr unsigned maxDepth = 2;

  void skipBlanks() { text = text.ltrim(" \t"); }
  bool eat(llvm::StringRef token) {
    skipBlanks();
    return text.consume_front(token);
  }

  std::optional<ast::Value> parseEntry(unsigned depth) {
    skipBlanks();
    if (text.starts_with("[")) {
      auto list = parseList(depth + 1);
      if (!list)
        return std::nullopt;
      return ast::Value{std::move(*list), {}};
    }
    int64_t number;
    if (text.consumeInteger(10, number))
      return std::nullopt;
    return ast::Value{number, {}};
  }

  std::optional<ast::List> parseList(unsigned depth) {
    if (depth == maxDepth || !eat("["))
      return std::nullopt;
    ast::List list;
    if (eat("]"))
      return list;
    do {
      auto entry = parseEntry(depth);
      if (!entry)
        return std::nullopt;
      list.push_back(std::move(*entry));
    } while (eat(","));
    if (!eat("]"))
      return std::nullopt;
    return list;
  }

  llvm::StringRef text;
};

std::optional<AttributeValues::Entries> wholeNumbers(const ast::List &list) {
  AttributeValues::Entries entries;
  for (const ast::Value &entry : list) {
    const auto *number = std::get_if<int64_t>(&entry.data);
    if (!number)
      return std::nullopt;
    entries.push_back(*number);
  }
  return entries;
}

} // namespace

std::optional<ast::List>
AttributeValues::list(const ast::Attribute &attribute) {
  if (const auto *text = std::get_if<ast::Text>(&attribute.value.data))
    return ListParser(text->text).parse();
  if (const auto *list = std::get_if<ast::List>(&attribute.value.data))
    if (dialect == Dialect::Aoa)
      return *list;
  return std::nullopt;
}

std::optional<AttributeValues::Entries>
AttributeValues::entries(const ast::Attribute &attribute, llvm::StringRef what,
                         llvm::StringRef example) {
  if (auto entries = list(attribute))
    if (auto numbers = wholeNumbers(*entries))
      return numbers;
  if (std::holds_alternative<ast::List>(attribute.value.data))
    fail(attribute, dialect == Dialect::Paddle
                        ? "a list in quotes with --std=paddle"
                        : "a list of whole numbers");
  else if (std::holds_alternative<ast::Text>(attribute.value.data))
    fail(attribute,
         "a list of " + what.str() + " such as \"" + example.str() + "\"");
  else
    fail(attribute, "a list of " + what.str() + " such as " + example.str());
  return std::nullopt;
}

std::optional<AttributeValues::Pairs>
AttributeValues::pairs(const ast::Attribute &attribute) {
  auto read = [&]() -> std::optional<Pairs> {
    auto entries = list(attribute);
    if (!entries)
      return std::nullopt;
    Pairs pairs;
    for (const ast::Value &entry : *entries) {
      const auto *pair = std::get_if<ast::List>(&entry.data);
      auto numbers = pair ? wholeNumbers(*pair) : std::nullopt;
      if (!numbers || numbers->size() != 2)
        return std::nullopt;
      pairs.emplace_back((*numbers)[0], (*numbers)[1]);
    }
    return pairs;
  };
  auto pairs = read();
  if (!pairs)
    fail(attribute, "one pair of whole numbers an axis such as "
                    "[[0, 47], [0, 0]]");
  return pairs;
}

std::optional<std::string>
AttributeValues::text(const ast::Attribute &attribute,
                      llvm::StringRef example) {
  if (const auto *text = std::get_if<ast::Text>(&attribute.value.data))
    return text->text;
  fail(attribute, "a quoted text such as \"" + example.str() + "\"");
  return std::nullopt;
}

/// The text of a word, bare or quoted.
static std::optional<llvm::StringRef> wordOf(const ast::Value &value) {
  if (const auto *word = std::get_if<ast::Word>(&value.data))
    return llvm::StringRef(word->text);
  if (const auto *text = std::get_if<ast::Text>(&value.data))
    return llvm::StringRef(text->text);
  return std::nullopt;
}

std::optional<size_t>
AttributeValues::word(const ast::Attribute &attribute,
                      llvm::ArrayRef<llvm::StringLiteral> words) {
  if (auto text = wordOf(attribute.value))
    for (size_t i = 0; i != words.size(); ++i)
      if (*text == words[i])
        return i;
  std::string expected;
  for (size_t i = 0; i != words.size(); ++i)
    expected += (i == 0 ? "" : " or ") + quote(words[i]);
  fail(attribute, expected);
  return std::nullopt;
}

std::optional<DType> AttributeValues::dtype(const ast::Attribute &attribute) {
  auto text = wordOf(attribute.value);
  bool isBare = std::holds_alternative<ast::Word>(attribute.value.data);
  if (!text || (isBare && dialect == Dialect::Paddle)) {
    fail(attribute, dialect == Dialect::Aoa ? "a dtype such as bfloat16"
                                            : "a dtype in quotes");
    return std::nullopt;
  }
  auto dtype = dtypeFromAnyName(*text);
  bool isTarget = attribute.name != "src_dtype";
  if (dtype && dialect == Dialect::Paddle && isTarget && *text != "float16" &&
      *text != "bfloat16" && *text != "float32") {
    reporter.report(diag::RefusedCast, statement, attribute.value.range,
                    "a cast to " + quote(*text) +
                        ", expected float16, bfloat16 or float32 with "
                        "--std=paddle");
    return std::nullopt;
  }
  if (dtype)
    return dtype;
  NearestName nearest{std::string_view(*text)};
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS)                                   \
  nearest.consider(PYTHON);                                                    \
  nearest.consider(#NAME);
#include "aoa/Support/DType.def"
  reporter.report(diag::UnknownCastDType, statement, attribute.value.range,
                  "unknown dtype " + quote(*text) + nearest.hint());
  return std::nullopt;
}
