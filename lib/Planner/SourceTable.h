//===- SourceTable.h - Where the bytes of source shards lie -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The files of the source that a plan reads, and one source that is in the plan
// itself: the elements that Fills repeat, equal ones once. A catalog of names
// and shapes has none: its shards then lie one behind the other in a nameless
// source for each rank, so that such a plan can be made and counted, but not
// run.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PLANNER_SOURCETABLE_H
#define AOA_LIB_PLANNER_SOURCETABLE_H

#include "aoa/IR/Program.h"
#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

#include <map>
#include <span>
#include <unordered_map>

namespace aoa {

class SourceTable {
public:
  explicit SourceTable(const ir::Program &program)
      : program(program), known(program.values.size()) {}

  /// Returns where the shards of a tensor lie, one a shard, or the element of a
  /// Fill; sources are counted as before `finish`: the files of the source, the
  /// plan itself, nameless ones. Made on first use. Fails when the sizes of
  /// nameless sources do not fit.
  Expected<std::span<const SlotRun>> placesOf(ir::ValueId source);

  /// Fills the plan's sources with those that its slots lie in, in order of the
  /// catalog, and renumbers the slots. To be called once, at the end.
  void finish(TransferPlan &plan);

private:
  Expected<std::vector<SlotRun>> makePlaces(ir::ValueId source);
  Expected<std::vector<SlotRun>> placeInlined(ir::ValueId fill);
  uint32_t inlinedSource() const {
    return static_cast<uint32_t>(program.source->storages.size());
  }
  Expected<void> placeNameless(const Tensor &tensor,
                               std::vector<SlotRun> &places);
  struct NamelessShard {
    uint32_t source; ///< That of the shard's first rank.
    int64_t numElements;
  };
  const std::vector<NamelessShard> &namelessOf(const Tensor &tensor);
  uint32_t namelessOfFirst(std::span<const uint32_t> ranks);

  const ir::Program &program;
  std::vector<std::vector<SlotRun>> known; ///< By source; empty: not asked.
  std::string inlined; ///< Elements of Fills, one behind the other.
  std::map<std::string, int64_t> inlinedAt; ///< Element → its first byte.
  /// A source that has no storage is one file a rank, by order of first use.
  std::unordered_map<uint32_t, uint32_t> namelessOfRank;
  std::vector<int64_t> namelessBytes; ///< So far.
  std::unordered_map<const void *, std::vector<NamelessShard>> namelessOfShards;
  std::vector<NamelessShard> wholeOnRank0; ///< Of the tensor at hand.
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_SOURCETABLE_H
