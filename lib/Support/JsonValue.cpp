//===- JsonValue.cpp - Values of a JSON text and their paths ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/JsonReader.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace aoa {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view JsonDocument::stringOf(uint32_t node) const {
  const Node &string = nodes[node];
  if (string.link != noEscapes)
    return unescaped[string.link];
  return source.substr(string.begin + 1, string.end - string.begin - 2);
}

void JsonDocument::appendKey(std::string &path, std::string_view key) {
  auto isWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           isDigit(c);
  };
  if (key.empty() || isDigit(key[0]) ||
      !std::all_of(key.begin(), key.end(), isWord)) {
    path += '[';
    appendJsonString(path, key);
    path += ']';
    return;
  }
  if (!path.empty())
    path += '.';
  path += key;
}

std::string JsonDocument::pathOf(uint32_t node) const {
  std::string path;
  // Goes from sibling to sibling until `node` lies inside one, then down.
  for (uint32_t container = 0; container != node;) {
    bool isObject = nodes[container].kind == JsonKind::Object;
    uint32_t child = container + 1;
    size_t index = 0;
    auto valueOf = [&](uint32_t c) { return isObject ? c + 1 : c; };
    for (; node >= after(valueOf(child)); ++index)
      child = after(valueOf(child));
    if (isObject)
      appendKey(path, stringOf(child));
    else
      path += fmt::format("[{}]", index);
    if (isObject && node == child)
      return path; // the key itself
    container = valueOf(child);
  }
  return path;
}

JsonKind JsonValue::kind() const { return document->nodes[node].kind; }
uint32_t JsonValue::begin() const { return document->nodes[node].begin; }
uint32_t JsonValue::end() const { return document->nodes[node].end; }

std::string_view JsonValue::rawText() const {
  return document->source.substr(begin(), end() - begin());
}

bool JsonValue::boolean() const {
  assert(isBool() && "only a Bool has a truth value");
  return rawText() == "true";
}

std::string_view JsonValue::str() const {
  assert(isString() && "only a String has a text");
  return document->stringOf(node);
}

bool JsonValue::hasEscapes() const {
  return document->nodes[node].link != JsonDocument::noEscapes;
}

std::optional<int64_t> JsonValue::wholeNumber() const {
  if (!isNumber())
    return std::nullopt;
  std::string_view digits = rawText();
  int64_t number = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

std::optional<double> JsonValue::number() const {
  if (!isNumber())
    return std::nullopt;
  std::string_view digits = rawText();
  double number = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

size_t JsonValue::size() const {
  assert((isArray() || isObject()) && "only containers have a size");
  size_t count = 0;
  for (uint32_t child = node + 1; child != document->after(node); ++count)
    child = document->after(isObject() ? child + 1 : child);
  return count;
}

JsonElements JsonValue::elements() const {
  assert(isArray() && "only an Array has elements");
  return {document, node};
}

JsonMembers JsonValue::members() const {
  assert(isObject() && "only an Object has members");
  return {document, node};
}

std::optional<JsonValue> JsonValue::find(std::string_view name) const {
  for (auto [key, value] : members())
    if (key.str() == name)
      return value;
  return std::nullopt;
}

std::string JsonValue::path() const { return document->pathOf(node); }

std::string_view describe(JsonKind kind) {
  switch (kind) {
  case JsonKind::Null:
    return "null";
  case JsonKind::Bool:
    return "true or false";
  case JsonKind::Number:
    return "a number";
  case JsonKind::String:
    return "a string";
  case JsonKind::Array:
    return "a list";
  case JsonKind::Object:
    return "an object";
  }
  return "";
}

void appendJsonString(std::string &out, std::string_view text) {
  // Escapes with a letter, and the letters.
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  out += '"';
  for (char c : text) {
    if (size_t at = escaped.find(c); at != std::string_view::npos) {
      out += '\\';
      out += letters[at];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

} // namespace aoa
