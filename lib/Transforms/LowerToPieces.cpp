//===- LowerToPieces.cpp - Results as pieces of source tensors --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One walk over the operations. Each value that a result needs is a set of
// pieces, source tensors to value; an operation composes those of its operands
// with its own relation. A set is dropped behind its last use. What a Compare
// reads becomes results of its own, hidden ones.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Invert.h"
#include "aoa/Primitives/Primitives.h"
#include "aoa/Transforms/Pass.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class Lowering {
public:
  explicit Lowering(Program &program)
      : program(program), usesLeft(program.values.size(), 0),
        sets(program.values.size()) {}

  void run();

private:
  /// Makes results of what comparisons read.
  void addCompared();
  /// Takes away those of two results that are the same elements of the source.
  void dropTrivialComparisons();
  void countUses();
  bool isNeeded(ValueId value) const { return usesLeft[value.index()] != 0; }
  void lower(OpId id);
  /// Returns the pieces of `value` for one of its uses; the last one owns them.
  std::shared_ptr<PieceSet> use(ValueId value);
  /// The same, for changing.
  std::shared_ptr<PieceSet> take(ValueId value);
  void define(ValueId value, std::shared_ptr<PieceSet> pieces) {
    if (isNeeded(value))
      sets[value.index()] = std::move(pieces);
  }
  llvm::ArrayRef<int64_t> shapeOf(ValueId value) const {
    return program.value(value).shape;
  }

  PieceSet source(const Op &op, OpId id);
  PieceSet fill(const Op &op, OpId id);
  /// Merges or stacks.
  PieceSet join(const Op &op, OpId id);
  PieceSet pad(const Op &op, OpId id);
  /// Splits or unstacks.
  void cut(const Op &op);
  /// Adds a step to what the elements of the operand go through.
  void compute(const Op &op, llvm::function_ref<void(ElementOps &)> addStep);

  /// The relation of an operation that makes one tensor of another.
  Piece pieceOf(const Op &op) const;
  /// A part of the tensor that is cut or joined, which begins at `begin`.
  Piece partPiece(const Op &op, llvm::ArrayRef<int64_t> whole,
                  llvm::ArrayRef<int64_t> part, int64_t begin) const;
  /// How far the next part begins behind this one.
  int64_t extentOfPart(const Op &op, llvm::ArrayRef<int64_t> part) const;
  /// Folds pieces that operation `id` put together.
  PieceSet putTogether(PieceSet pieces, OpId id);
  /// Changes the origin of every piece.
  void changeOrigins(PieceSet &pieces,
                     llvm::function_ref<Origin(const Origin &)> change);

  Program &program;
  std::vector<unsigned> usesLeft; ///< Of values that results need.
  /// Shared by the names of one value, until one of them changes it.
  std::vector<std::shared_ptr<PieceSet>> sets;
};

/// Composes every piece of `set` with `piece` and keeps the tags.
PieceSet composeWith(const PieceSet &set, const Piece &piece) {
  // Most values are one piece, or a few.
  constexpr size_t few = 4;
  if (set.size() > few) {
    auto keepTag = [](PieceSet::Tag tag, PieceSet::Tag) { return tag; };
    return *compose(set, PieceSet(piece), keepTag);
  }
  PieceSet composed;
  for (size_t i = 0; i < set.size(); ++i)
    compose(set[i].piece(), piece,
            [&](const Piece &part) { composed.add(part, set[i].tag); });
  return composed;
}

void append(PieceSet &to, const PieceSet &from) {
  for (size_t i = 0; i < from.size(); ++i)
    to.add(from[i]);
}

void Lowering::run() {
  addCompared();
  countUses();
  for (size_t i = 0; i < program.ops.size(); ++i)
    lower(OpId(i));
  for (Result &result : program.results)
    if (!result.leftToCaller) {
      result.pieces = std::move(*take(result.value));
      fold(result.pieces);
    }
  dropTrivialComparisons();
}

void Lowering::addCompared() {
  for (const Op &op : program.ops)
    if (op.kind == OpKind::Compare && op.operands[0] != op.operands[1])
      for (ValueId operand : op.operands) {
        const Value &value = program.value(operand);
        Shape shape(value.shape.begin(), value.shape.end());
        program.results.push_back({.name = value.name,
                                   .value = operand,
                                   .isCompared = true,
                                   .shards = ShardList({wholeShard(shape)})});
      }
}

