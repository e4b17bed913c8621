//===- LowerToPieces.cpp - Results as pieces of source tensors --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One walk over the operations. Each value that a result needs is a set of
// pieces, source tensors to value; an operation composes those of its operands
// with its own relation. A set is dropped behind its last use.
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
  PieceSet merge(const Op &op, OpId id);
  void split(const Op &op);
  void cast(PieceSet &pieces, DType from, DType to);
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
  countUses();
  for (size_t i = 0; i < program.ops.size(); ++i)
    lower(OpId(i));
  for (Result &result : program.results)
    if (!result.leftToCaller) {
      result.pieces = std::move(*take(result.value));
      fold(result.pieces);
    }
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
  case OpKind::Rename:
    define(op.results[0], use(op.operands[0]));
    return;
  case OpKind::Merge:
    define(op.results[0], std::make_shared<PieceSet>(merge(op, id)));
    return;
  case OpKind::Split:
    split(op);
    return;
  case OpKind::Transpose: {
    Piece transposed =
        primitives::transposePiece(shapeOf(op.operands[0]), op.perm);
    define(op.results[0], std::make_shared<PieceSet>(
                              composeWith(*use(op.operands[0]), transposed)));
    return;
  }
  case OpKind::Cast: {
    DType from = program.value(op.operands[0]).dtype;
    std::shared_ptr<PieceSet> pieces = take(op.operands[0]);
    cast(*pieces, from, op.dtype);
    define(op.results[0], std::move(pieces));
    return;
  }
  case OpKind::Stack:
  case OpKind::Unstack:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Pad:
  case OpKind::Repeat:
  case OpKind::Dedup:
  case OpKind::Scale:
  case OpKind::Plus:
  case OpKind::Fill:
  case OpKind::Compare:
    llvm_unreachable("no statement makes them yet");
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

PieceSet Lowering::merge(const Op &op, OpId id) {
  PieceSet merged;
  int64_t at = 0;
  for (ValueId operand : op.operands) {
    int64_t extent = shapeOf(operand)[op.axis];
    Piece part = invert(
        primitives::slicePiece(shapeOf(op.results[0]), op.axis, at, extent));
    append(merged, composeWith(*use(operand), part));
    at += extent;
  }
  changeOrigins(merged, [&](const Origin &origin) {
    return Origin{origin.source, origin.ops, id};
  });
  fold(merged);
  return merged;
}

void Lowering::split(const Op &op) {
  std::shared_ptr<PieceSet> whole = use(op.operands[0]);
  llvm::ArrayRef<int64_t> shape = shapeOf(op.operands[0]);
  std::vector<std::shared_ptr<PieceSet>> parts(op.results.size());
  PieceSet slices; // Of the parts that somebody needs, by number.
  int64_t at = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t extent = shapeOf(op.results[i])[op.axis];
    if (isNeeded(op.results[i])) {
      parts[i] = std::make_shared<PieceSet>();
      slices.add(primitives::slicePiece(shape, op.axis, at, extent), i);
    }
    at += extent;
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

void Lowering::cast(PieceSet &pieces, DType from, DType to) {
  if (from == to)
    return;
  changeOrigins(pieces, [&](const Origin &origin) {
    ElementOps ops =
        program.opsOf(origin.ops, program.value(origin.source).dtype);
    assert(ops.to() == from && "the chain ends where the cast starts");
    ops.cast(to);
    return Origin{origin.source, program.internOps(ops), origin.op};
  });
}
} // namespace

void aoa::lowerToPieces(Program &program, PassContext &) {
  Lowering(program).run();
  program.stage = Stage::Pieces;
}
