//===- LayoutJson.cpp - Reading a layout ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/LayoutJson.h"

#include "Identifier.h"
#include "ReadFlatten.h"
#include "ReadLayoutRule.h"
#include "ReadPlace.h"
#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/Parameters.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

constexpr std::string_view schemaName = "aoa.layout/1";
constexpr int64_t maxRanks = int64_t(1) << 31;

class LayoutReader {
public:
  LayoutReader(FileId file, DiagnosticSink &sink, const ExprScope &parameters)
      : fields(file, sink, &parameters) {
    layout.file = file;
  }

  std::optional<Layout> read(std::string_view json) {
    std::optional<JsonDocument> document = fields.parse(json);
    if (!document)
      return std::nullopt;
    readRoot(document->root());
    if (fields.hadFaults())
      return std::nullopt;
    return std::move(layout);
  }

private:
  void readRoot(JsonValue root) {
    if (fields.isOfOtherSchema(root, schemaName))
      return;
    auto [schema, mesh, rules, place, files] =
        fields.read<5>(root, {"schema", "mesh", "rules", "place", "files"});
    if (!root.isObject() || !checkSchema(root, schema))
      return;
    bool meshIsKnown = !mesh || readMesh(*mesh);
    if (fields.require(root, rules, "rules") &&
        fields.isArray(*rules, "a list of rules"))
      for (JsonValue rule : rules->elements()) {
        if (fields.isFull())
          return;
        layout.rules.push_back(
            readLayoutRule(rule, layout.mesh, meshIsKnown, fields));
        checkFlattenGroup(rule, layout.rules, fields);
      }
    if (place && fields.isArray(*place, "a list of entries"))
      for (JsonValue entry : place->elements()) {
        if (fields.isFull())
          return;
        layout.places.push_back(
            readPlace(entry, layout.mesh, meshIsKnown, fields));
      }
    // Axes that could not be read would be reported again as unknown.
    if (meshIsKnown)
      readFiles(files);
  }

  bool checkSchema(JsonValue root, const std::optional<JsonValue> &schema) {
    if (!fields.require(root, schema, "schema"))
      return false;
    return fields.string(*schema).has_value();
  }

  bool readMesh(JsonValue value) {
    if (!fields.isObject(value, "an object from axis to size"))
      return false;
    bool ok = true;
    int64_t numRanks = 1;
    for (auto [key, size] : value.members()) {
      ok &= checkAxisName(key);
      std::optional<int64_t> extent =
          fields.whole(size, INT64_MIN, "the size of the axis");
      ok &= extent.has_value();
      if (extent && *extent <= 0) {
        fields.fault(size, diag::LayoutMesh,
                     fmt::format("axis `{}` has size {}, expected at least 1",
                                 key.str(), *extent));
        ok = false;
      }
      layout.mesh.axes.push_back(
          {std::string(key.str()), std::max<int64_t>(extent.value_or(1), 1)});
      if (!ok)
        continue;
      std::optional<int64_t> product = checkedMul(numRanks, *extent);
      if (!product || *product > maxRanks) {
        fields.fault(
            size, diag::LayoutMesh,
            fmt::format("mesh has {} times {} ranks with axis `{}`, more than "
                        "2^31",
                        numRanks, *extent, key.str()));
        ok = false;
        continue;
      }
      numRanks = *product;
    }
    return ok;
  }

  /// Axes are named in expressions and in names of files.
  bool checkAxisName(JsonValue key) {
    std::string_view name = key.str();
    if (!isIdentifier(name)) {
      fields.fault(key, diag::LayoutMesh,
                   fmt::format("axis `{}`, expected a name of letters, digits "
                               "and `_`",
                               name));
      return false;
    }
    if (name == "rank" || name == "world") {
      fields.fault(key, diag::LayoutMesh,
                   fmt::format("axis `{}` has the name of a placeholder of "
                               "`files`, expected another one",
                               name));
      return false;
    }
    return true;
  }

  void readFiles(const std::optional<JsonValue> &files) {
    std::string_view text = FileNamePattern::defaultText;
    if (files) {
      std::optional<std::string_view> given = fields.string(*files);
      if (!given)
        return;
      text = *given;
    }
    Expected<FileNamePattern> pattern =
        FileNamePattern::parse(text, layout.mesh);
    if (!pattern)
      fields.fault(*files, diag::LayoutFiles, pattern.error().str());
    else
      layout.files = std::move(*pattern);
  }

  JsonFields fields;
  Layout layout;
};

} // namespace

std::optional<Layout> parseLayout(std::string_view json, FileId file,
                                  DiagnosticSink &sink,
                                  const ExprScope *parameters) {
  Parameters none;
  return LayoutReader(file, sink, parameters ? *parameters : none).read(json);
}

} // namespace aoa
