//===- RegionClasses.cpp - Geometry that regions share --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RegionClasses.h"

#include "llvm/ADT/Hashing.h"

#include <bit>

using namespace aoa;

namespace aoa {

static llvm::hash_code hash_value(const TransferDim &dim) {
  return llvm::hash_combine(dim.extent, dim.srcStride, dim.dstStride);
}
static llvm::hash_code hash_value(const TransferForm &form) {
  return llvm::hash_combine(
      form.ops, llvm::hash_combine_range(form.dims.begin(), form.dims.end()));
}
static llvm::hash_code hash_value(const ClassTransfer &transfer) {
  return llvm::hash_combine(transfer.form, transfer.slot, transfer.srcOffset,
                            transfer.dstOffset);
}
static llvm::hash_code hash_value(const RegionClass &regionClass) {
  return llvm::hash_combine(
      llvm::hash_combine_range(regionClass.forms.begin(),
                               regionClass.forms.end()),
      llvm::hash_combine_range(regionClass.transfers.begin(),
                               regionClass.transfers.end()));
}
static llvm::hash_code hash_value(const ElementOp &step) {
  return llvm::hash_combine(step.kind, step.to,
                            std::bit_cast<uint64_t>(step.factor));
}
static llvm::hash_code hash_value(const ElementOps &ops) {
  return llvm::hash_combine(
      ops.from, llvm::hash_combine_range(ops.steps.begin(), ops.steps.end()));
}

} // namespace aoa

/// Returns the number of `item` in `items`, where it is put if it is new.
template <typename Item>
static uint32_t intern(Item item, std::vector<Item> &items,
                       std::unordered_multimap<size_t, uint32_t> &byHash) {
  size_t hash = hash_value(item);
  auto [begin, end] = byHash.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (items[it->second] == item)
      return it->second;
  auto number = static_cast<uint32_t>(items.size());
  byHash.emplace(hash, number);
  items.push_back(std::move(item));
  return number;
}

uint32_t RegionClasses::internOps(const ElementOps &ops) {
  return intern(ops, plan.elementOps, elementOps);
}

std::optional<uint32_t> RegionClasses::find(uint64_t key) const {
  auto found = byKey.find(key);
  return found == byKey.end() ? std::nullopt : std::optional(found->second);
}

uint32_t RegionClasses::internForm(uint32_t ops, const affine::Piece &piece) {
  TransferForm form{ops, {}};
  form.dims.reserve(piece.shape.size());
  for (size_t i = 0; i < piece.shape.size(); ++i)
    form.dims.push_back(
        {piece.shape[i], piece.src.strides[i], piece.dst.strides[i]});
  // Blocks of one kind follow each other.
  if (!current.transfers.empty()) {
    uint32_t last = current.transfers.back().form;
    if (current.forms[last] == form)
      return last;
  }
  return intern(std::move(form), current.forms, forms);
}

void RegionClasses::add(uint32_t slot, uint32_t ops,
                        const affine::Piece &piece) {
  uint32_t form = internForm(ops, piece);
  current.transfers.push_back({form, slot, piece.src.offset, piece.dst.offset});
  current.numSlots = std::max(current.numSlots, slot + 1);
}

uint32_t RegionClasses::finish() {
  uint32_t number = intern(std::exchange(current, {}), plan.classes, classes);
  forms.clear();
  return number;
}

uint32_t RegionClasses::finish(uint64_t key) { return byKey[key] = finish(); }
