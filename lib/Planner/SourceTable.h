//===- SourceTable.h - Where the bytes of source shards lie -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The files of the source that a plan reads. A catalog of names and shapes has
// none: its shards then lie one behind the other in a nameless source for each
// rank, so that such a plan can be made and counted, but not run.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PLANNER_SOURCETABLE_H
#define AOA_LIB_PLANNER_SOURCETABLE_H

#include "aoa/IR/Program.h"
#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

#include <map>

namespace aoa {

class SourceTable {
public:
  explicit SourceTable(const ir::Program &program)
      : program(program), tensors(program.values.size(), nullptr) {}

  struct Place {
    uint32_t source; ///< As `finish` numbers them after all.
    int64_t atBytes;
  };
  /// Fails when the sizes of nameless sources do not fit.
  Expected<Place> find(ir::ValueId source, uint32_t shard);

  /// Fills the plan's sources with those that its slots lie in, in order of the
  /// catalog, and renumbers the slots.
  void finish(TransferPlan &plan) const;

private:
  Expected<Place> placeNameless(const Tensor &tensor, const Shard *shard,
                                Place &place);

  const ir::Program &program;
  std::vector<const Tensor *> tensors; ///< By value; found on first use.
  struct Nameless {
    uint32_t index;
    int64_t bytes = 0;
  };
  std::map<uint32_t, Nameless> namelessOfRank;
  std::map<std::pair<ir::ValueId, uint32_t>, Place> namelessPlaces;
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_SOURCETABLE_H
