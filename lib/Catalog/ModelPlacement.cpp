//===- ModelPlacement.cpp - A layout applied to all tensors -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/ModelPlacement.h"

#include "CutDimensions.h"
#include "FlatBuffers.h"
#include "Holders.h"
#include "TensorPlacer.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

namespace aoa {

class ModelPlacer {
public:
  ModelPlacer(const Layout &layout, std::span<const TensorToPlace> tensors,
              ModelPlacement &result)
      : layout(layout), tensors(tensors), result(result), placer(layout) {}

  void run() {
    result.isUsed.assign(layout.rules.size(), false);
    result.answers.resize(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i)
      start(i);
    for (std::vector<size_t> &group : groups)
      placeGroup(group);
  }

private:
  using Answer = ModelPlacement::Answer;

  void start(size_t tensor) {
    Answer &answer = result.answers[tensor];
    const auto &[name, shape, dtype] = tensors[tensor];
    answer.rule = layout.findRule(name);
    if (!answer.rule) {
      answer.shards =
          fail(ErrorKind::Mismatch,
               fmt::format("no rule of the layout matches `{}`", name));
      return;
    }
    const LayoutRule &rule = *answer.rule;
    result.isUsed[static_cast<size_t>(&rule - layout.rules.data())] = true;
    if (dtype)
      if (auto scaled = checkScale(layout, rule, name, *dtype); !scaled) {
        answer.shards = failWith(std::move(scaled));
        return;
      }
    if (!rule.flatten) {
      answer.shards = placer.place(rule, name, shape);
      return;
    }
    if (auto checked = checkPlaces(layout, rule, name); !checked) {
      answer.shards = failWith(std::move(checked));
      return;
    }
    answer.shards = placeLocally(rule, tensors[tensor]);
    if (!answer.shards)
      return;
    if (rule.flatten->each)
      answer.shards = placeAlone(*answer.shards, *rule.flatten, shape);
    else
      groupOf(rule).push_back(tensor);
  }

  /// The local shards as if the axis of `flatten` were not there: those of the
  /// ranks at coordinate 0.
  Expected<ShardList> placeLocally(const LayoutRule &rule,
                                   const TensorToPlace &tensor) {
    if (layout.mesh.numRanks() > maxPlacedRanks)
      return fail(ErrorKind::Limit,
                  fmt::format("`flatten` on a mesh of {} ranks, more than {}",
                              layout.mesh.numRanks(), maxPlacedRanks));
    if (tensor.dtype && !hasWholeBytes(*tensor.dtype))
      return fail(ErrorKind::Unsupported,
                  fmt::format("{} has elements of less than a byte, which "
                              "`flatten` cannot tell apart",
                              nameOf(*tensor.dtype)));
    auto [local, isNew] = localRules.try_emplace(&rule, rule);
    if (isNew) {
      local->second.flatten.reset();
      local->second.on.insert_or_assign(rule.flatten->axis,
                                        std::vector<int64_t>{0});
    }
    return placer.place(local->second, tensor.name, tensor.shape);
  }

  Expected<ShardList> placeAlone(const ShardList &local,
                                 const FlattenRule &rule, const Shape &shape) {
    // The local list stands for rule, shape and holders.
    auto [known, isNew] = alone.try_emplace(local.identity());
    if (!isNew)
      return known->second;
    FlatBuffers buffers(layout.mesh, rule);
    if (auto measured = buffers.measure(local); !measured) {
      alone.erase(known);
      return failWith(std::move(measured));
    }
    Expected<std::vector<Shard>> fragments = buffers.place(local, shape);
    if (!fragments) {
      alone.erase(known);
      return failWith(std::move(fragments));
    }
    return known->second = ShardList(std::move(*fragments));
  }

  std::vector<size_t> &groupOf(const LayoutRule &rule) {
    // Names of groups are never empty.
    const LayoutRule *alone = rule.flatten->group.empty() ? &rule : nullptr;
    auto [known, isNew] =
        groupIndex.try_emplace({alone, rule.flatten->group}, groups.size());
    if (isNew)
      groups.emplace_back();
    return groups[known->second];
  }

  void placeGroup(std::vector<size_t> &members) {
    const FlattenRule &rule = *result.answers[members[0]].rule->flatten;
    sortMembers(members, rule);
    FlatBuffers buffers(layout.mesh, rule);
    for (size_t member : members)
      if (auto measured = buffers.measure(*result.answers[member].shards);
          !measured)
        return refuseAll(members, measured.error());
    for (size_t member : members) {
      Expected<ShardList> &shards = result.answers[member].shards;
      Expected<std::vector<Shard>> fragments =
          buffers.place(*shards, tensors[member].shape);
      if (!fragments)
        return refuseAll(members, fragments.error());
      shards = lists.intern(std::move(*fragments));
    }
  }

  /// The buffer does not exist, and with it no place of any of its tensors.
  void refuseAll(const std::vector<size_t> &members, const Error &error) {
    for (size_t member : members)
      result.answers[member].shards = std::unexpected(error);
  }

  void sortMembers(std::vector<size_t> &members, const FlattenRule &rule) {
    auto patternOf = [&](size_t member) {
      auto fits = std::ranges::find_if(rule.order, [&](const NamePattern &one) {
        return one.matches(tensors[member].name);
      });
      return fits - rule.order.begin();
    };
    std::vector<std::tuple<ptrdiff_t, std::string_view, size_t>> keys;
    for (size_t member : members)
      keys.emplace_back(patternOf(member), tensors[member].name, member);
    std::ranges::sort(keys);
    for (size_t i = 0; i < keys.size(); ++i)
      members[i] = std::get<size_t>(keys[i]);
  }

  const Layout &layout;
  std::span<const TensorToPlace> tensors;
  ModelPlacement &result;
  TensorPlacer placer;
  ShardLists lists;
  /// Rules as if their `flatten` were not there.
  std::map<const LayoutRule *, LayoutRule> localRules;
  std::unordered_map<const void *, ShardList> alone;
  std::map<std::pair<const LayoutRule *, std::string>, size_t> groupIndex;
  std::vector<std::vector<size_t>> groups; ///< Tensors of each buffer.
};

ModelPlacement::ModelPlacement(const Layout &layout,
                               std::span<const TensorToPlace> tensors) {
  ModelPlacer(layout, tensors, *this).run();
}

} // namespace aoa
