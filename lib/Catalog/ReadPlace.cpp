//===- ReadPlace.cpp - Who holds tensors, in a layout's JSON ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadPlace.h"

#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

std::optional<int> findMeshAxis(JsonValue value, std::string_view name,
                                const Mesh &mesh, bool meshIsKnown,
                                JsonFields &fields) {
  int axis = mesh.findAxis(name);
  if (axis >= 0)
    return axis;
  if (!meshIsKnown)
    return std::nullopt;
  std::string axes;
  NearestName nearest(name);
  for (const MeshAxis &known : mesh.axes) {
    nearest.consider(known.name);
    axes += fmt::format("{} `{}`", axes.empty() ? "" : ",", known.name);
  }
  fields.fault(value, diag::LayoutRuleFault,
               fmt::format("unknown mesh axis `{}`, expected {}{}{}", name,
                           axes.empty() ? "a `mesh` that has it" : "one of",
                           axes, nearest.hint()));
  return std::nullopt;
}

void HolderReader::wrong(JsonValue value, std::string message) {
  fields.fault(value, diag::LayoutRuleFault, std::move(message));
}

void HolderReader::readMatch(JsonValue value) {
  std::optional<std::string_view> text = fields.string(value);
  if (!text)
    return;
  Expected<NamePattern> pattern = NamePattern::parse(*text);
  if (pattern)
    rule.match = std::move(*pattern);
  else
    fields.fault(value, diag::LayoutPattern, pattern.error().str());
}

void HolderReader::readOn(JsonValue value) {
  if (!fields.isObject(value, "an object from mesh axis to coordinates"))
    return;
  for (auto [key, coordinates] : value.members()) {
    std::optional<int> axis =
        findMeshAxis(key, key.str(), mesh, meshIsKnown, fields);
    std::optional<CoordinateSet> set = readCoordinates(coordinates);
    if (axis && set)
      rule.on.emplace(*axis, std::move(*set));
  }
}

std::optional<CoordinateSet> HolderReader::readCoordinates(JsonValue value) {
  constexpr std::string_view what =
      "a coordinate, a list of coordinates or an expression";
  if (value.isString())
    return readExpression(value);
  if (value.isObject())
    return readBlocks(value);
  if (!value.isArray()) {
    auto coordinate = fields.whole(value, INT64_MIN, what);
    if (!coordinate)
      return std::nullopt;
    return std::vector<int64_t>{*coordinate};
  }
  std::vector<int64_t> coordinates;
  for (JsonValue element : value.elements())
    if (auto coordinate = fields.whole(element, INT64_MIN, "a coordinate"))
      coordinates.push_back(*coordinate);
  if (value.size() == 0)
    wrong(value, "no coordinates, expected at least one");
  return coordinates;
}

/// `{ "blocks": [19, 21, 21, 19], "of": "i" }`
std::optional<CoordinateSet> HolderReader::readBlocks(JsonValue value) {
  auto [blocks, of] = fields.read<2>(value, {"blocks", "of"});
  std::optional<Shape> extents;
  if (fields.require(value, blocks, "blocks"))
    extents = fields.extents(*blocks);
  std::optional<CoordinateSet> set;
  if (fields.require(value, of, "of")) {
    if (of->isString())
      set = readExpression(*of);
    else
      fields.wrongKind(*of, "an expression");
  }
  if (!extents || !set)
    return std::nullopt;
  std::optional<int64_t> sum = 0;
  for (int64_t extent : *extents)
    if (sum)
      sum = checkedAdd(*sum, extent);
  if (!sum)
    wrong(*blocks, "sum of the blocks is beyond 64 bits");
  else if (*sum == 0)
    wrong(*blocks, "the blocks hold no number, expected at least one");
  std::get<ComputedCoordinate>(*set).blocks = std::move(*extents);
  return set;
}

std::optional<std::pair<std::string_view, uint32_t>>
HolderReader::textOf(JsonValue value) {
  std::optional<std::string_view> text = fields.string(value);
  if (!text)
    return std::nullopt;
  bool isVerbatim = !value.hasEscapes() && *text == value.str();
  return std::pair(*text, isVerbatim ? value.begin() + 1 : 0);
}

void HolderReader::report(JsonValue value, uint32_t begin,
                          const ExprFault &fault) {
  fields.fault(value, diag::LayoutRuleFault, fault.message, {},
               begin == 0 ? std::nullopt : std::optional(fault.range));
}

/// Reports variables of `expr` that are not among `known`, which `what` calls.
void HolderReader::checkNames(JsonValue value, const Expr &expr,
                              const std::vector<std::string> &known,
                              std::string_view what) {
  // A pattern that could not be read captures nothing.
  if (rule.match.text().empty())
    return;
  anyVariable(expr, [&](std::string_view name) {
    if (std::ranges::find(known, name) != known.end())
      return false;
    wrong(value, fmt::format("unknown name `{}`, expected {}{}", name, what,
                             nearestName(name, known).hint()));
    return true;
  });
}

std::optional<CoordinateSet> HolderReader::readExpression(JsonValue value) {
  auto text = textOf(value);
  if (!text)
    return std::nullopt;
  ExprResult<Expr> expr =
      parseExpression(text->first, fields.fileId(), text->second);
  if (!expr) {
    report(value, text->second, expr.error());
    return std::nullopt;
  }
  checkNames(value, *expr, rule.match.numberCaptures(),
             fmt::format("a number that `{}` captures", rule.match.text()));
  return ComputedCoordinate{std::move(*expr), {}};
}

void HolderReader::readStoredAs(JsonValue value) {
  auto text = textOf(value);
  if (!text)
    return;
  ExprResult<StoredName> stored =
      StoredName::parse(text->first, fields.fileId(), text->second);
  if (!stored)
    return report(value, text->second, stored.error());
  std::vector<std::string> known = rule.match.numberCaptures();
  for (std::string &capture : rule.match.textCaptures())
    known.push_back(std::move(capture));
  for (const std::string &capture : known)
    if (mesh.findAxis(capture) >= 0)
      wrong(value, fmt::format("`{}` is captured by `{}` and a mesh axis, "
                               "expected different names",
                               capture, rule.match.text()));
  for (const MeshAxis &axis : mesh.axes)
    known.push_back(axis.name);
  if (meshIsKnown)
    for (const StoredName::Part &part : stored->parts())
      if (part.value)
        checkNames(value, *part.value, known,
                   fmt::format("what `{}` captures or a mesh axis",
                               rule.match.text()));
  rule.storedAs = std::move(*stored);
}

HolderRule readPlace(JsonValue value, const Mesh &mesh, bool meshIsKnown,
                     JsonFields &fields) {
  HolderRule rule;
  auto [match, on, storedAs] =
      fields.read<3>(value, {"match", "on", "stored_as"});
  rule.range = fields.rangeOf(value);
  rule.path = value.path();
  if (!value.isObject())
    return rule;
  HolderReader reader(mesh, meshIsKnown, fields, rule);
  if (fields.require(value, match, "match"))
    reader.readMatch(*match);
  if (on)
    reader.readOn(*on);
  if (storedAs)
    reader.readStoredAs(*storedAs);
  if (!on && !storedAs)
    fields.fault(value, diag::MissingField,
                 "field `on` or `stored_as` is missing");
  return rule;
}

} // namespace aoa
