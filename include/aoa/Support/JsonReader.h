//===- JsonReader.h - JSON with byte positions ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a JSON text (RFC 8259) into a compact tree whose values know where they
// stand, so that every fault can be shown at its place:
//
//   auto document = JsonDocument::parse(text);
//   for (auto [key, value] : document->root().members())
//     if (value.isArray()) ... value.begin(), value.path() ...
//
// Stricter than the RFC where input is hostile or a mistake: a name twice in
// one object, text after the value, bytes that are not UTF-8, halves of
// surrogate pairs, nesting deeper than 256 and texts of 4 GiB are faults. Does
// not recurse. Cost: one pass, 16 bytes a value; strings without escapes are
// views into the text, which must outlive the document.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_JSONREADER_H
#define AOA_SUPPORT_JSONREADER_H

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aoa {

enum class JsonKind : uint8_t {
  Null,
  Bool,
  Number,
  String,
  Array,
  Object,
};

/// Returns how messages call a value of `kind`: `a list`, `an object`, …
std::string_view describe(JsonKind kind);

/// Why a text is not JSON: bytes [begin, end) of it and what is wrong there.
struct JsonFault {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string message;
  /// Where the fault lies in what was read so far, as `rules[2].shard`.
  std::string path;
  /// For a name that is given twice: where it stood first (begin == end
  /// otherwise).
  uint32_t firstBegin = 0;
  uint32_t firstEnd = 0;

  bool isDuplicateName() const { return firstBegin != firstEnd; }
};

class JsonDocument;
class JsonElements;
class JsonMembers;

/// One value of a document: a handle, cheap to copy, good as long as the
/// document stays where it is.
class JsonValue {
public:
  JsonKind kind() const;
  bool isNull() const { return kind() == JsonKind::Null; }
  bool isBool() const { return kind() == JsonKind::Bool; }
  bool isNumber() const { return kind() == JsonKind::Number; }
  bool isString() const { return kind() == JsonKind::String; }
  bool isArray() const { return kind() == JsonKind::Array; }
  bool isObject() const { return kind() == JsonKind::Object; }

  /// The bytes of the value in the text: quotes and brackets included.
  uint32_t begin() const;
  uint32_t end() const;
  std::string_view rawText() const;

  /// Requires isBool().
  bool boolean() const;
  /// Returns the string with its escapes resolved. Requires isString().
  std::string_view str() const;
  /// Whether the string has escapes, so that positions in `str()` are not
  /// positions in the text. Requires isString().
  bool hasEscapes() const;
  /// Returns a number written without fraction and exponent that fits; nothing
  /// for any other value.
  std::optional<int64_t> wholeNumber() const;
  /// Returns the nearest double; nothing for what is no number or overflows.
  std::optional<double> number() const;

  /// Number of elements or members. Cost: linear. Requires a list or object.
  size_t size() const;
  /// The elements of a list. Requires isArray().
  JsonElements elements() const;
  /// The members of an object, in order, as pairs of key and value. Requires
  /// isObject().
  JsonMembers members() const;
  /// Returns the member called `name`. Cost: linear. Requires isObject().
  std::optional<JsonValue> find(std::string_view name) const;

  /// Returns the way from the root: `rules[2].shard["0"]`; empty for the root.
  /// Cost: the number of siblings before it on each level.
  std::string path() const;

private:
  friend class JsonDocument;
  friend class JsonElements;
  friend class JsonMembers;
  JsonValue(const JsonDocument *document, uint32_t node)
      : document(document), node(node) {}

  const JsonDocument *document;
  uint32_t node;
};

/// A text that was read. Movable; handles do not survive a move.
class JsonDocument {
public:
  /// Reads the whole of `text`. Fails at the first fault.
  static std::expected<JsonDocument, JsonFault> parse(std::string_view text);

  JsonValue root() const { return {this, 0}; }
  std::string_view text() const { return source; }

private:
  friend class JsonValue;
  friend class JsonElements;
  friend class JsonMembers;
  friend class JsonParser;

  /// Values in the order of the text; a member is its key and then its value.
  struct Node {
    uint32_t begin = 0;
    uint32_t end = 0;
    /// Containers: the node after the last one inside. Strings: index into
    /// `unescaped`, or `noEscapes`.
    uint32_t link = 0;
    JsonKind kind = JsonKind::Null;
  };
  static constexpr uint32_t noEscapes = UINT32_MAX;

  bool isContainer(uint32_t node) const {
    return nodes[node].kind >= JsonKind::Array;
  }
  uint32_t after(uint32_t node) const {
    return isContainer(node) ? nodes[node].link : node + 1;
  }
  std::string_view stringOf(uint32_t node) const;
  std::string pathOf(uint32_t node) const;
  static void appendKey(std::string &path, std::string_view key);

  std::string_view source;
  std::vector<Node> nodes;
  std::deque<std::string> unescaped;
};

/// The range that `JsonValue::elements` returns.
class JsonElements {
public:
  class Iterator {
  public:
    JsonValue operator*() const { return {document, node}; }
    Iterator &operator++() {
      node = document->after(node);
      return *this;
    }
    bool operator==(const Iterator &other) const { return node == other.node; }

  private:
    friend class JsonElements;
    Iterator(const JsonDocument *document, uint32_t node)
        : document(document), node(node) {}
    const JsonDocument *document;
    uint32_t node;
  };

  Iterator begin() const { return {document, container + 1}; }
  Iterator end() const { return {document, document->after(container)}; }

private:
  friend class JsonValue;
  JsonElements(const JsonDocument *document, uint32_t container)
      : document(document), container(container) {}
  const JsonDocument *document;
  uint32_t container;
};

/// The range that `JsonValue::members` returns.
class JsonMembers {
public:
  class Iterator {
  public:
    std::pair<JsonValue, JsonValue> operator*() const {
      return {JsonValue(document, node), JsonValue(document, node + 1)};
    }
    Iterator &operator++() {
      node = document->after(node + 1);
      return *this;
    }
    bool operator==(const Iterator &other) const { return node == other.node; }

  private:
    friend class JsonMembers;
    Iterator(const JsonDocument *document, uint32_t node)
        : document(document), node(node) {}
    const JsonDocument *document;
    uint32_t node;
  };

  Iterator begin() const { return {document, container + 1}; }
  Iterator end() const { return {document, document->after(container)}; }

private:
  friend class JsonValue;
  JsonMembers(const JsonDocument *document, uint32_t container)
      : document(document), container(container) {}
  const JsonDocument *document;
  uint32_t container;
};

/// Appends `text` to `out` as a JSON string with its quotes, as serde_json (and
/// so the safetensors library) writes it: only `"`, `\` and control characters
/// are escaped, those by a letter that have one.
void appendJsonString(std::string &out, std::string_view text);

} // namespace aoa

#endif // AOA_SUPPORT_JSONREADER_H
