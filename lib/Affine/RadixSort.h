//===- RadixSort.h - Sorting many small keys in linear time -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Sorts records by an unsigned key, least significant digit first; records of
// equal keys keep their order. Costs one pass and a half for 11 bits of the
// range of the keys, and a second array. Short arrays are left to std::sort,
// which is faster there, with the rest of the record as the tie break.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_RADIXSORT_H
#define AOA_LIB_AFFINE_RADIXSORT_H

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace aoa::affine {

/// Requires `isLess` to order by `keyOf` first.
template <typename Record, typename KeyOf, typename IsLess = std::less<>>
void radixSort(std::vector<Record> &records, std::vector<Record> &scratch,
               const KeyOf &keyOf, const IsLess &isLess = {}) {
  if (records.size() < 512) {
    llvm::sort(records, isLess);
    return;
  }
  uint64_t least = UINT64_MAX, used = 0;
  for (const Record &record : records)
    least = std::min<uint64_t>(least, keyOf(record));
  for (const Record &record : records)
    used |= keyOf(record) - least;
  scratch.resize(records.size());
  // Keys that are multiples of a power of two have low bits in common.
  for (unsigned shift = std::countr_zero(used); shift < std::bit_width(used);
       shift += 11) {
    std::array<size_t, 2048> begins{};
    for (const Record &record : records)
      ++begins[(keyOf(record) - least) >> shift & 2047];
    size_t begin = 0;
    for (size_t &count : begins)
      begin += std::exchange(count, begin);
    for (const Record &record : records)
      scratch[begins[(keyOf(record) - least) >> shift & 2047]++] = record;
    records.swap(scratch);
  }
}

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_RADIXSORT_H
