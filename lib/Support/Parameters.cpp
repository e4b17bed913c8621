//===- Parameters.cpp - What `-D` and config.json say ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Parameters.h"
#include "aoa/Support/JsonReader.h"
#include "aoa/Support/Utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace aoa {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isName(std::string_view text) {
  return !text.empty() && isLetter(text.front()) &&
         std::ranges::all_of(text,
                             [](char c) { return isLetter(c) || isDigit(c); });
}

/// Whether `text` is an optional `-` and a number as expressions have them, a
/// whole one without leading zeros (those are spellings: `layers.01`).
bool isNumber(std::string_view text) {
  if (text.starts_with('-'))
    text.remove_prefix(1);
  auto takeDigits = [&] {
    size_t count = 0;
    while (count < text.size() && isDigit(text[count]))
      ++count;
    text.remove_prefix(count);
    return count;
  };
  bool startsWithZero = text.starts_with('0');
  size_t numDigits = takeDigits();
  if (numDigits == 0)
    return false;
  if (text.empty())
    return numDigits == 1 || !startsWithZero;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (takeDigits() == 0)
      return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+'))
      text.remove_prefix(1);
    if (takeDigits() == 0)
      return false;
  }
  return text.empty();
}

template <typename T> std::optional<T> readNumber(std::string_view text) {
  T value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// The value of a `-D`; nothing for a number that has no place in 64 bits.
std::optional<Constant> constantOf(std::string_view text) {
  if (text == "true" || text == "false")
    return Constant{text == "true"};
  if (!isNumber(text))
    return Constant{std::string(text)};
  if (text.find_first_of(".eE") == std::string_view::npos) {
    if (auto whole = readNumber<int64_t>(text))
      return Constant{*whole};
    return std::nullopt;
  }
  if (auto number = readNumber<double>(text))
    return Constant{*number};
  return std::nullopt;
}

std::optional<Constant> constantOf(JsonValue value) {
  switch (value.kind()) {
  case JsonKind::Null:
  case JsonKind::Object:
    return std::nullopt;
  case JsonKind::Bool:
    return Constant{value.boolean()};
  case JsonKind::String:
    return Constant{std::string(value.str())};
  case JsonKind::Number: {
    if (auto whole = value.wholeNumber())
      return Constant{*whole};
    std::string_view digits = value.rawText();
    bool isFloat = digits.find_first_of(".eE") != std::string_view::npos;
    if (auto number = value.number(); number && isFloat)
      return Constant{*number};
    return Constant{std::string(digits)}; // it would be rounded otherwise
  }
  case JsonKind::Array:
    break;
  }
  std::vector<Constant> entries;
  for (JsonValue element : value.elements()) {
    std::optional<Constant> entry = constantOf(element);
    if (!entry)
      return std::nullopt;
    entries.push_back(std::move(*entry));
  }
  return Constant{std::move(entries)};
}

std::optional<JsonValue> entryOf(JsonValue list, std::string_view digits) {
  std::optional<size_t> wanted = readNumber<size_t>(digits);
  if (!list.isArray() || !wanted)
    return std::nullopt;
  size_t index = 0;
  for (JsonValue element : list.elements())
    if (index++ == *wanted)
      return element;
  return std::nullopt;
}

/// Collects the paths of the values below `value` that are no lists.
void collectPaths(JsonValue value, const std::string &path,
                  std::vector<std::string> &paths) {
  constexpr size_t limit = 10'000;
  constexpr size_t longest = 200; // nobody writes longer ones
  if (paths.size() >= limit || path.size() > longest)
    return;
  if (!value.isObject()) {
    if (!value.isArray() && !value.isNull())
      paths.push_back(path);
    return;
  }
  for (auto [key, member] : value.members())
    collectPaths(member,
                 path.empty() ? std::string(key.str())
                              : fmt::format("{}.{}", path, key.str()),
                 paths);
}

std::string jsonString(std::string_view text) {
  std::string result;
  appendJsonString(result, text);
  return result;
}

} // namespace

/// A config that was read; `document` holds views into `text`.
struct Parameters::Config {
  explicit Config(std::string json) : text(std::move(json)) {}
  std::string text;
  std::optional<JsonDocument> document;
};

