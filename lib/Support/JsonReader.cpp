//===- JsonReader.cpp - JSON with byte positions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A hand-written reader, because the JSON libraries at hand either do not know
// where a value stands or keep the last of two equal names silently.
//===----------------------------------------------------------------------===//
#include "aoa/Support/JsonReader.h"

#include "aoa/Support/Utf8.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace aoa {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t maxDepth = 256;
/// Objects with at most so many members are checked for equal names pair by
/// pair, larger ones by sorting.
constexpr size_t pairwiseLimit = 12;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Returns how many of the eight bytes of `word`, from the first in memory, are
/// plain: not below 0x20, no quote, no backslash, ASCII. Borrows can mark bytes
/// behind the first marked one wrongly, never before it.
size_t numPlainBytes(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  auto zeros = [](uint64_t x) { return (x - ones) & ~x & highs; };
  uint64_t controls = (word - ones * 0x20) & ~word & highs;
  uint64_t marked = (word & highs) | controls | zeros(word ^ (ones * '"')) |
                    zeros(word ^ (ones * '\\'));
  static_assert(std::endian::native == std::endian::little);
  return static_cast<size_t>(std::countr_zero(marked)) / 8;
}

/// Shows the character at `text[at]` in a message.
std::string showCharacter(std::string_view text, size_t at) {
  if (at >= text.size())
    return "the end of the text";
  unsigned char c = static_cast<unsigned char>(text[at]);
  size_t length = utf8Length(text, at);
  if (c < 0x20 || c == 0x7F || length == 0)
    return fmt::format("byte 0x{:02X}", c);
  return fmt::format("`{}`", text.substr(at, length));
}

} // namespace

/// The state of one pass. Containers that are open are kept on a stack of our
/// own: nesting must not grow the program's.
class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text(text) {
    document.source = text;
    // A value of a catalog takes about six bytes. Growing costs a copy; what
    // is reserved and not used costs nothing.
    document.nodes.reserve(text.size() / 6 + 16);
  }

  std::expected<JsonDocument, JsonFault> run() {
    if (text.size() >= UINT32_MAX) {
      faultAt(0, 0, "text of 4 GiB or more");
    } else if (text.starts_with("\xEF\xBB\xBF")) {
      faultAt(0, 3, "text starts with a byte order mark");
    } else if (readDocument()) {
      return std::move(document);
    }
    return std::unexpected(std::move(fault));
  }

