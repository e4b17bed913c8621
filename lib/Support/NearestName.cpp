//===- NearestName.cpp - "did you mean" -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace aoa;

namespace {

/// Returns the edit distance with swaps of neighbours (optimal string
/// alignment), or `limit` as soon as it cannot be smaller.
size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
  std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t smallest = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
      best = std::min({best, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = std::min(best, beforeLast[j - 2] + 1);
      row[j] = best;
      smallest = std::min(smallest, best);
    }
    if (smallest >= limit)
      return limit;
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit);
}

size_t lengthDifference(std::string_view a, std::string_view b) {
  return a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
}

} // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted(wanted), bestDistance(SIZE_MAX) {}

void NearestName::consider(std::string_view candidate) {
  size_t longer = std::max(wanted.size(), candidate.size());
  size_t limit = std::min(bestDistance, longer / 3 + 1);
  if (lengthDifference(wanted, candidate) >= limit)
    return;
  size_t distance = editDistance(wanted, candidate, limit);
  if (distance >= limit)
    return;
  bestDistance = distance;
  bestName = candidate;
}

std::optional<std::string> NearestName::best() const {
  if (bestDistance == SIZE_MAX)
    return std::nullopt;
  return bestName;
}

std::string NearestName::hint() const {
  return bestDistance == SIZE_MAX ? "" : "; did you mean `" + bestName + "`?";
}
