//===- Places.h - The bytes of traced elements ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of which files a run reads and writes for elements of a result.
// The plan says it: the blocks of each target shard are searched for them. What
// it reads must be what the source's catalog says of the element that the
// script names, so that a plan, a script and a source that do not belong
// together give an error and no answer.
//===----------------------------------------------------------------------===//
#ifndef AOA_TRACE_PLACES_H
#define AOA_TRACE_PLACES_H

#include "aoa/Plan/TransferPlan.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Trace/Walk.h"

#include <memory>
#include <optional>

namespace aoa::trace {

/// Where an element lies.
struct FilePlace {
  uint32_t rank = 0; ///< The (first) holder of the file's shard.
  /// Relative to the source's root or the output; empty where the source is
  /// only names and shapes.
  std::string file;
  int64_t byte = 0; ///< From the file's start, headers included.
  friend auto operator<=>(const FilePlace &, const FilePlace &) = default;
};

/// Elements that thousands of ranks hold have thousands of places each. More
/// than this, of all elements together, are refused.
constexpr size_t maxPlaces = 1'000'000;

/// A place where an element is written, and what a run makes it of.
struct WrittenPlace {
  FilePlace at;
  ElementOps ops;                  ///< From the bytes read to those written.
  std::optional<FilePlace> source; ///< None for a constant.
  /// What the shards hold the tensors' values times.
  double scale = 1, sourceScale = 1;
};

/// Fails unless the files that the plan reads are files of the source, with
/// the sizes and headers that they had when it was made.
Expected<void> checkSource(const TransferPlan &plan, const Catalog &source);

class PlanRegions;

/// Finds the places of elements of some results. Cost: the regions of the plan
/// once; then, for each result, its shards and their transfers.
class PlaceFinder {
public:
  /// Keeps references to program and plan. Requires place-results; `results`
  /// are indexes into Program::results.
  PlaceFinder(const ir::Program &program, const Target &target,
              const TransferPlan &plan, llvm::ArrayRef<uint32_t> results);
  ~PlaceFinder();

  /// Returns the places of each way's element of `result`, one a file. Requires
  /// ways that walkBack found from the result. Fails with Mismatch where the
  /// plan does not fit program and source, with Limit where the search takes
  /// too long or there are more than maxPlaces, those of earlier calls counted.
  Expected<std::vector<std::vector<WrittenPlace>>>
  find(uint32_t result, llvm::ArrayRef<Way> ways);

private:
  const ir::Program &program;
  Target target;
  const TransferPlan &plan;
  std::unique_ptr<const PlanRegions> regions;
  size_t placesLeft = maxPlaces;
};

} // namespace aoa::trace

#endif // AOA_TRACE_PLACES_H
