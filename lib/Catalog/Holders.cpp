//===- Holders.cpp - The ranks that hold a tensor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Holders.h"

#include "CutDimensions.h"
#include "HolderScope.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace aoa {

namespace {

/// What decides about one mesh axis of a tensor.
struct Decider {
  const CoordinateSet *set = nullptr; ///< Null: all coordinates hold it.
  const HolderRule *rule = nullptr;
  size_t number = 0; ///< 0: the tensor's rule, else 1 + index in `place`.
};

/// For each mesh axis; a rule before the entries of `place`, the first of
/// several.
class Deciders {
public:
  Deciders(const Layout &layout, const LayoutRule &rule, std::string_view name)
      : name(name), ofAxis(layout.mesh.axes.size()) {
    for (const auto &[axis, set] : rule.on)
      ofAxis[static_cast<size_t>(axis)] = {&set, &rule, 0};
    for (size_t i = 0; i < layout.places.size(); ++i)
      add(layout.places[i], i + 1);
  }

  const std::vector<Decider> &all() const { return ofAxis; }

  /// The coordinate that a decider computes.
  Expected<int64_t> evaluate(const Decider &decider) {
    auto [fit, isNew] = fits.try_emplace(decider.rule);
    if (isNew)
      if (auto found = decider.rule->fit(name))
        fit->second = std::move(found->captures);
    Expected<int64_t> coordinate = evaluateCoordinate(
        std::get<ComputedCoordinate>(*decider.set), fit->second);
    if (!coordinate)
      return failWith(std::move(coordinate), fmt::format("`on` of `{}`", name));
    return coordinate;
  }

  /// The coordinates that a decider admits, as written.
  Expected<std::vector<int64_t>> admittedBy(const Decider &decider) {
    if (const auto *list = std::get_if<std::vector<int64_t>>(decider.set))
      return *list;
    Expected<int64_t> coordinate = evaluate(decider);
    if (!coordinate)
      return failWith(std::move(coordinate));
    return std::vector<int64_t>{*coordinate};
  }

private:
  void add(const HolderRule &place, size_t number) {
    std::optional<HolderRule::Fit> fit;
    for (const auto &[axis, set] : place.on) {
      Decider &decider = ofAxis[static_cast<size_t>(axis)];
      if (decider.set)
        continue;
      if (!fit) {
        fit = place.fit(name);
        if (!fit)
          return;
        fits.emplace(&place, fit->captures);
      }
      decider = {&set, &place, number};
    }
  }

  std::string_view name;
  std::vector<Decider> ofAxis;
  std::map<const HolderRule *, Captures> fits;
};

/// The block that `value` falls in.
Expected<int64_t> blockOf(int64_t value, const ComputedCoordinate &computed) {
  int64_t end = 0;
  for (size_t block = 0; block < computed.blocks.size(); ++block) {
    end += computed.blocks[block]; // Their sum was checked.
    if (value >= 0 && value < end)
      return static_cast<int64_t>(block);
  }
  return fail(ErrorKind::Mismatch,
              fmt::format("`{}` is {}, which lies in none of the {} blocks: "
                          "they hold 0 to {}",
                          computed.value.written, value, computed.blocks.size(),
                          end - 1));
}

Expected<void> checkInMesh(const MeshAxis &axis, int64_t coordinate,
                           std::string_view name) {
  if (coordinate >= 0 && coordinate < axis.size)
    return {};
  return fail(ErrorKind::Mismatch,
              fmt::format("coordinate {} of axis `{}` for `{}` lies "
                          "outside the mesh, where the axis has size {}",
                          coordinate, axis.name, name, axis.size));
}

} // namespace

Expected<int64_t> evaluateCoordinate(const ComputedCoordinate &computed,
                                     const Captures &captures) {
  ExprResult<Constant> value = evaluate(computed.value, HolderScope(captures));
  if (!value)
    return fail(ErrorKind::Format,
                fmt::format("in `{}`: {}", computed.value.written,
                            value.error().message));
  const auto *whole = std::get_if<int64_t>(&value->data);
  if (!whole)
    return fail(ErrorKind::Format,
                fmt::format("`{}` is {}, expected a whole number",
                            computed.value.written, describeConstant(*value)));
  return computed.blocks.empty() ? Expected<int64_t>(*whole)
                                 : blockOf(*whole, computed);
}

