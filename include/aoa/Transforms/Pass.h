//===- Pass.h - The steps between graph and plan ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every step reads and changes the program and reports what is wrong; each can
// run alone on IR text. Passes.def lists them in the order they run. After one
// that reported errors the rest do not run.
//===----------------------------------------------------------------------===//
#ifndef AOA_TRANSFORMS_PASS_H
#define AOA_TRANSFORMS_PASS_H

#include "aoa/IR/Program.h"
#include "aoa/Sema/Analyze.h"

namespace aoa {

/// What passes know beside the program.
struct PassContext {
  const Target &target;
  const ast::Script &script; ///< Where its operations come from.
  DiagnosticSink &sink;
  /// More pieces than this, of all results together, are refused.
  int64_t maxPieces = 50'000'000;
};

/// Fills `Result::shards`: who holds what, as the target says. Reports what a
/// layout refuses (rule, tensor, numbers), tensors that the target does not
/// place, dtypes and shapes that it says otherwise.
void placeResults(ir::Program &program, PassContext &context);

/// Fills `Result::pieces`: each result as pieces of source tensors. Cost: one
/// composition an operation; splits find their parts by one join.
void lowerToPieces(ir::Program &program, PassContext &context);

/// Proves that the pieces of every result cover it exactly once and stay inside
/// their sources. Reports a witness element and the statements that meet there.
void checkCoverage(ir::Program &program, PassContext &context);

/// Fills the layout classes: the pieces of each result composed with the shards
/// of both ends. Geometry is computed once a class. Reports source shards that
/// leave a hole, sub-byte tensors that would be cut, more pieces than allowed.
void composeLayouts(ir::Program &program, PassContext &context);

/// Proves on the composed pieces that every element of every target shard that
/// is not padding is written exactly once, and that nothing is read or written
/// outside of a shard.
void checkTransfers(ir::Program &program, PassContext &context);

/// Folds the pieces of every class to the fewest. Reports more pieces, counted
/// for all results, than allowed.
void foldPieces(ir::Program &program, PassContext &context);

/// Cuts the blocks of `Result::shards` where holders change: all elements of a
/// block have the same ranks then. What the shards hold stays. For maps that
/// name the holders of each piece. Cost: near-linear in the blocks.
void splitHomogeneous(ir::Program &program, PassContext &context);

/// Reports results that only a running job can fill (`_ -> name`). For
/// conversions to files, before their plan is made.
void checkWritable(const ir::Program &program, const ast::Script &script,
                   DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_TRANSFORMS_PASS_H
