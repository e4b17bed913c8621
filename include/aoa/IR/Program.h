//===- Program.h - A conversion as a graph of primitives --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What Sema makes of a script and its source: values (whole tensors with name,
// dtype, shape), operations between them, and results. Lowering adds to each
// result its pieces, whole tensor to whole tensor; composing with the layouts
// turns those into transfers, storage to storage. The IR states what is true;
// who reads which replica, in what order, is the planner's business.
//===----------------------------------------------------------------------===//
#ifndef AOA_IR_PROGRAM_H
#define AOA_IR_PROGRAM_H

#include "aoa/AST/Script.h"
#include "aoa/Affine/Box.h"
#include "aoa/Affine/Piece.h"
#include "aoa/Catalog/Catalog.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <unordered_map>

namespace aoa::ir {

using ValueId = TypedId<struct ValueTag>;
using OpId = TypedId<struct OpTag>;
using CastChainId = TypedId<struct CastChainTag>;

enum class OpKind : uint8_t {
  Source, ///< A tensor of the source's catalog.
#define AOA_PRIMITIVE(NAME, KEYWORD, FORM, SUMMARY) NAME,
#include "aoa/Primitives/Primitives.def"
};

/// Returns the keyword of IR text: `source`, `merge`, …
llvm::StringRef keyword(OpKind kind);

struct Value {
  std::string name;
  DType dtype;
  affine::Extents shape;
  OpId definition;
  unsigned numUses = 0;
};

struct Op {
  OpKind kind;
  llvm::SmallVector<ValueId, 2> operands;
  llvm::SmallVector<ValueId, 2> results;
  unsigned axis = 0; ///< Merge, Split.
  llvm::SmallVector<unsigned, 4> perm =
      {}; ///< Transpose: result axis i = operand axis perm[i].
  DType dtype = DType::F32; ///< Cast: what to.
  SourceRange range = {};
  ast::ExpansionId expansion = {};
};

/// A part of a result that is one box of one source tensor.
struct WholePiece {
  ValueId source;     ///< Defined by a Source op.
  affine::BoxMap map; ///< Source tensor → result tensor.
  CastChainId casts;  ///< None: bytes as they are.
  OpId op; ///< The op that put it there last (merge, else definition).
};

/// A block from a source shard into a target shard.
struct StoragePiece {
  uint32_t sourceShard; ///< Index into the shards of the source tensor.
  ValueId source;
  CastChainId casts;
  affine::Piece
      piece; ///< src: elements of the shard; dst: elements of the target shard.
};

struct TargetShard {
  std::vector<uint32_t> ranks;
  affine::Extents localShape;
  std::vector<Block> blocks; ///< What of the full tensor it holds.
  std::vector<StoragePiece> pieces;
};

struct Result {
  std::string name;
  ValueId value;
  bool leftToCaller = false; ///< From `_ -> name`: nothing is written.
  std::vector<WholePiece> pieces = {};  ///< After lowerToPieces.
  std::vector<TargetShard> shards = {}; ///< After composeLayouts.
  double padValue = 0;                  ///< Of the layout rule.
};

struct Program {
  const Catalog *source = nullptr;
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<Result> results;                ///< Sorted by name.
  std::vector<std::vector<DType>> castChains; ///< Interned; [from, …, to].

  const Value &value(ValueId id) const { return values[id.index()]; }
  const Op &op(OpId id) const { return ops[id.index()]; }
  const Op &definition(ValueId id) const { return op(value(id).definition); }
  /// The catalog tensor of a value that a Source op defines.
  const Tensor &sourceTensor(ValueId id) const;

  CastChainId internCasts(llvm::ArrayRef<DType> chain);
  /// Returns `chain` followed by a cast to `to`; `from` starts a chain if none.
  CastChainId appendCast(CastChainId chain, DType from, DType to);

private:
  /// Chain, one byte a dtype → index into castChains.
  std::unordered_map<std::string, uint32_t> castChainIndex;
};

/// Returns a tensor's name as IR text shows it: bare if it is a letter or `_`
/// followed by letters, digits and `. _ - /` (and holds no `->`), otherwise in
/// double quotes with `\` before `"` and `\` and control bytes as `\xx`.
std::string printName(llvm::StringRef name);

/// What to print.
enum class PrintStage {
  Graph,     ///< The operations, and which value each result is.
  Pieces,    ///< The results as blocks of source tensors (lowerToPieces).
  Transfers, ///< The target's shards as blocks of source shards
             ///< (composeLayouts).
};
/// Prints the program as text, deterministically; Print.cpp shows the form.
void print(llvm::raw_ostream &os, const Program &program, PrintStage stage);

/// Checks invariants of the program that our own code must keep (ids in range,
/// shapes of ops by the primitives' own rules). Returns what is wrong: a bug.
std::optional<std::string> verify(const Program &program);

} // namespace aoa::ir

#endif // AOA_IR_PROGRAM_H