private:
  bool faultAt(size_t begin, size_t end, std::string message) {
    fault.begin = static_cast<uint32_t>(begin);
    fault.end = static_cast<uint32_t>(std::min(end, text.size()));
    fault.message = std::move(message);
    if (fault.path.empty())
      fault.path = pathHere();
    return false;
  }

  bool unexpected(std::string_view wanted) {
    return faultAt(
        at, at + 1,
        fmt::format("found {}, expected {}", showCharacter(text, at), wanted));
  }

  /// The path of the value that is being read.
  std::string pathHere() {
    if (open.empty())
      return "";
    closeAll();
    std::string path = document.pathOf(open.back().node);
    if (pendingKey)
      JsonDocument::appendKey(path, document.stringOf(*pendingKey));
    else if (document.nodes[open.back().node].kind == JsonKind::Array &&
             open.back().numValues != 0)
      path += fmt::format("[{}]", open.back().numValues - 1);
    return path;
  }

  /// Gives the open containers an end, so that paths can be found.
  void closeAll() {
    for (const Open &container : open)
      document.nodes[container.node].link =
          static_cast<uint32_t>(document.nodes.size());
  }

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' ||
                                text[at] == '\r' || text[at] == '\t'))
      ++at;
  }

  uint32_t add(JsonKind kind, size_t begin, size_t end,
               uint32_t link = JsonDocument::noEscapes) {
    pendingKey.reset();
    document.nodes.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), link, kind});
    return static_cast<uint32_t>(document.nodes.size() - 1);
  }

  bool readDocument() {
    skipSpace();
    if (!readValue())
      return false;
    while (!open.empty())
      if (!readNext())
        return false;
    skipSpace();
    if (at != text.size())
      return faultAt(at, text.size(),
                     fmt::format("{} follows the end of the value",
                                 showCharacter(text, at)));
    return true;
  }

  /// Reads what comes next inside the innermost open container: an element or
  /// its end.
  bool readNext() {
    Open &container = open.back();
    bool isObject = document.nodes[container.node].kind == JsonKind::Object;
    char close = isObject ? '}' : ']';
    skipSpace();
    if (at < text.size() && text[at] == close)
      return readClose(isObject);
    if (container.numValues++ != 0) {
      if (at >= text.size() || text[at] != ',')
        return unexpected(isObject ? "`,` or `}`" : "`,` or `]`");
      ++at;
      skipSpace();
    }
    return isObject ? readMember() : readValue();
  }

  bool readClose(bool isObject) {
    // A comma before it was taken together with a value, so none is pending.
    Open container = open.back();
    ++at;
    JsonDocument::Node &node = document.nodes[container.node];
    node.end = static_cast<uint32_t>(at);
    node.link = static_cast<uint32_t>(document.nodes.size());
    if (isObject && !checkNames(container))
      return false;
    open.pop_back();
    return true;
  }

  bool readMember() {
    if (at >= text.size() || text[at] != '"')
      return unexpected("a name in quotes");
    if (!readString())
      return false;
    pendingKey = static_cast<uint32_t>(document.nodes.size() - 1);
    skipSpace();
    if (at >= text.size() || text[at] != ':')
      return unexpected("`:`");
    ++at;
    skipSpace();
    return readValue();
  }

  bool readValue() {
    if (at >= text.size())
      return unexpected("a value");
    switch (text[at]) {
    case '{':
      return readOpen(JsonKind::Object);
    case '[':
      return readOpen(JsonKind::Array);
    case '"':
      return readString();
    case 't':
      return readWord("true", JsonKind::Bool);
    case 'f':
      return readWord("false", JsonKind::Bool);
    case 'n':
      return readWord("null", JsonKind::Null);
    default:
      return readNumber();
    }
  }

  bool readOpen(JsonKind kind) {
    if (open.size() == maxDepth)
      return faultAt(at, at + 1,
                     fmt::format("nesting is deeper than {}", maxDepth));
    open.push_back({add(kind, at, at + 1), 0});
    ++at;
    return true;
  }

  bool readWord(std::string_view word, JsonKind kind) {
    if (text.substr(at, word.size()) != word)
      return unexpected("a value");
    add(kind, at, at + word.size());
    at += word.size();
    return true;
  }

  bool readNumber() {
    size_t begin = at;
    auto digits = [&] {
      size_t first = at;
      while (at < text.size() && isDigit(text[at]))
        ++at;
      return at != first;
    };
    if (text[at] == '-')
      ++at;
    if (at < text.size() && text[at] == '0') {
      ++at;
      if (at < text.size() && isDigit(text[at]))
        return faultAt(begin, at + 1, "a number starts with a zero");
    } else if (!digits()) {
      return at == begin ? unexpected("a value") : unexpected("a digit");
    }
    if (at < text.size() && text[at] == '.') {
      ++at;
      if (!digits())
        return unexpected("a digit");
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      ++at;
      if (at < text.size() && (text[at] == '+' || text[at] == '-'))
        ++at;
      if (!digits())
        return unexpected("a digit");
    }
    add(JsonKind::Number, begin, at);
    return true;
  }

  bool readString() {
    size_t begin = at++;
    // The part since `copied` is not in `resolved` yet; it stays empty as long
    // as there is no escape.
    std::string resolved;
    size_t copied = at;
    bool escaped = false;
    while (true) {
      for (uint64_t word; at + sizeof(word) <= text.size();) {
        std::memcpy(&word, text.data() + at, sizeof(word));
        size_t numPlain = numPlainBytes(word);
        at += numPlain;
        if (numPlain != sizeof(word))
          break;
      }
      if (at >= text.size())
        return faultAt(begin, text.size(), "string without closing quote");
      unsigned char c = static_cast<unsigned char>(text[at]);
      if (c == '"')
        break;
      if (c == '\\') {
        escaped = true;
        resolved.append(text, copied, at - copied);
        if (!readEscape(resolved))
          return false;
        copied = at;
      } else if (c < 0x20) {
        return faultAt(
            at, at + 1,
            fmt::format("byte 0x{:02X} in a string must be escaped", c));
      } else {
        size_t length = utf8Length(text, at);
        if (length == 0)
          return faultAt(at, at + 1,
                         fmt::format("byte 0x{:02X} is not UTF-8", c));
        at += length;
      }
    }
    uint32_t link = JsonDocument::noEscapes;
    if (escaped) {
      resolved.append(text, copied, at - copied);
      link = static_cast<uint32_t>(document.unescaped.size());
      document.unescaped.push_back(std::move(resolved));
    }
    ++at;
    add(JsonKind::String, begin, at, link);
    return true;
  }

  bool readEscape(std::string &resolved) {
    size_t begin = at++;
    char c = at < text.size() ? text[at++] : '\0';
    switch (c) {
    case '"':
    case '\\':
    case '/':
      resolved += c;
      return true;
    case 'b':
      resolved += '\b';
      return true;
    case 'f':
      resolved += '\f';
      return true;
    case 'n':
      resolved += '\n';
      return true;
    case 'r':
      resolved += '\r';
      return true;
    case 't':
      resolved += '\t';
      return true;
    case 'u':
      return readCodePoint(begin, resolved);
    default:
      return faultAt(begin, at, "unknown escape in a string");
    }
  }

  bool readCodePoint(size_t begin, std::string &resolved) {
    std::optional<uint32_t> code = readHex();
    if (!code)
      return faultAt(begin, at, "`\\u` wants four hexadecimal digits");
    if (*code >= 0xD800 && *code < 0xDC00 && text.substr(at, 2) == "\\u") {
      at += 2;
      std::optional<uint32_t> low = readHex();
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        appendUtf8(resolved,
                   0x10000 + ((*code - 0xD800) << 10) + *low - 0xDC00);
        return true;
      }
    }
    if (*code >= 0xD800 && *code < 0xE000)
      return faultAt(begin, at, "half of a surrogate pair in a string");
    appendUtf8(resolved, *code);
    return true;
  }

  std::optional<uint32_t> readHex() {
    uint32_t code = 0;
    std::string_view digits = text.substr(at, 4);
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    at += digits.size();
    if (digits.size() != 4 || error != std::errc() ||
        end != digits.data() + digits.size())
      return std::nullopt;
    return code;
  }

  struct Open {
    uint32_t node;
    size_t numValues;
  };

  /// Checks that each name of the object occurs once.
  bool checkNames(const Open &container) {
    if (container.numValues < 2)
      return true;
    std::vector<uint32_t> &keys = keyBuffer;
    keys.clear();
    uint32_t last = document.nodes[container.node].link;
    for (uint32_t key = container.node + 1; key != last;
         key = document.after(key + 1))
      keys.push_back(key);
    if (keys.size() <= pairwiseLimit) {
      for (size_t i = 1; i < keys.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (document.stringOf(keys[i]) == document.stringOf(keys[j]))
            return duplicate(keys[j], keys[i]);
      return true;
    }
    std::sort(keys.begin(), keys.end(), [&](uint32_t a, uint32_t b) {
      int order = document.stringOf(a).compare(document.stringOf(b));
      return order < 0 || (order == 0 && a < b);
    });
    auto twin = std::adjacent_find(
        keys.begin(), keys.end(), [&](uint32_t a, uint32_t b) {
          return document.stringOf(a) == document.stringOf(b);
        });
    return twin == keys.end() || duplicate(twin[0], twin[1]);
  }

  bool duplicate(uint32_t first, uint32_t second) {
    const auto &firstNode = document.nodes[first];
    const auto &secondNode = document.nodes[second];
    fault.firstBegin = firstNode.begin;
    fault.firstEnd = firstNode.end;
    closeAll();
    fault.path = document.pathOf(second + 1);
    return faultAt(secondNode.begin, secondNode.end,
                   fmt::format("name `{}` is given twice in one object",
                               document.stringOf(second)));
  }

  std::string_view text;
  size_t at = 0;
  JsonDocument document;
  JsonFault fault;
  std::vector<Open> open;
  std::optional<uint32_t> pendingKey; ///< A key whose value is not there yet.
  std::vector<uint32_t> keyBuffer;
};

std::expected<JsonDocument, JsonFault>
JsonDocument::parse(std::string_view text) {
  return JsonParser(text).run();
}

} // namespace aoa
