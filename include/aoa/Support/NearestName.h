//===- NearestName.h - "did you mean" ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_NEARESTNAME_H
#define AOA_SUPPORT_NEARESTNAME_H

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace aoa {

/// Finds the candidate nearest to `wanted` by edit distance (insertions,
/// deletions, substitutions and swaps of neighbours each cost 1), the first of
/// several equal ones. Nothing is returned when the best one differs in more
/// than a third of the longer name. Cost: O(length · distance) a candidate.
class NearestName {
public:
  explicit NearestName(std::string_view wanted);

  void consider(std::string_view candidate);
  std::optional<std::string> best() const;

  /// Returns "; did you mean `x`?" or an empty text.
  std::string hint() const;

private:
  std::string wanted;
  std::string bestName;
  size_t bestDistance;
};

/// The nearest of `candidates`, any range of strings.
template <typename Range>
NearestName nearestName(std::string_view wanted, const Range &candidates) {
  NearestName nearest(wanted);
  for (const auto &candidate : candidates)
    nearest.consider(candidate);
  return nearest;
}

} // namespace aoa

#endif // AOA_SUPPORT_NEARESTNAME_H
