//===- JsonFields.h - Reading fields, reporting faults ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What reading a layout and reading a catalog have in common: objects with
// known fields, values of a wanted kind, and faults that are reported with
// their place and path.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_JSONFIELDS_H
#define AOA_LIB_CATALOG_JSONFIELDS_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/Expression.h"
#include "aoa/Support/JsonReader.h"

#include <array>
#include <deque>
#include <span>

namespace aoa {

class JsonFields {
public:
  /// With `parameters`, `${…}` in strings is replaced, and a string that is one
  /// `${…}` may stand for a number; otherwise it is text like any other.
  JsonFields(FileId file, DiagnosticSink &sink,
             const ExprScope *parameters = nullptr)
      : file(file), sink(sink), parameters(parameters),
        errorsBefore(sink.numErrors()) {}

  /// Reads the text; reports why it is no JSON.
  std::optional<JsonDocument> parse(std::string_view text);

  SourceRange rangeOf(JsonValue value) const {
    return {file, value.begin(), value.end()};
  }

  /// Reports a fault at `value`, or at the part `within` of it. After many
  /// faults the rest are not shown.
  void fault(JsonValue value, const DiagnosticKind &kind, std::string message,
             std::vector<Note> notes = {},
             std::optional<SourceRange> within = std::nullopt);
  FileId fileId() const { return file; }
  bool hadFaults() const { return sink.numErrors() != errorsBefore; }
  /// Whether so many faults were shown that reading on helps nobody.
  bool isFull() const { return numFaults >= maxFaults; }

  /// Returns the members of `object` called `names`, in the order of `names`.
  /// Reports members of other names, but `about`. Reports `value` if it is no
  /// object.
  template <size_t N>
  std::array<std::optional<JsonValue>, N>
  read(JsonValue value, const std::array<std::string_view, N> &names) {
    std::array<std::optional<JsonValue>, N> found;
    readInto(value, names, found);
    return found;
  }

  /// Whether the outermost object says that it is of another schema, which is
  /// reported: then none of its fields means anything.
  bool isOfOtherSchema(JsonValue root, std::string_view schema);

  /// Reports that `object` lacks `name`, if it does.
  bool require(JsonValue object, const std::optional<JsonValue> &field,
               std::string_view name);

  /// The following report a value of another kind and return nothing. Texts
  /// live as long as this and the document.
  std::optional<std::string_view> string(JsonValue value,
                                         std::string_view what = "a string");
  std::optional<double> number(JsonValue value,
                               std::string_view what = "a number");
  /// A whole number of at least `least`.
  std::optional<int64_t> whole(JsonValue value, int64_t least,
                               std::string_view what);
  /// A list of extents: none negative, their product below 2^62.
  std::optional<Shape> shape(JsonValue value);
  /// A list of whole numbers, none negative.
  std::optional<Shape> extents(JsonValue value);
  bool isArray(JsonValue value, std::string_view what);
  bool isObject(JsonValue value, std::string_view what);
  void wrongKind(JsonValue value, std::string_view wanted);

private:
  void readInto(JsonValue value, std::span<const std::string_view> names,
                std::span<std::optional<JsonValue>> found);
  void unknownField(JsonValue key, std::span<const std::string_view> names);
  bool isInserted(JsonValue value) const;
  std::optional<Expr> parseString(JsonValue value);
  void wrongParameter(JsonValue value, const ExprFault &fault);
  /// The value of a string that is one `${…}`. Reports all other strings that
  /// hold one.
  std::optional<Constant> insertedValue(JsonValue value, std::string_view what);

  static constexpr unsigned maxFaults = 100;
  FileId file;
  DiagnosticSink &sink;
  const ExprScope *parameters;
  std::deque<std::string> replaced; ///< Strings whose `${…}` has a value.
  unsigned errorsBefore;
  unsigned numFaults = 0;
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_JSONFIELDS_H
