//===- Program.h - A conversion as a graph of primitives --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What Sema makes of a script and its source: values (whole tensors with name,
// dtype, shape), operations between them, and results. Placing says who holds
// what of each result; lowering makes each result pieces of source tensors,
// whole tensor to whole tensor; composing with the shards of both ends makes
// those pieces from storage to storage. Results that differ in names only share
// one layout class, which has their pieces once. The IR states what is true;
// who reads which replica, in what order, is the planner's business.
//===----------------------------------------------------------------------===//
#ifndef AOA_IR_PROGRAM_H
#define AOA_IR_PROGRAM_H

#include "aoa/AST/Script.h"
#include "aoa/Affine/PieceSet.h"
#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/ElementOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <variant>

namespace aoa::ir {

using ValueId = TypedId<struct ValueTag>;
using OpId = TypedId<struct OpTag>;
using ElementOpsId = TypedId<struct ElementOpsTag>;
using LayoutClassId = TypedId<struct LayoutClassTag>;
/// Index into the statements of the expanded script.
using StatementId = TypedId<struct StatementTag>;

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

/// An operation. Shapes that the types of operands and results say are not said
/// again: Reshape has no attribute, Slice and Pad only where the block begins.
struct Op {
  OpKind kind;
  llvm::SmallVector<ValueId, 2> operands;
  llvm::SmallVector<ValueId, 2> results;
  /// Merge, Split, Repeat, Dedup: the axis of operands and results; Stack,
  /// Unstack: the axis that comes or goes, in the shape that has it.
  unsigned axis = 0;
  /// Merge, Split: in how many equal blocks the joined axis is cut, each of
  /// which holds a piece of every part in order.
  int64_t groups = 1;
  /// Transpose: result axis i = operand axis perm[i]. Rearrange: the same for
  /// the axes of `shape`.
  llvm::SmallVector<unsigned, 4> perm = {};
  /// Rearrange: the operand's axes cut in their factors.
  affine::Extents shape = {};
  /// Slice: where the box begins in the operand; Pad: where the first operand
  /// begins in the result. The second operand of Pad is the value around it, a
  /// tensor of one element.
  affine::Extents begin = {};
  /// Repeat, Dedup: how often each block of so many indexes stands.
  int64_t count = 1, block = 1;
  DType dtype = DType::F32; ///< Cast: what to.
  double number = 0;        ///< Scale, Plus.
  /// Fill: the value of every element, exact in the dtype of the result.
  std::variant<int64_t, double> value = int64_t(0);
  SourceRange range = {};
  ast::ExpansionId expansion = {};
  /// Which statement it is a part of; none for source tensors, for casts that
  /// are wanted of all results, and in programs read from text.
  StatementId statement = {};

  /// Says that it is made because of `origin`.
  void comeFrom(const Op &origin) {
    range = origin.range;
    expansion = origin.expansion;
    statement = origin.statement;
  }
};

/// Where the elements of a piece of a result come from.
struct Origin {
  /// Defined by a Source op, or by a Fill: a storage of one element then.
  ValueId source;
  ElementOpsId ops; ///< None: bytes as they are.
  OpId op; ///< The op that put them there last (merge, else definition).
  friend auto operator<=>(const Origin &, const Origin &) = default;
};

/// Where the elements of a storage-to-storage piece come from.
struct StorageOrigin {
  uint32_t slot;        ///< Index into the result's slots: which source tensor.
  uint32_t sourceShard; ///< Which of its shards.
  ElementOpsId ops;     ///< None: bytes as they are.
  friend auto operator<=>(const StorageOrigin &,
                          const StorageOrigin &) = default;
};

/// What results have in common that are made alike from tensors cut alike and
/// are cut alike themselves: their pieces, from storage to storage.
struct LayoutClass {
  /// One set a shard of the target. Src: elements of a source shard; dst:
  /// elements of the target shard; tags: indexes into `origins`.
  std::vector<affine::PieceSet> shards;
  std::vector<StorageOrigin> origins;
  uint32_t numResults = 0;

