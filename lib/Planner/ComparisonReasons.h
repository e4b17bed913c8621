//===- ComparisonReasons.h - Why two tensors must be equal ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a plan tells people about a comparison that a statement asks for:
//
//   embed, head -> embed, tie=verify         head tied to embed at s.aoa:1
//   k -> k, dedup=4, axis=0, block=128       dedup of k at s.aoa:2
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PLANNER_COMPARISONREASONS_H
#define AOA_LIB_PLANNER_COMPARISONREASONS_H

#include "aoa/IR/Program.h"

#include <functional>
#include <map>

namespace aoa {

class ComparisonReasons {
public:
  /// Costs a step for each operation. `placeOf` may be empty.
  ComparisonReasons(const ir::Program &program,
                    std::function<std::string(SourceRange)> placeOf);

  /// Requires the results of one Compare.
  std::string of(const ir::Result &left, const ir::Result &right) const;

private:
  const ir::Program &program;
  std::function<std::string(SourceRange)> placeOf;
  std::map<std::pair<ir::ValueId, ir::ValueId>, ir::OpId> opOf;
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_COMPARISONREASONS_H
