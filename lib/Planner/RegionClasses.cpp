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
                            std::bit_cast<uint64_t>(step.number));
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

static bool isForm(const TransferForm &form, uint32_t ops,
                   const affine::PieceRef &piece) {
  if (form.ops != ops || form.dims.size() != piece.rank())
    return false;
  for (size_t i = 0; i < form.dims.size(); ++i)
    if (form.dims[i] !=
        TransferDim{piece.shape[i], piece.srcStrides[i], piece.dstStrides[i]})
      return false;
  return true;
}

uint32_t RegionClasses::internForm(uint32_t ops,
                                   const affine::PieceRef &piece) {
  // Blocks of one kind follow each other.
  if (!current.transfers.empty())
    if (uint32_t last = current.transfers.back().form;
        isForm(current.forms[last], ops, piece))
      return last;
  TransferForm form{ops, {}};
  form.dims.reserve(piece.rank());
  for (size_t i = 0; i < piece.rank(); ++i)
    form.dims.push_back(
        {piece.shape[i], piece.srcStrides[i], piece.dstStrides[i]});
  return intern(std::move(form), current.forms, forms);
}

void RegionClasses::add(uint32_t slot, uint32_t ops,
                        const affine::PieceRef &piece) {
  uint32_t form = internForm(ops, piece);
  current.transfers.push_back({form, slot, piece.srcOffset, piece.dstOffset});
  current.numSlots = std::max(current.numSlots, slot + 1);
}

uint32_t RegionClasses::finish() {
  uint32_t number = intern(std::exchange(current, {}), plan.classes, classes);
  forms.clear();
  return number;
}