void Lowering::dropTrivialComparisons() {
  auto readsTheSame = [&](const Result &a, const Result &b) {
    auto isSame = [&](const PieceSet::Entry &ofA, const PieceSet::Entry &ofB) {
      const Origin &from = program.origins[ofA.tag];
      const Origin &other = program.origins[ofB.tag];
      PieceRef x = a.pieces.ref(ofA), y = b.pieces.ref(ofB);
      return from.source == other.source && from.ops == other.ops &&
             x.srcOffset == y.srcOffset && x.dstOffset == y.dstOffset &&
             x.shape == y.shape && x.srcStrides == y.srcStrides &&
             x.dstStrides == y.dstStrides;
    };
    return llvm::equal(a.pieces.entries(), b.pieces.entries(), isSame);
  };
  std::vector<Result> &results = program.results;
  auto kept = llvm::find_if(
      results, [](const Result &result) { return result.isCompared; });
  for (auto pair = kept; pair != results.end(); pair += 2) {
    if (readsTheSame(pair[0], pair[1]))
      continue;
    if (kept != pair)
      std::move(pair, pair + 2, kept);
    kept += 2;
  }
  results.erase(kept, results.end());
}

void Lowering::countUses() {
  for (const Result &result : program.results)
    if (!result.leftToCaller)
      ++usesLeft[result.value.index()];
  for (const Op &op : llvm::reverse(program.ops))
    if (llvm::any_of(op.results, [&](ValueId id) { return isNeeded(id); }))
      for (ValueId operand : op.operands)
        ++usesLeft[operand.index()];
}

std::shared_ptr<PieceSet> Lowering::use(ValueId value) {
  std::shared_ptr<PieceSet> &set = sets[value.index()];
  assert(set && usesLeft[value.index()] != 0 &&
         "operations are ordered and uses counted");
  if (--usesLeft[value.index()] == 0)
    return std::move(set);
  return set;
}

std::shared_ptr<PieceSet> Lowering::take(ValueId value) {
  std::shared_ptr<PieceSet> set = use(value);
  if (set.use_count() > 1)
    return std::make_shared<PieceSet>(*set);
  return set;
}

void Lowering::lower(OpId id) {
  const Op &op = program.op(id);
  if (llvm::none_of(op.results, [&](ValueId value) { return isNeeded(value); }))
    return;
  switch (op.kind) {
  case OpKind::Source:
    define(op.results[0], std::make_shared<PieceSet>(source(op, id)));
    return;
  case OpKind::Fill:
    define(op.results[0], std::make_shared<PieceSet>(fill(op, id)));
    return;
  case OpKind::Rename:
  case OpKind::Reshape: // The same elements in the same order.
    define(op.results[0], use(op.operands[0]));
    return;
  case OpKind::Merge:
  case OpKind::Stack:
    define(op.results[0], std::make_shared<PieceSet>(join(op, id)));
    return;
  case OpKind::Split:
  case OpKind::Unstack:
    cut(op);
    return;
  case OpKind::Pad:
    define(op.results[0], std::make_shared<PieceSet>(pad(op, id)));
    return;
  case OpKind::Transpose:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Repeat:
  case OpKind::Dedup:
    define(op.results[0], std::make_shared<PieceSet>(
                              composeWith(*use(op.operands[0]), pieceOf(op))));
    return;
  case OpKind::Cast:
    compute(op, [&](ElementOps &ops) { ops.cast(op.dtype); });
    return;
  case OpKind::Scale:
    compute(op, [&](ElementOps &ops) { ops.scale(op.number); });
    return;
  case OpKind::Plus:
    compute(op, [&](ElementOps &ops) { ops.plus(op.number); });
    return;
  case OpKind::Compare: // Its operands are results.
  case OpKind::Remove:
    return;
  case OpKind::Add:
    // Nothing reads what the caller fills; Sema refuses it.
    define(op.results[0], std::make_shared<PieceSet>());
    return;
  }
}

PieceSet Lowering::source(const Op &op, OpId id) {
  Piece whole = identityPiece(shapeOf(op.results[0]));
  if (whole.isEmpty())
    return {};
  return PieceSet(
      foldDims(whole),
      program.internOrigin({op.results[0], ElementOpsId::none(), id}));
}

PieceSet Lowering::fill(const Op &op, OpId id) {
  Piece all = primitives::fillPiece(shapeOf(op.results[0]));
  if (all.isEmpty())
    return {};
  return PieceSet(
      foldDims(all),
      program.internOrigin({op.results[0], ElementOpsId::none(), id}));
}

Piece Lowering::pieceOf(const Op &op) const {
  llvm::ArrayRef<int64_t> from = shapeOf(op.operands[0]);
  switch (op.kind) {
  case OpKind::Transpose:
    return primitives::transposePiece(from, op.perm);
  case OpKind::Rearrange:
    return primitives::transposePiece(op.shape, op.perm);
  case OpKind::Slice:
    return primitives::boxPiece(from, op.begin, shapeOf(op.results[0]));
  case OpKind::Repeat:
    return primitives::repeatPiece(from, op.axis, op.count, op.block);
  case OpKind::Dedup:
    return primitives::dedupPiece(from, op.axis, op.count, op.block);
  default:
    llvm_unreachable("not one piece of one operand");
  }
}

