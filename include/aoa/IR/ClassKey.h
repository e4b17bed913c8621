//===- ClassKey.h - Which results share their geometry ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two results are of one layout class when everything that their pieces from
// storage to storage depend on is equal: shape, pieces of source tensors, the
// shapes and shards of those, the target's shards. Names, ranks, places in
// files and the values of Fills are not part of it.
//===----------------------------------------------------------------------===//
#ifndef AOA_IR_CLASSKEY_H
#define AOA_IR_CLASSKEY_H

#include "aoa/IR/Program.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <unordered_map>

namespace aoa::ir {

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

/// Returns the source tensors of pieces of a result, in the order of their
/// first pieces: the slots of its class.
std::vector<ValueId> slotsOf(const Program &program,
                             const affine::PieceSet &pieces);

/// Returns the key of the class of `result`. Requires its slots.
std::string classKey(const Program &program, const Result &result,
                     ShardGeometries &geometries);

/// Adds what a class holds to a key: for those who do not make the class from
/// what the key says, but read it.
void addToKey(std::string &key, const LayoutClass &layoutClass);

} // namespace aoa::ir

#endif // AOA_IR_CLASSKEY_H