Expected<std::vector<std::vector<int64_t>>>
coordinatesHolding(const Layout &layout, const LayoutRule &rule,
                   std::string_view name) {
  const Mesh &mesh = layout.mesh;
  std::vector<std::vector<int64_t>> admitted(mesh.axes.size());
  Deciders deciders(layout, rule, name);
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    const Decider &decider = deciders.all()[axis];
    if (!decider.set)
      continue;
    Expected<std::vector<int64_t>> coordinates = deciders.admittedBy(decider);
    if (!coordinates)
      return failWith(std::move(coordinates));
    for (int64_t coordinate : *coordinates)
      if (auto checked = checkInMesh(mesh.axes[axis], coordinate, name);
          !checked)
        return failWith(std::move(checked));
    std::ranges::sort(*coordinates);
    auto twins = std::ranges::unique(*coordinates);
    coordinates->erase(twins.begin(), twins.end());
    admitted[axis] = std::move(*coordinates);
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

Expected<std::vector<int64_t>> holdersKey(const Layout &layout,
                                          const LayoutRule &rule,
                                          std::string_view name) {
  std::vector<int64_t> key;
  Deciders deciders(layout, rule, name);
  for (const Decider &decider : deciders.all()) {
    // A list that the rule itself gives is the same for all of its tensors.
    bool isList = decider.set &&
                  std::holds_alternative<std::vector<int64_t>>(*decider.set);
    if (!decider.set || (isList && decider.number == 0)) {
      if (!layout.places.empty())
        key.push_back(0);
      continue;
    }
    if (!layout.places.empty())
      key.push_back(1 + static_cast<int64_t>(decider.number));
    if (isList)
      continue;
    Expected<int64_t> value = deciders.evaluate(decider);
    if (!value)
      return failWith(std::move(value));
    key.push_back(*value);
  }
  return key;
}

Expected<void> checkPlaces(const Layout &layout, const LayoutRule &rule,
                           std::string_view name) {
  if (layout.places.empty() || (!rule.hasPieces && !rule.flatten))
    return {};
  Deciders deciders(layout, rule, name);
  for (size_t axis = 0; axis < layout.mesh.axes.size(); ++axis) {
    const Decider &decider = deciders.all()[axis];
    if (decider.number == 0)
      continue;
    if (rule.hasPieces)
      return fail(ErrorKind::Mismatch,
                  fmt::format("{} says who holds `{}`, but the `pieces` of {} "
                              "do so already",
                              decider.rule->path, name, rule.path));
    if (static_cast<size_t>(rule.flatten->axis) == axis)
      return fail(ErrorKind::Mismatch,
                  fmt::format("{} restricts axis `{}` for `{}`, but the buffer "
                              "of {} is cut over all of it",
                              decider.rule->path, layout.mesh.axes[axis].name,
                              name, rule.path));
  }
  return {};
}

Expected<bool> isHolder(const Layout &layout, const LayoutRule &rule,
                        std::string_view name,
                        const std::vector<int64_t> &coordinates) {
  if (rule.hasPieces) {
    Expected<std::vector<uint32_t>> ranks = ranksHolding(layout, rule, name);
    if (!ranks)
      return failWith(std::move(ranks));
    int64_t rank = 0;
    for (size_t axis = 0; axis < coordinates.size(); ++axis)
      rank = rank * layout.mesh.axes[axis].size + coordinates[axis];
    return std::ranges::binary_search(*ranks, static_cast<uint32_t>(rank));
  }
  Deciders deciders(layout, rule, name);
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    const Decider &decider = deciders.all()[axis];
    if (!decider.set)
      continue;
    Expected<std::vector<int64_t>> admitted = deciders.admittedBy(decider);
    if (!admitted)
      return failWith(std::move(admitted));
    if (std::ranges::find(*admitted, coordinates[axis]) == admitted->end())
      return false;
  }
  return true;
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
  if (auto checked = checkPlaces(layout, rule, name); !checked)
    return failWith(std::move(checked));
  if (rule.hasPieces)
    return ranksOfPieces(layout.mesh, rule);
  auto coordinates = coordinatesHolding(layout, rule, name);
  if (!coordinates)
    return failWith(std::move(coordinates));
  std::vector<uint32_t> ranks;
  std::vector<int64_t> noKey(layout.mesh.axes.size());
  forEachHolder(layout.mesh, *coordinates, noKey,
                [&](uint32_t rank, int64_t) { ranks.push_back(rank); });
  return ranks;
}

} // namespace aoa
