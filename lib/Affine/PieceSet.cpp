//===- PieceSet.cpp - Many pieces in little memory --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/PieceSet.h"

#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::affine;

bool PieceRef::isEmpty() const { return llvm::is_contained(shape, 0); }

int64_t PieceRef::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Piece PieceRef::piece() const {
  return {Extents(shape),
          {srcOffset, Extents(srcStrides)},
          {dstOffset, Extents(dstStrides)}};
}

void PieceSet::clear() {
  all.clear();
  forms.clear();
  numbers.clear();
  table.clear();
}

PieceRef PieceSet::ref(const Entry &entry) const {
  return {shapeOf(entry.form),
          stridesOf(entry.form, Side::Src),
          stridesOf(entry.form, Side::Dst),
          entry.srcOffset,
          entry.dstOffset,
          entry.tag};
}

bool PieceSet::isForm(Form form, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> srcStrides,
                      llvm::ArrayRef<int64_t> dstStrides) const {
  const FormEntry &entry = forms[form];
  if (entry.rank != shape.size())
    return false;
  const int64_t *at = numbers.data() + entry.begin;
  for (llvm::ArrayRef<int64_t> part : {shape, srcStrides, dstStrides}) {
    if (!std::equal(part.begin(), part.end(), at))
      return false;
    at += entry.rank;
  }
  return true;
}

static uint64_t hashNumbers(llvm::ArrayRef<int64_t> numbers) {
  uint64_t hash = 0x9e3779b97f4a7c15 + numbers.size();
  for (int64_t number : numbers) {
    hash = (hash ^ static_cast<uint64_t>(number)) * 0x9fb21c651e98df25;
    hash ^= hash >> 32;
  }
  return hash * 0x9fb21c651e98df25;
}

/// The part of a hash that a slot of the table keeps, and where in a table of
/// `size` slots, a power of two, the search for it starts.
static constexpr uint64_t hashBits = 0xffffffff00000000;
static size_t startOf(uint64_t slot, size_t size) {
  return static_cast<size_t>((slot >> 32) * size >> 32);
}

/// Numbers of forms that are looked for before the table is asked (and made).
static constexpr size_t numRecent = 4;

PieceSet::Form PieceSet::internForm(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> srcStrides,
                                    llvm::ArrayRef<int64_t> dstStrides) {
  assert(srcStrides.size() == shape.size() &&
         dstStrides.size() == shape.size() && "one stride a dimension");
  size_t recent = std::min(forms.size(), numRecent);
  for (size_t i = 1; i <= recent; ++i)
    if (isForm(forms.size() - i, shape, srcStrides, dstStrides))
      return forms.size() - i;

  llvm::SmallVector<int64_t, 24> key;
  llvm::append_range(key, shape);
  llvm::append_range(key, srcStrides);
  llvm::append_range(key, dstStrides);
  if (forms.size() >= numRecent) {
    if (table.size() < 3 * (forms.size() + 1) / 2)
      growTable();
    uint64_t hash = hashNumbers(key) & hashBits;
    size_t mask = table.size() - 1;
    for (size_t at = startOf(hash, table.size());; at = (at + 1) & mask) {
      uint64_t slot = table[at];
      if (slot == 0) {
        table[at] = hash | (forms.size() + 1);
        break;
      }
      auto form = static_cast<Form>(slot) - 1;
      if ((slot & hashBits) == hash && forms[form].rank * 3 == key.size() &&
          std::equal(key.begin(), key.end(),
                     numbers.data() + forms[form].begin))
        return form;
    }
  }
  forms.push_back({static_cast<uint32_t>(numbers.size()),
                   static_cast<uint32_t>(shape.size())});
  numbers.insert(numbers.end(), key.begin(), key.end());
  return forms.size() - 1;
}

void PieceSet::putIntoTable(uint64_t slot) {
  size_t mask = table.size() - 1;
  size_t at = startOf(slot, table.size());
  while (table[at] != 0)
    at = (at + 1) & mask;
  table[at] = slot;
}

void PieceSet::growTable() {
  std::vector<uint64_t> old = std::move(table);
  size_t size = 16;
  while (size < 2 * (forms.size() + 1))
    size *= 2;
  table.assign(size, 0);
  // Slots stand about in the order of their hashes: both tables are walked
  // through once.
  for (uint64_t slot : old)
    if (slot != 0)
      putIntoTable(slot);
  // The first forms were found without a table; after shrinking, all were.
  if (old.empty())
    for (Form form = 0; form < forms.size(); ++form)
      putIntoTable((hashNumbers({numbers.data() + forms[form].begin,
                                 3 * size_t{forms[form].rank}}) &
                    hashBits) |
                   (form + 1));
}

int64_t PieceSet::numElements() const {
  int64_t count = 0;
  for (const Entry &entry : all) {
    std::optional<int64_t> sum = checkedAdd(count, ref(entry).numElements());
    if (!sum)
      return INT64_MAX;
    count = *sum;
  }
  return count;
}

size_t PieceSet::memoryBytes() const {
  return all.capacity() * sizeof(Entry) + forms.capacity() * sizeof(FormEntry) +
         numbers.capacity() * sizeof(int64_t) +
         table.capacity() * sizeof(uint64_t);
}

void PieceSet::shrinkToFit() {
  all.shrink_to_fit();
  forms.shrink_to_fit();
  numbers.shrink_to_fit();
  table = {};
}

namespace aoa::affine {
bool operator==(const PieceSet &a, const PieceSet &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i) {
    PieceRef x = a[i], y = b[i];
    if (x.srcOffset != y.srcOffset || x.dstOffset != y.dstOffset ||
        x.tag != y.tag || x.shape != y.shape || x.srcStrides != y.srcStrides ||
        x.dstStrides != y.dstStrides)
      return false;
  }
  return true;
}
} // namespace aoa::affine