Piece Lowering::partPiece(const Op &op, llvm::ArrayRef<int64_t> whole,
                          llvm::ArrayRef<int64_t> part, int64_t begin) const {
  if (op.kind == OpKind::Stack || op.kind == OpKind::Unstack)
    return primitives::slicePiece(whole, op.axis, begin, 1);
  if (op.groups == 1)
    return primitives::slicePiece(whole, op.axis, begin, part[op.axis]);
  return primitives::groupedSlicePiece(whole, op.axis, op.groups, begin,
                                       part[op.axis] / op.groups);
}

int64_t Lowering::extentOfPart(const Op &op,
                               llvm::ArrayRef<int64_t> part) const {
  bool isStack = op.kind == OpKind::Stack || op.kind == OpKind::Unstack;
  return isStack ? 1 : part[op.axis] / op.groups;
}

PieceSet Lowering::join(const Op &op, OpId id) {
  PieceSet joined;
  int64_t at = 0;
  for (ValueId operand : op.operands) {
    llvm::ArrayRef<int64_t> shape = shapeOf(operand);
    Piece part = invert(partPiece(op, shapeOf(op.results[0]), shape, at));
    append(joined, composeWith(*use(operand), part));
    at += extentOfPart(op, shape);
  }
  return putTogether(std::move(joined), id);
}

PieceSet Lowering::pad(const Op &op, OpId id) {
  llvm::ArrayRef<int64_t> inner = shapeOf(op.operands[0]);
  llvm::ArrayRef<int64_t> shape = shapeOf(op.results[0]);
  PieceSet padded =
      composeWith(*use(op.operands[0]),
                  invert(primitives::boxPiece(shape, op.begin, inner)));
  std::shared_ptr<PieceSet> value = use(op.operands[1]);
  for (const Piece &around : primitives::aroundBox(shape, op.begin, inner))
    append(padded, composeWith(*value, around));
  return putTogether(std::move(padded), id);
}

PieceSet Lowering::putTogether(PieceSet pieces, OpId id) {
  changeOrigins(pieces, [&](const Origin &origin) {
    return Origin{origin.source, origin.ops, id};
  });
  fold(pieces);
  return pieces;
}

void Lowering::cut(const Op &op) {
  std::shared_ptr<PieceSet> whole = use(op.operands[0]);
  llvm::ArrayRef<int64_t> shape = shapeOf(op.operands[0]);
  std::vector<std::shared_ptr<PieceSet>> parts(op.results.size());
  PieceSet slices; // Of the parts that somebody needs, by number.
  int64_t at = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    llvm::ArrayRef<int64_t> part = shapeOf(op.results[i]);
    if (isNeeded(op.results[i])) {
      parts[i] = std::make_shared<PieceSet>();
      slices.add(partPiece(op, shape, part, at), i);
    }
    at += extentOfPart(op, part);
  }
  // A tag that says both: which piece, and so which origin, of which part.
  PieceSet numbered = *whole;
  for (size_t i = 0; i < numbered.size(); ++i)
    numbered.entries()[i].tag = i;
  uint64_t numParts = parts.size();
  assert(numbered.size() * numParts <= UINT32_MAX && "statements are limited");
  PieceSet cut =
      *compose(numbered, slices, [&](PieceSet::Tag piece, PieceSet::Tag part) {
        return static_cast<PieceSet::Tag>(piece * numParts + part);
      });
  for (size_t i = 0; i < cut.size(); ++i) {
    PieceRef piece = cut[i];
    PieceSet &part = *parts[piece.tag % numParts];
    piece.tag = whole->entries()[piece.tag / numParts].tag;
    part.add(piece);
  }
  for (auto [part, result] : llvm::zip(parts, op.results))
    define(result, std::move(part));
}

void Lowering::changeOrigins(
    PieceSet &pieces, llvm::function_ref<Origin(const Origin &)> change) {
  // Few origins, many pieces.
  llvm::SmallDenseMap<PieceSet::Tag, PieceSet::Tag, 4> known;
  for (PieceSet::Entry &entry : pieces.entries()) {
    auto [place, isNew] = known.try_emplace(entry.tag, 0);
    if (isNew)
      place->second =
          program.internOrigin(change(Origin(program.origins[entry.tag])));
    entry.tag = place->second;
  }
}

void Lowering::compute(const Op &op,
                       llvm::function_ref<void(ElementOps &)> addStep) {
  std::shared_ptr<PieceSet> pieces = take(op.operands[0]);
  changeOrigins(*pieces, [&](const Origin &origin) {
    ElementOps ops =
        program.opsOf(origin.ops, program.value(origin.source).dtype);
    assert(ops.to() == program.value(op.operands[0]).dtype &&
           "the chain ends where the step starts");
    addStep(ops);
    return Origin{origin.source, program.internOps(ops), origin.op};
  });
  define(op.results[0], std::move(pieces));
}
} // namespace

void aoa::lowerToPieces(Program &program, PassContext &) {
  Lowering(program).run();
  program.stage = Stage::Pieces;
}