  int64_t numPieces() const;
};

struct Result {
  std::string name;
  ValueId value;
  bool leftToCaller = false; ///< From `_ -> name`: nothing is written.
  /// One operand of a Compare, whole on rank 0: it is not written. Such results
  /// stand behind all others, the two of a Compare one after the other, and
  /// have equal types; a run fails where an element differs.
  bool isCompared = false;
  /// After lower-to-pieces. Src: elements of a source tensor; dst: elements of
  /// the result; tags: indexes into Program::origins. Sorted by dst offset.
  affine::PieceSet pieces = {};
  ShardList shards = {}; ///< After place-results: who holds what.
  double padValue = 0;   ///< What no shard's block covers is filled with.
  /// After compose-layouts.
  LayoutClassId layoutClass = {};
  std::vector<ValueId> slots = {}; ///< The source tensors of the class.
};

/// What pieces read: a tensor of the source, or the one element of a Fill.
struct StoredValue {
  llvm::StringRef name;
  DType dtype;
  llvm::ArrayRef<int64_t> shape; ///< Of a Fill: [].
  ShardList shards;              ///< None: held whole.
};

/// How far a program has come.
enum class Stage {
  Graph,     ///< The operations, and which value each result is.
  Pieces,    ///< The results as pieces of source tensors (lower-to-pieces).
  Transfers, ///< The target's shards as pieces of source shards
             ///< (compose-layouts).
};

struct Program {
  const Catalog *source = nullptr;
  Stage stage = Stage::Graph;
  std::vector<Value> values;
  std::vector<Op> ops;
  /// Sorted by name; behind them the compared ones, in pairs.
  std::vector<Result> results;
  std::vector<ElementOps> elementOps; ///< Interned; none is the identity.
  std::vector<Origin> origins;        ///< Interned.
  std::vector<LayoutClass> classes;   ///< In order of their first results.

  const Value &value(ValueId id) const { return values[id.index()]; }
  const Op &op(OpId id) const { return ops[id.index()]; }
  const Op &definition(ValueId id) const { return op(value(id).definition); }
  /// The catalog tensor of a value that a Source op defines.
  const Tensor &sourceTensor(ValueId id) const;

  /// Whether pieces read a value: one that a Source or a Fill op defines.
  bool isStored(ValueId id) const {
    return definition(id).kind == OpKind::Source || isFill(id);
  }
  bool isFill(ValueId id) const { return definition(id).kind == OpKind::Fill; }
  /// Requires isStored.
  StoredValue storedValue(ValueId id) const;

  /// Returns the number of a chain; none for one that does nothing.
  ElementOpsId internOps(const ElementOps &ops);
  /// Returns the chain of `id`, which starts at `from`.
  ElementOps opsOf(ElementOpsId id, DType from) const;
  affine::PieceSet::Tag internOrigin(const Origin &origin);

  /// The pieces of shard `shard` of `result`. Requires compose-layouts.
  const affine::PieceSet &piecesOf(const Result &result, size_t shard) const {
    return classes[result.layoutClass.index()].shards[shard];
  }

private:
  std::map<std::string, ElementOpsId> opsIndex; ///< By their text.
  std::map<Origin, uint32_t> originIndex;
};

/// Returns a tensor's name as IR text shows it: bare if it is a letter or `_`
/// followed by letters, digits and `. _ - /` (and holds no `->`), otherwise in
/// double quotes with `\` before `"` and `\` and control bytes as `\xx`.
std::string printName(llvm::StringRef name);

/// Prints the program as text, as far as it has come or only as far as `stage`;
/// deterministic, and lib/IRText reads it back. Print.cpp shows the form.
void print(llvm::raw_ostream &os, const Program &program, Stage stage);

/// What of the program is broken, and at which operation if it is one.
struct Violation {
  std::string message;
  OpId op = {};
};
/// Checks what every program keeps (ids in range, shapes of ops by the
/// primitives' own rules, checked pieces).
std::optional<Violation> findViolation(const Program &program);
/// The same for a program that our own code made: returns what is wrong, a bug.
std::optional<std::string> verify(const Program &program);

} // namespace aoa::ir

#endif // AOA_IR_PROGRAM_H
