//===- MakeCheckpoint.h - Checkpoints for tests -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes a checkpoint out of names, dtypes and shapes, so that tests need no
// framework. Each value tells where it belongs, see `madeValuesHelp`. Cost:
// bounded memory, one pass over the output.
//===----------------------------------------------------------------------===//
#ifndef AOA_FORMATS_MAKECHECKPOINT_H
#define AOA_FORMATS_MAKECHECKPOINT_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Support/Error.h"

namespace aoa {

struct MakeCheckpointOptions {
  std::string output; ///< A folder that is empty or not there yet.
  /// Who holds what; null: one directory as Hugging Face writes it.
  const Layout *layout = nullptr;
  int64_t maxShardBytes = 5'000'000'000;
  uint64_t seed = 0;
};

struct MadeCheckpoint {
  int64_t files = 0;
  int64_t bytes = 0;
};

/// Writes a checkpoint with the tensors of `catalog`; their shards and storages
/// do not matter. Where a rank holds a part of a tensor, it gets that part of
/// the same values. On failure the files written so far are removed.
Expected<MadeCheckpoint> makeCheckpoint(const Catalog &catalog,
                                        const MakeCheckpointOptions &options);

/// The formula of the values, for people.
extern const std::string_view madeValuesHelp;

} // namespace aoa

#endif // AOA_FORMATS_MAKECHECKPOINT_H
