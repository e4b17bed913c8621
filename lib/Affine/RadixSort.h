//===- RadixSort.h - Sorting many small keys in linear time -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Sorts records by an unsigned key; records of equal keys keep their order.
// What fits into the processor's caches is sorted by its least significant
// digits first, one pass and a half for 11 bits of the range of the keys. More
// than that is cut into parts that fit, by the most significant digit first:
// memory is gone through twice, however many digits there are. Needs a second
// array. Short arrays are left to std::sort, which is faster there, with the
// rest of the record as the tie break.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_RADIXSORT_H
#define AOA_LIB_AFFINE_RADIXSORT_H

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace aoa::affine {
namespace radix_sort {

constexpr unsigned digitBits = 11;
using Ends = std::array<size_t, 1 << digitBits>;

/// Moves `from` to `to` in the order of one digit of the keys, and notes where
/// each digit ends.
template <typename Record, typename DigitOf>
void scatter(llvm::ArrayRef<Record> from, Record *to, Ends &ends,
             const DigitOf &digitOf) {
  ends.fill(0);
  for (const Record &record : from)
    ++ends[digitOf(record)];
  size_t begin = 0;
  for (size_t &count : ends)
    begin += std::exchange(count, begin);
  for (const Record &record : from)
    to[ends[digitOf(record)]++] = record;
}

/// Sorts `records` by bits [low, high) of their keys; the result lies in
/// `records` or, if that is returned, in `other`.
template <typename Record, typename KeyOf>
bool sortInCaches(llvm::MutableArrayRef<Record> records, Record *other,
                  unsigned low, unsigned high, const KeyOf &keyOf) {
  Ends ends;
  Record *from = records.data(), *to = other;
  for (unsigned shift = low; shift < high; shift += digitBits) {
    uint64_t mask = (uint64_t{1} << std::min(digitBits, high - shift)) - 1;
    scatter(
        llvm::ArrayRef<Record>(from, records.size()), to, ends,
        [&](const Record &record) { return keyOf(record) >> shift & mask; });
    std::swap(from, to);
  }
  return from == other;
}

} // namespace radix_sort

/// Requires `isLess` to order by `keyOf` first.
template <typename Record, typename KeyOf, typename IsLess = std::less<>>
void radixSort(std::vector<Record> &records, std::vector<Record> &scratch,
               const KeyOf &keyOf, const IsLess &isLess = {}) {
  using namespace radix_sort;
  constexpr size_t fitsCaches = (size_t{1} << 20) / sizeof(Record);
  if (records.size() < 512) {
    llvm::sort(records, isLess);
    return;
  }
  uint64_t least = UINT64_MAX, used = 0;
  for (const Record &record : records)
    least = std::min<uint64_t>(least, keyOf(record));
  for (const Record &record : records)
    used |= keyOf(record) - least;
  if (used == 0)
    return;
  auto offsetOf = [&](const Record &record) {
    return static_cast<uint64_t>(keyOf(record)) - least;
  };
  // Keys that are multiples of a power of two have low bits in common.
  unsigned low = std::countr_zero(used), high = std::bit_width(used);
  scratch.resize(records.size());
  constexpr size_t partSize = size_t{1} << 13;
  unsigned topBits =
      std::min<unsigned>(digitBits, std::bit_width(records.size() / partSize));
  if (records.size() <= fitsCaches || high - low <= topBits) {
    if (sortInCaches(llvm::MutableArrayRef(records), scratch.data(), low, high,
                     offsetOf))
      records.swap(scratch);
    return;
  }
  unsigned middle = high - topBits;
  Ends ends;
  scatter(llvm::ArrayRef(records), scratch.data(), ends,
          [&](const Record &record) { return offsetOf(record) >> middle; });
  size_t begin = 0;
  for (size_t end : ends) {
    llvm::MutableArrayRef part(scratch.data() + begin, end - begin);
    Record *place = records.data() + begin;
    begin = end;
    if (part.size() < 256) {
      llvm::sort(part, isLess);
      std::copy(part.begin(), part.end(), place);
    } else if (!sortInCaches(part, place, low, middle, offsetOf)) {
      std::copy(part.begin(), part.end(), place);
    }
  }
}

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_RADIXSORT_H
