//===- ClassKey.h - Which results share their geometry ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two results are of one layout class when everything that their pieces from
// storage to storage depend on is equal: shape, pieces of source tensors, the
// shapes and shards of those, the target's shards. Names, ranks and places in
// files are not part of it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_TRANSFORMS_CLASSKEY_H
#define AOA_LIB_TRANSFORMS_CLASSKEY_H

#include "aoa/IR/Program.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <unordered_map>

namespace aoa {

/// Numbers the geometries of shard lists: equal numbers, equal shards but for
/// their ranks. Cost: linear in a list the first time it is seen.
class ShardGeometries {
public:
  uint32_t numberOf(const ShardList &shards);

private:
  llvm::DenseMap<const void *, uint32_t> known; ///< By identity.
  std::vector<ShardList> kept; ///< So that identities stay theirs.
  std::unordered_map<std::string, uint32_t> numbers;
};

/// Fills `result.slots` with the source tensors of its pieces, in the order of
/// their first pieces, and returns the key of its class.
std::string classKey(const ir::Program &program, ir::Result &result,
                     ShardGeometries &geometries);

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_CLASSKEY_H
