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
  moreNumbers.clear();
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
  size_t rank = shape.size();
  if (entry.rank != rank)
    return false;
  const int64_t *at = numbersAt(entry.begin);
  for (size_t dim = 0; dim < rank; ++dim)
    if (at[dim] != shape[dim] || at[rank + dim] != srcStrides[dim] ||
        at[2 * rank + dim] != dstStrides[dim])
      return false;
  return true;
}

static uint64_t hashForm(llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> srcStrides,
                         llvm::ArrayRef<int64_t> dstStrides) {
  uint64_t hash = 0x9e3779b97f4a7c15 + shape.size();
  for (llvm::ArrayRef<int64_t> numbers : {shape, srcStrides, dstStrides})
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

  if (forms.size() >= numRecent) {
    if (table.size() < 3 * (forms.size() + 1) / 2)
      growTable();
    uint64_t hash = hashForm(shape, srcStrides, dstStrides) & hashBits;
    size_t mask = table.size() - 1;
    for (size_t at = startOf(hash, table.size());; at = (at + 1) & mask) {
      uint64_t slot = table[at];
      if (slot == 0) {
        table[at] = hash | (forms.size() + 1);
        break;
      }
      auto form = static_cast<Form>(slot) - 1;
      if ((slot & hashBits) == hash &&
          isForm(form, shape, srcStrides, dstStrides))
        return form;
    }
  }
  return addForm(shape, srcStrides, dstStrides);
}

PieceSet::Form PieceSet::addForm(llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int64_t> srcStrides,
                                 llvm::ArrayRef<int64_t> dstStrides) {
  size_t count = 3 * shape.size();
  std::vector<int64_t> *array = &numbers;
  uint32_t firstOfArray = 0;
  if (!moreNumbers.empty() || numbers.size() + count > arraySize) {
    if (moreNumbers.empty() || moreNumbers.back().size() + count > arraySize)
      moreNumbers.emplace_back();
    array = &moreNumbers.back();
    array->reserve(arraySize);
    firstOfArray = moreNumbers.size() << arrayBits;
  }
  forms.push_back({static_cast<uint32_t>(firstOfArray + array->size()),
                   static_cast<uint32_t>(shape.size())});
  // The arrays may be those of a form of this set, which growing moves.
  llvm::SmallVector<int64_t, 12> copy;
  if (array->size() + count > array->capacity()) {
    copy.reserve(count);
    for (llvm::ArrayRef<int64_t> *part : {&shape, &srcStrides, &dstStrides}) {
      copy.append(part->begin(), part->end());
      *part = llvm::ArrayRef(copy.end() - part->size(), part->size());
    }
  }
  size_t begin = array->size();
  array->resize(begin + count);
  int64_t *to = array->data() + begin;
  for (llvm::ArrayRef<int64_t> part : {shape, srcStrides, dstStrides})
    for (int64_t number : part)
      *to++ = number;
  return forms.size() - 1;
}

void PieceSet::prefetchForm(llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> srcStrides,
                            llvm::ArrayRef<int64_t> dstStrides) const {
  if (!table.empty())
    __builtin_prefetch(
        &table[startOf(hashForm(shape, srcStrides, dstStrides), table.size())],
        1);
}

PieceSet PieceSet::inverted() const {
  PieceSet inverse;
  inverse.all.reserve(size());
  for (const Entry &entry : all)
    inverse.all.push_back(
        {entry.dstOffset, entry.srcOffset, entry.form, entry.tag});
  inverse.forms = forms;
  inverse.numbers = numbers;
  inverse.moreNumbers = moreNumbers;
  for (const FormEntry &form : forms) {
    int64_t *src = inverse.numbersAt(form.begin) + form.rank;
    std::swap_ranges(src, src + form.rank, src + form.rank);
  }
  return inverse;
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
  // Where most pieces so far have a form of their own, those that there is room
  // for will have theirs, too.
  size_t expected = forms.size() + 1;
  if (expected > 256 && 2 * forms.size() > all.size()) {
    expected = std::max(expected, all.capacity());
    forms.reserve(expected);
  }
  size_t size = 16;
  while (size < 3 * expected / 2 + 2)
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
      putIntoTable((hashForm(shapeOf(form), stridesOf(form, Side::Src),
                             stridesOf(form, Side::Dst)) &
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
  size_t numMore = 0;
  for (const std::vector<int64_t> &array : moreNumbers)
    numMore += array.capacity();
  return all.capacity() * sizeof(Entry) + forms.capacity() * sizeof(FormEntry) +
         (numbers.capacity() + numMore) * sizeof(int64_t) +
         moreNumbers.capacity() * sizeof(std::vector<int64_t>) +
         table.capacity() * sizeof(uint64_t);
}

void PieceSet::shrinkToFit() {
  all.shrink_to_fit();
  forms.shrink_to_fit();
  numbers.shrink_to_fit();
  moreNumbers.shrink_to_fit();
  for (std::vector<int64_t> &array : moreNumbers)
    array.shrink_to_fit();
  table = std::vector<uint64_t>(); // `= {}` would keep the memory.
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
