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
#include "aoa/Primitives/Primitives.h"
#include "aoa/Transforms/OpRelation.h"
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
  /// Makes one tensor of all operands.
  PieceSet compose(const Op &op);
  /// Merges, stacks or pads: puts a tensor together of several.
  PieceSet join(const Op &op, OpId id);
  /// Splits or unstacks.
  void cut(const Op &op);
  /// Adds a step to what the elements of the operand go through.
  void compute(const Op &op, llvm::function_ref<void(ElementOps &)> addStep);

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
    return *affine::compose(set, PieceSet(piece), keepTag);
  }
  PieceSet composed;
  for (size_t i = 0; i < set.size(); ++i)
    affine::compose(set[i].piece(), piece,
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
  case OpKind::Pad:
    define(op.results[0], std::make_shared<PieceSet>(join(op, id)));
    return;
  case OpKind::Split:
  case OpKind::Unstack:
    cut(op);
    return;
  case OpKind::Transpose:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Repeat:
  case OpKind::Dedup:
    define(op.results[0], std::make_shared<PieceSet>(compose(op)));
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

PieceSet Lowering::compose(const Op &op) {
  std::vector<std::shared_ptr<PieceSet>> operands;
  for (ValueId operand : op.operands)
    operands.push_back(use(operand));
  PieceSet composed;
  forEachOperandPiece(
      program, op, [&](unsigned, unsigned operand, const Piece &piece) {
        append(composed, composeWith(*operands[operand], piece));
      });
  return composed;
}

PieceSet Lowering::join(const Op &op, OpId id) {
  PieceSet pieces = compose(op);
  changeOrigins(pieces, [&](const Origin &origin) {
    return Origin{origin.source, origin.ops, id};
  });
  fold(pieces);
  return pieces;
}

void Lowering::cut(const Op &op) {
  std::shared_ptr<PieceSet> whole = use(op.operands[0]);
  std::vector<std::shared_ptr<PieceSet>> parts(op.results.size());
  PieceSet slices; // Of the parts that somebody needs, by number.
  forEachOperandPiece(program, op,
                      [&](unsigned part, unsigned, const Piece &piece) {
                        if (!isNeeded(op.results[part]))
                          return;
                        parts[part] = std::make_shared<PieceSet>();
                        slices.add(piece, part);
                      });
  // A tag that says both: which piece, and so which origin, of which part.
  PieceSet numbered = *whole;
  for (size_t i = 0; i < numbered.size(); ++i)
    numbered.entries()[i].tag = i;
  uint64_t numParts = parts.size();
  assert(numbered.size() * numParts <= UINT32_MAX && "statements are limited");
  PieceSet cut = *affine::compose(
      numbered, slices, [&](PieceSet::Tag piece, PieceSet::Tag part) {
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
