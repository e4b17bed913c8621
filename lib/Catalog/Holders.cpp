//===- Holders.cpp - The ranks that hold a tensor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Holders.h"

#include "CutDimensions.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace aoa {

namespace {

Expected<int64_t> evaluate(const CoordinateExpr &expr,
                           const std::optional<Captures> &captures,
                           std::string_view name) {
  Expected<int64_t> coordinate =
      expr.evaluate(captures ? captures->numbers : Captures().numbers);
  if (!coordinate)
    return failWith(std::move(coordinate), fmt::format("`on` of `{}`", name));
  return coordinate;
}

/// The coordinates that one entry of `on` admits, as written.
Expected<std::vector<int64_t>> admittedBy(const CoordinateSet &set,
                                          const LayoutRule &rule,
                                          std::string_view name) {
  if (const auto *list = std::get_if<std::vector<int64_t>>(&set))
    return *list;
  Expected<int64_t> coordinate =
      evaluate(std::get<CoordinateExpr>(set), rule.fit(name), name);
  if (!coordinate)
    return failWith(std::move(coordinate));
  return std::vector<int64_t>{*coordinate};
}

} // namespace

Expected<std::vector<std::vector<int64_t>>>
coordinatesHolding(const Mesh &mesh, const LayoutRule &rule,
                   std::string_view name) {
  std::vector<std::vector<int64_t>> admitted(mesh.axes.size());
  for (const auto &[axis, set] : rule.on) {
    const MeshAxis &of = mesh.axes[static_cast<size_t>(axis)];
    Expected<std::vector<int64_t>> coordinates = admittedBy(set, rule, name);
    if (!coordinates)
      return failWith(std::move(coordinates));
    for (int64_t coordinate : *coordinates)
      if (coordinate < 0 || coordinate >= of.size)
        return fail(ErrorKind::Mismatch,
                    fmt::format("coordinate {} of axis `{}` for `{}` lies "
                                "outside the mesh, where the axis has size {}",
                                coordinate, of.name, name, of.size));
    std::ranges::sort(*coordinates);
    auto twins = std::ranges::unique(*coordinates);
    coordinates->erase(twins.begin(), twins.end());
    admitted[static_cast<size_t>(axis)] = std::move(*coordinates);
  }

  std::optional<int64_t> numHolders = 1;
  for (size_t i = 0; i < mesh.axes.size(); ++i)
    if (numHolders)
      numHolders = checkedMul(*numHolders,
                              admitted[i].empty()
                                  ? mesh.axes[i].size
                                  : static_cast<int64_t>(admitted[i].size()));
  if (!numHolders || *numHolders > maxPlacedRanks)
    return fail(ErrorKind::Limit,
                fmt::format("`{}` would be held by more than {} ranks", name,
                            maxPlacedRanks));
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (!admitted[i].empty())
      continue;
    admitted[i].resize(static_cast<size_t>(mesh.axes[i].size));
    std::iota(admitted[i].begin(), admitted[i].end(), int64_t(0));
  }
  return admitted;
}

Expected<std::vector<int64_t>> evaluateOn(const LayoutRule &rule,
                                          std::string_view name) {
  std::vector<int64_t> values;
  std::optional<Captures> captures;
  for (const auto &[axis, set] : rule.on)
    if (const auto *expr = std::get_if<CoordinateExpr>(&set)) {
      if (!captures)
        captures = rule.fit(name);
      Expected<int64_t> value = evaluate(*expr, captures, name);
      if (!value)
        return failWith(std::move(value));
      values.push_back(*value);
    }
  return values;
}

/// The ranks of `pieces`; with `flatten` all along its axis, as each of them
/// may get a part of the buffer.
static std::vector<uint32_t> ranksOfPieces(const Mesh &mesh,
                                           const LayoutRule &rule) {
  int64_t numParts = 1, stride = 1;
  if (rule.flatten) {
    auto axis = static_cast<size_t>(rule.flatten->axis);
    numParts = mesh.axes[axis].size;
    for (size_t i = axis + 1; i < mesh.axes.size(); ++i)
      stride *= mesh.axes[i].size;
  }
  std::vector<uint32_t> ranks;
  for (const auto &[rank, pieces] : rule.pieces)
    // Others are refused when the tensor is placed.
    if (numParts == 1 || rank / stride % numParts == 0)
      for (int64_t part = 0; part < numParts; ++part)
        ranks.push_back(static_cast<uint32_t>(rank + part * stride));
  std::ranges::sort(ranks);
  return ranks;
}

Expected<std::vector<uint32_t>> ranksHolding(const Layout &layout,
                                             const LayoutRule &rule,
                                             std::string_view name) {
  if (rule.hasPieces)
    return ranksOfPieces(layout.mesh, rule);
  auto coordinates = coordinatesHolding(layout.mesh, rule, name);
  if (!coordinates)
    return failWith(std::move(coordinates));
  std::vector<uint32_t> ranks;
  std::vector<int64_t> noKey(layout.mesh.axes.size());
  forEachHolder(layout.mesh, *coordinates, noKey,
                [&](uint32_t rank, int64_t) { ranks.push_back(rank); });
  return ranks;
}

} // namespace aoa
