//===- StoredName.cpp - What ranks call their tensors -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StoredName.h"

#include "HolderScope.h"
#include "aoa/Catalog/Layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

ExprResult<StoredName> StoredName::parse(std::string_view text, FileId file,
                                         uint32_t begin) {
  auto wrongAt = [&](size_t at, std::string message) {
    auto place = begin + static_cast<uint32_t>(at);
    return std::unexpected(
        ExprFault{{file, place, place + 1}, std::move(message)});
  };
  constexpr size_t maxBytes = 4096; // as patterns have
  if (text.size() > maxBytes)
    return wrongAt(0, fmt::format("the name has {} bytes, more than {}",
                                  text.size(), maxBytes));
  StoredName name;
  for (size_t at = 0; at < text.size();) {
    size_t brace = std::min(text.find_first_of("{}", at), text.size());
    if (brace != at)
      name.pieces.push_back(
          {.literal = std::string(text.substr(at, brace - at)), .value = {}});
    if (brace == text.size())
      break;
    if (text[brace] == '}')
      return wrongAt(brace, "`}` without `{`");
    at = brace + 1;
    ExprResult<Expr> value = parseBraced(text, at, file, begin);
    if (!value)
      return std::unexpected(std::move(value.error()));
    name.pieces.push_back({.literal = {}, .value = std::move(*value)});
  }
  if (name.pieces.empty())
    return wrongAt(0, "the name is empty");
  return name;
}

/// What an expression puts into a name.
static Expected<std::string> insertedText(const Expr &expr,
                                          const ExprScope &scope) {
  ExprResult<Constant> value = evaluate(expr, scope);
  if (!value)
    return fail(ErrorKind::Format, fmt::format("in `{}`: {}", expr.written,
                                               value.error().message));
  if (auto *text = std::get_if<std::string>(&value->data))
    return std::move(*text);
  const auto *whole = std::get_if<int64_t>(&value->data);
  if (!whole || *whole < 0)
    return fail(ErrorKind::Format,
                fmt::format("`{}` is {}, expected a whole number from 0 on",
                            expr.written, describeConstant(*value)));
  return std::to_string(*whole);
}

Expected<std::string> StoredName::evaluate(const ExprScope &scope) const {
  std::string name;
  for (const Part &part : pieces) {
    if (!part.value) {
      name += part.literal;
      continue;
    }
    Expected<std::string> text = insertedText(*part.value, scope);
    if (!text)
      return failWith(std::move(text));
    name += *text;
  }
  if (name.empty())
    return fail(ErrorKind::Format, "the name is empty");
  return name;
}

StoredNames::StoredNames(const Layout &layout, const LayoutRule &rule,
                         std::string_view name)
    : layout(layout), name(name) {
  if (rule.storedAs)
    decidedBy = &rule;
  for (const HolderRule &place : layout.places)
    if (!decidedBy && place.storedAs && place.fit(name))
      decidedBy = &place;
  if (!decidedBy)
    return;
  for (size_t axis = 0; axis < layout.mesh.axes.size(); ++axis)
    if (std::ranges::any_of(
            decidedBy->storedAs->parts(), [&](const StoredName::Part &part) {
              return part.value &&
                     anyVariable(*part.value, [&](std::string_view variable) {
                       return variable == layout.mesh.axes[axis].name;
                     });
            }))
      axes.push_back(axis);
}

Expected<std::string_view> StoredNames::onRank(int64_t rank) {
  if (!decidedBy)
    return name;
  std::vector<int64_t> coordinates = layout.mesh.coordinates(rank);
  std::vector<int64_t> key;
  for (size_t axis : axes)
    key.push_back(coordinates[axis]);
  if (auto found = known.find(key); found != known.end())
    return std::string_view(found->second);
  std::optional<HolderRule::Fit> fit = decidedBy->fit(name);
  Expected<std::string> stored = decidedBy->storedAs->evaluate(
      HolderScope(fit ? fit->captures : Captures(), layout.mesh, coordinates));
  if (!stored)
    return failWith(std::move(stored),
                    fmt::format("`stored_as` of `{}` on rank {}", name, rank));
  if (fit)
    *stored += fit->stateSuffix;
  auto added = known.emplace(std::move(key), std::move(*stored)).first;
  return std::string_view(added->second);
}

bool renamesTensors(const Layout &layout) {
  auto renames = [](const HolderRule &rule) {
    return rule.storedAs.has_value();
  };
  return std::ranges::any_of(layout.rules, renames) ||
         std::ranges::any_of(layout.places, renames);
}

} // namespace aoa
