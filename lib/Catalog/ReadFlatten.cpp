//===- ReadFlatten.cpp - The field `flatten` of a layout rule ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadFlatten.h"

#include "ReadPlace.h"
#include "aoa/Catalog/CatalogDiagnostics.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

class FlattenReader {
public:
  FlattenReader(const Mesh &mesh, bool meshIsKnown, JsonFields &fields)
      : mesh(mesh), meshIsKnown(meshIsKnown), fields(fields) {}

  std::optional<FlattenRule> read(JsonValue value) {
    auto [over, align, alignEach, group, order, each] = fields.read<6>(
        value, {"over", "align", "align_each", "group", "order", "each"});
    if (!value.isObject())
      return std::nullopt;
    std::optional<int> axis;
    if (fields.require(value, over, "over"))
      axis = readAxis(*over);
    if (align)
      rule.align = readAlign(*align);
    if (alignEach)
      rule.alignEach = readAlign(*alignEach);
    if (each && each->isBool())
      rule.each = each->boolean();
    else if (each)
      fields.wrongKind(*each, "true or false");
    if (group)
      readGroup(*group);
    if (order)
      readOrder(*order);
    for (const auto &[field, name] :
         {std::pair(group, "group"), std::pair(order, "order")})
      if (field && rule.each)
        wrong(*field, fmt::format("`{}` together with `each`, which gives "
                                  "every tensor a buffer of its own",
                                  name));
    if (rule.each)
      rule.group.clear();
    if (!axis)
      return std::nullopt;
    rule.axis = *axis;
    return std::move(rule);
  }

private:
  void wrong(JsonValue value, std::string message) {
    fields.fault(value, diag::LayoutRuleFault, std::move(message));
  }

  std::optional<int> readAxis(JsonValue value) {
    std::optional<std::string_view> name = fields.string(value);
    if (!name)
      return std::nullopt;
    return findMeshAxis(value, *name, mesh, meshIsKnown, fields);
  }

  int64_t readAlign(JsonValue value) {
    return fields.whole(value, 1, "a whole number of at least 1").value_or(1);
  }

  void readGroup(JsonValue value) {
    std::optional<std::string_view> name = fields.string(value);
    if (name && name->empty())
      wrong(value, "a group without a name");
    else if (name)
      rule.group = *name;
  }

  void readOrder(JsonValue value) {
    if (value.isString() && fields.string(value) == "name")
      return;
    if (!fields.isArray(value, "\"name\" or a list of patterns"))
      return;
    for (JsonValue element : value.elements()) {
      std::optional<std::string_view> text = fields.string(element);
      if (!text)
        continue;
      Expected<NamePattern> pattern = NamePattern::parse(*text);
      if (pattern)
        rule.order.push_back(std::move(*pattern));
      else
        fields.fault(element, diag::LayoutPattern, pattern.error().str());
    }
  }

  const Mesh &mesh;
  bool meshIsKnown;
  JsonFields &fields;
  FlattenRule rule;
};

} // namespace

std::optional<FlattenRule> readFlatten(JsonValue value, const Mesh &mesh,
                                       bool meshIsKnown, JsonFields &fields) {
  return FlattenReader(mesh, meshIsKnown, fields).read(value);
}

void checkFlattenAxis(JsonValue value, const LayoutRule &rule, const Mesh &mesh,
                      JsonFields &fields) {
  if (!rule.flatten)
    return;
  int axis = rule.flatten->axis;
  const std::string &name = mesh.axes[static_cast<size_t>(axis)].name;
  for (const DimCut &cut : rule.cuts)
    if (std::ranges::find(cut.meshAxes, axis) != cut.meshAxes.end())
      fields.fault(value, diag::LayoutRuleFault,
                   fmt::format("axis `{}` cuts dimension {} already, expected "
                               "each axis at most once",
                               name, cut.dim));
  if (rule.on.contains(axis))
    fields.fault(value, diag::LayoutRuleFault,
                 fmt::format("axis `{}` is restricted by `on`, but the buffer "
                             "is cut over all of it",
                             name));
}

void checkFlattenGroup(JsonValue value, std::span<const LayoutRule> rules,
                       JsonFields &fields) {
  const std::optional<FlattenRule> &last = rules.back().flatten;
  if (!last || last->group.empty())
    return;
  auto first = std::ranges::find_if(rules, [&](const LayoutRule &rule) {
    return rule.flatten && rule.flatten->group == last->group;
  });
  if (!first->flatten->isSameAs(*last))
    fields.fault(value, diag::LayoutRuleFault,
                 fmt::format("group `{}` is laid out otherwise than by {}, "
                             "expected the same `over`, `align`, `align_each` "
                             "and `order`",
                             last->group, first->path),
                 {{first->range, fmt::format("{} is here", first->path)}});
}

} // namespace aoa
