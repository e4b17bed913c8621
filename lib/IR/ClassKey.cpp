//===- ClassKey.cpp - Which results share their geometry --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/IR/ClassKey.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <bit>

using namespace aoa;
using namespace aoa::ir;

namespace {
/// Numbers one behind the other; lists start with their length, so different
/// contents give different texts.
class KeyText {
public:
  void add(uint64_t number) {
    text.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  void add(llvm::ArrayRef<int64_t> numbers) {
    add(numbers.size());
    text.append(reinterpret_cast<const char *>(numbers.data()),
                numbers.size() * sizeof(int64_t));
  }

  std::string text;
};

std::string geometryText(const ShardList &shards) {
  KeyText key;
  for (const Shard &shard : shards) {
    key.add(shard.localShape);
    key.add(std::bit_cast<uint64_t>(shard.scale));
    key.add(shard.blocks.size());
    for (const Block &block : shard.blocks)
      for (const Shape *part :
           {&block.fullOffset, &block.localOffset, &block.shape})
        key.add(*part);
    key.add(shard.strided.size());
    for (const StridedBlock &block : shard.strided) {
      for (const Shape *part :
           {&block.shape, &block.fullStrides, &block.shardStrides})
        key.add(*part);
      key.add(block.fullOffset);
      key.add(block.shardOffset);
    }
  }
  return std::move(key.text);
}
} // namespace

uint32_t ShardGeometries::numberOf(const ShardList &shards) {
  auto [entry, isNew] = known.try_emplace(shards.identity(), 0);
  if (isNew) {
    entry->second =
        numbers.try_emplace(geometryText(shards), numbers.size()).first->second;
    kept.push_back(shards);
  }
  return entry->second;
}

static void addPiece(KeyText &key, const affine::PieceRef &piece) {
  key.add(piece.shape);
  key.add(piece.srcStrides);
  key.add(piece.dstStrides);
  key.add(piece.srcOffset);
  key.add(piece.dstOffset);
}

static uint64_t numberOf(ElementOpsId ops) {
  return ops.isNone() ? UINT64_MAX : ops.index();
}

std::vector<ValueId> ir::slotsOf(const Program &program,
                                 const affine::PieceSet &pieces) {
  std::vector<ValueId> slots;
  llvm::SmallDenseSet<uint32_t, 8> seen; // By value.
  for (const affine::PieceSet::Entry &entry : pieces.entries()) {
    ValueId source = program.origins[entry.tag].source;
    if (seen.insert(source.index()).second)
      slots.push_back(source);
  }
  return slots;
}

std::string ir::classKey(const Program &program, const Result &result,
                         ShardGeometries &geometries) {
  KeyText key;
  const Value &value = program.value(result.value);
  key.add(value.shape);
  key.add(static_cast<uint64_t>(value.dtype));
  key.add(geometries.numberOf(result.shards));

  llvm::SmallDenseMap<uint32_t, uint32_t, 8> slotOf; // By value.
  key.add(result.slots.size());
  for (ValueId source : result.slots) {
    slotOf.try_emplace(source.index(), slotOf.size());
    StoredValue stored = program.storedValue(source);
    key.add(stored.shape);
    key.add(static_cast<uint64_t>(stored.dtype));
    // A Fill is nothing that a rank holds.
    key.add(program.isFill(source) ? UINT64_MAX
                                   : geometries.numberOf(stored.shards));
  }
  for (const affine::PieceSet::Entry &entry : result.pieces.entries()) {
    const Origin &origin = program.origins[entry.tag];
    key.add(slotOf.lookup(origin.source.index()));
    key.add(numberOf(origin.ops));
    addPiece(key, result.pieces.ref(entry));
  }
  return std::move(key.text);
}

void ir::addToKey(std::string &key, const LayoutClass &layoutClass) {
  KeyText added;
  for (const affine::PieceSet &shard : layoutClass.shards) {
    added.add(shard.size());
    for (const affine::PieceSet::Entry &entry : shard.entries()) {
      const StorageOrigin &origin = layoutClass.origins[entry.tag];
      added.add(origin.slot);
      added.add(origin.sourceShard);
      added.add(numberOf(origin.ops));
      addPiece(added, shard.ref(entry));
    }
  }
  key += added.text;
}