Expected<void> Parameters::define(std::string_view nameAndValue) {
  size_t equals = nameAndValue.find('=');
  if (equals == std::string_view::npos)
    return fail(ErrorKind::Format,
                fmt::format("found `{}`, expected `name=value`", nameAndValue));
  std::string_view name = nameAndValue.substr(0, equals);
  std::string_view value = nameAndValue.substr(equals + 1);
  if (!isName(name))
    return fail(ErrorKind::Format,
                fmt::format("parameter `{}` is no name, expected letters, "
                            "digits and `_`, not a digit first",
                            name));
  if (name.ends_with("_ID"))
    return fail(ErrorKind::Format,
                fmt::format("parameter `{}` ends in `_ID`, as placeholders of "
                            "templates do; choose another name",
                            name));
  static constexpr auto words = std::to_array<std::string_view>(
      {"and", "or", "not", "true", "false", "config"});
  if (std::ranges::find(words, name) != words.end())
    return fail(ErrorKind::Format,
                fmt::format("parameter `{}` is a word of expressions; choose "
                            "another name",
                            name));
  if (!isUtf8(value))
    return fail(ErrorKind::Format,
                fmt::format("parameter `{}` is not UTF-8", name));
  if (!constantOf(value))
    return fail(ErrorKind::Limit,
                fmt::format("parameter `{}`: number {} is beyond 64 bits", name,
                            value));
  defined.insert_or_assign(std::string(name), std::string(value));
  return {};
}

Expected<void> Parameters::setConfig(std::string_view json) {
  auto config = std::make_shared<Config>(std::string(json));
  auto document = JsonDocument::parse(config->text);
  if (!document)
    return fail(ErrorKind::Format,
                fmt::format("{} at byte {}", document.error().message,
                            document.error().begin));
  config->document = std::move(*document);
  if (JsonValue root = config->document->root(); !root.isObject())
    return fail(ErrorKind::Format, fmt::format("found {}, expected an object",
                                               describe(root.kind())));
  shared = std::move(config);
  return {};
}

std::optional<Constant> Parameters::parameter(std::string_view name) const {
  auto found = defined.find(name);
  return found == defined.end() ? std::nullopt : constantOf(found->second);
}

std::optional<Constant> Parameters::config(std::string_view path) const {
  if (!shared)
    return std::nullopt;
  std::optional<JsonValue> value = shared->document->root();
  while (value && !path.empty()) {
    bool isEntry = path.starts_with('[');
    if (isEntry || path.starts_with('.'))
      path.remove_prefix(1);
    std::string_view step = path.substr(0, path.find_first_of(".[]"));
    path.remove_prefix(step.size());
    if (isEntry && path.starts_with(']'))
      path.remove_prefix(1);
    if (isEntry)
      value = entryOf(*value, step);
    else
      value = value->isObject() ? value->find(step) : std::nullopt;
  }
  return value ? constantOf(*value) : std::nullopt;
}

std::vector<std::string> Parameters::parameterNames() const {
  std::vector<std::string> names;
  for (const auto &[name, value] : defined)
    names.push_back(name);
  return names;
}

std::vector<std::string> Parameters::configPaths() const {
  std::vector<std::string> paths;
  if (shared)
    collectPaths(shared->document->root(), "", paths);
  return paths;
}

std::string Parameters::text(bool withConfig) const {
  std::string result = "{\"parameters\": {";
  std::string_view separator = "";
  for (const auto &[name, value] : defined) {
    result +=
        fmt::format("{}{}: {}", separator, jsonString(name), jsonString(value));
    separator = ", ";
  }
  result += "}";
  // As a string: what holds it would nest it deeper than it was read.
  if (withConfig && shared)
    result += fmt::format(", \"config\": {}", jsonString(shared->text));
  return result + "}";
}

Expected<Parameters> Parameters::fromText(std::string_view text) {
  Parameters parameters;
  auto document = JsonDocument::parse(text);
  auto broken = [] {
    return fail(ErrorKind::Format, "these are no parameters of a plan");
  };
  if (!document || !document->root().isObject())
    return broken();
  std::optional<JsonValue> given = document->root().find("parameters");
  if (!given || !given->isObject())
    return broken();
  for (auto [name, value] : given->members()) {
    if (!value.isString())
      return broken();
    auto added =
        parameters.define(fmt::format("{}={}", name.str(), value.str()));
    if (!added)
      return failWith(std::move(added));
  }
  if (std::optional<JsonValue> config = document->root().find("config")) {
    if (!config->isString())
      return broken();
    auto set = parameters.setConfig(config->str());
    if (!set)
      return failWith(std::move(set));
  }
  return parameters;
}

} // namespace aoa
