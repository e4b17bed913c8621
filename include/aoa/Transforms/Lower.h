//===- Lower.h - From primitives to storage-to-storage pieces ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_TRANSFORMS_LOWER_H
#define AOA_TRANSFORMS_LOWER_H

#include "aoa/IR/Program.h"
#include "aoa/Sema/Analyze.h"

namespace aoa {

/// Fills `Result::pieces`: each result as boxes of source tensors. Cost: one
/// visit an operation; splits find their parts by an interval index.
void lowerToPieces(ir::Program &program);

/// Proves that the pieces of every result cover it exactly once and stay inside
/// their sources. Reports a witness element and the statements that meet there.
void checkCoverage(const ir::Program &program, const ast::Script &script,
                   DiagnosticSink &sink);

/// Fills `Result::shards`: places each result by the target and cuts its pieces
/// at the boundaries of source and target shards (interval indexes on both
/// sides). Reports what a layout refuses (rule, tensor, numbers), sub-byte
/// tensors that would be cut, source shards that leave a hole.
void composeLayouts(ir::Program &program, const Target &target,
                    const ast::Script &script, DiagnosticSink &sink);

/// Folds the storage pieces of every target shard to the fewest.
void foldPieces(ir::Program &program);

/// Proves on the composed pieces that every element of every target shard that
/// is not padding is written exactly once. Runs before foldPieces.
void checkTransfers(const ir::Program &program, const ast::Script &script,
                    DiagnosticSink &sink);

/// Reports results that only a running job can fill (`_ -> name`). For
/// conversions to files, before their plan is made.
void checkWritable(const ir::Program &program, const ast::Script &script,
                   DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_TRANSFORMS_LOWER_H
