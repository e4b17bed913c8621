//===- ClassifyJson.cpp - What a JSON input seems to be ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Looks at the names of the outermost object only and reads no further than it
// must: catalogs can be large, and a broken text shall go to the reader that
// words the fault.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/CatalogJson.h"

namespace aoa {

namespace {

class MemberScanner {
public:
  explicit MemberScanner(std::string_view text) : text(text) {}

  /// Goes into the outermost object.
  bool enter() {
    skipSpace();
    return take('{');
  }

  /// Finds the next member; its value is skipped by the call after.
  bool next(std::string_view &name, std::string_view &stringValue) {
    skipSpace();
    take(',');
    skipSpace();
    if (!scanString(name))
      return false;
    skipSpace();
    if (!take(':'))
      return false;
    skipSpace();
    size_t begin = at;
    if (scanString(stringValue))
      return true;
    at = begin;
    stringValue = {};
    skipValue();
    return true;
  }

private:
  void skipSpace() {
    while (at < text.size() &&
           std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos)
      ++at;
  }

  bool take(char c) {
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  /// Reads a string; escapes are left as they are.
  bool scanString(std::string_view &string) {
    if (!take('"'))
      return false;
    size_t begin = at;
    for (; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\')
        ++at;
    if (at >= text.size())
      return false;
    string = text.substr(begin, at++ - begin);
    return true;
  }

  /// Skips to the comma or bracket behind a value.
  void skipValue() {
    size_t depth = 0;
    std::string_view ignored;
    while (at < text.size()) {
      char c = text[at];
      if (c == '"') {
        if (!scanString(ignored))
          return;
        continue;
      }
      if (c == '{' || c == '[')
        ++depth;
      else if (c == '}' || c == ']') {
        if (depth-- == 0)
          return;
      } else if (c == ',' && depth == 0) {
        return;
      }
      ++at;
    }
  }

  std::string_view text;
  size_t at = 0;
};

} // namespace

JsonInputKind classifyJsonInput(std::string_view json) {
  MemberScanner scanner(json);
  if (!scanner.enter())
    return JsonInputKind::Other;
  // Without a schema the fields decide, so that the right reader says that it
  // is missing.
  JsonInputKind byFields = JsonInputKind::Other;
  bool hasVersion = false, hasParams = false;
  std::string_view name, value;
  while (scanner.next(name, value)) {
    if (name == "schema" && value.starts_with("aoa.catalog"))
      return JsonInputKind::Catalog;
    if (name == "schema" && value.starts_with("aoa.layout"))
      return JsonInputKind::Layout;
    if (name == "aoa_statements")
      return JsonInputKind::Statements;
    if (name == "tensors" || name == "storages")
      byFields = JsonInputKind::Catalog;
    if (name == "mesh" || name == "rules")
      byFields = JsonInputKind::Layout;
    hasVersion |= name == "version";
    hasParams |= name == "params";
    if (name == "affine_map" || name == "universal_checkpoint_info" ||
        (hasVersion && hasParams))
      byFields = JsonInputKind::AffineMap;
  }
  return byFields;
}

} // namespace aoa
