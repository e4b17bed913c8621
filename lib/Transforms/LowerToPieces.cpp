//===- LowerToPieces.cpp - Results as boxes of source tensors ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One walk over the operations. Each value that a result needs is a list of
// pieces; renaming shares the list, splitting cuts it, merging shifts and
// appends, transposing permutes axes, casting lengthens the chains. A list is
// dropped behind its last use.
//===----------------------------------------------------------------------===//

#include "aoa/Transforms/Lower.h"

#include "JoinNeighbours.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <memory>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
using Pieces = std::vector<WholePiece>;

class Lowering {
public:
  explicit Lowering(Program &program)
      : program(program), usesLeft(program.values.size(), 0),
        lists(program.values.size()) {}

  void run();

private:
  void countUses();
  bool isNeeded(ValueId value) const { return usesLeft[value.index()] != 0; }
  void lower(OpId id);
  /// Returns the pieces of `value` for one of its uses; the last one owns them.
  std::shared_ptr<Pieces> use(ValueId value);
  /// The same, for changing.
  std::shared_ptr<Pieces> take(ValueId value);
  void define(ValueId value, std::shared_ptr<Pieces> pieces) {
    if (isNeeded(value))
      lists[value.index()] = std::move(pieces);
  }

  Pieces source(const Op &op, OpId id) const;
  Pieces merge(const Op &op, OpId id);
  void split(const Op &op);
  void transpose(Pieces &pieces, llvm::ArrayRef<unsigned> perm) const;
  void cast(Pieces &pieces, DType from, DType to);

  Program &program;
  std::vector<unsigned> usesLeft; ///< Of values that results need.
  /// Shared by the names of one value, until one of them changes it.
  std::vector<std::shared_ptr<Pieces>> lists;
};

void Lowering::run() {
  countUses();
  for (size_t i = 0; i < program.ops.size(); ++i)
    lower(OpId(i));
  for (Result &result : program.results) {
    if (result.leftToCaller)
      continue;
    result.pieces = std::move(*take(result.value));
    llvm::sort(result.pieces, [](const WholePiece &a, const WholePiece &b) {
      return a.map.dst.offset < b.map.dst.offset;
    });
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

std::shared_ptr<Pieces> Lowering::use(ValueId value) {
  std::shared_ptr<Pieces> &list = lists[value.index()];
  assert(list && usesLeft[value.index()] != 0 &&
         "operations are ordered and uses counted");
  if (--usesLeft[value.index()] == 0)
    return std::move(list);
  return list;
}

std::shared_ptr<Pieces> Lowering::take(ValueId value) {
  std::shared_ptr<Pieces> list = use(value);
  if (list.use_count() > 1)
    return std::make_shared<Pieces>(*list);
  return list;
}

void Lowering::lower(OpId id) {
  const Op &op = program.op(id);
  if (llvm::none_of(op.results, [&](ValueId value) { return isNeeded(value); }))
    return;
  switch (op.kind) {
  case OpKind::Source:
    define(op.results[0], std::make_shared<Pieces>(source(op, id)));
    return;
  case OpKind::Rename:
    define(op.results[0], use(op.operands[0]));
    return;
  case OpKind::Merge:
    define(op.results[0], std::make_shared<Pieces>(merge(op, id)));
    return;
  case OpKind::Split:
    split(op);
    return;
  case OpKind::Transpose: {
    std::shared_ptr<Pieces> pieces = take(op.operands[0]);
    transpose(*pieces, op.perm);
    define(op.results[0], std::move(pieces));
    return;
  }
  case OpKind::Cast: {
    DType from = program.value(op.operands[0]).dtype;
    std::shared_ptr<Pieces> pieces = take(op.operands[0]);
    cast(*pieces, from, op.dtype);
    define(op.results[0], std::move(pieces));
    return;
  }
  case OpKind::Remove:
    return;
  case OpKind::Add:
    // Nothing reads what the caller fills; Sema refuses it.
    define(op.results[0], std::make_shared<Pieces>());
    return;
  }
}

Pieces Lowering::source(const Op &op, OpId id) const {
  BoxMap map = identityMap(program.value(op.results[0]).shape);
  if (map.dst.isEmpty())
    return {};
  return {WholePiece{op.results[0], std::move(map), CastChainId::none(), id}};
}

Pieces Lowering::merge(const Op &op, OpId id) {
  Pieces merged;
  int64_t at = 0;
  for (ValueId operand : op.operands) {
    int64_t extent = program.value(operand).shape[op.axis];
    std::shared_ptr<Pieces> part = use(operand);
    for (const WholePiece &piece : *part) {
      merged.push_back(piece);
      merged.back().map.dst.offset[op.axis] += at;
      merged.back().op = id;
    }
    at += extent;
  }
  joinNeighbours(merged, op.axis);
  return merged;
}

void Lowering::split(const Op &op) {
  unsigned axis = op.axis;
  std::vector<int64_t> begins = {0};
  for (ValueId result : op.results)
    begins.push_back(begins.back() + program.value(result).shape[axis]);

  std::vector<std::shared_ptr<Pieces>> parts(op.results.size());
  for (auto [part, result] : llvm::zip(parts, op.results))
    if (isNeeded(result))
      part = std::make_shared<Pieces>();

  std::shared_ptr<Pieces> whole = use(op.operands[0]);
  for (const WholePiece &piece : *whole) {
    int64_t begin = piece.map.dst.offset[axis];
    int64_t end = begin + piece.map.dst.shape[axis];
    // Parts are intervals in order: the first that ends behind `begin`, and on
    // until one begins behind `end`.
    size_t part = llvm::upper_bound(begins, begin) - begins.begin() - 1;
    for (; part < parts.size() && begins[part] < end; ++part) {
      if (!parts[part])
        continue;
      Box box = piece.map.dst;
      box.offset[axis] = begins[part];
      box.shape[axis] = begins[part + 1] - begins[part];
      std::optional<BoxMap> inPart = restrictDst(piece.map, box);
      if (!inPart)
        continue;
      inPart->dst.offset[axis] -= begins[part];
      parts[part]->push_back(
          {piece.source, std::move(*inPart), piece.casts, piece.op});
    }
  }
  for (auto [part, result] : llvm::zip(parts, op.results))
    define(result, std::move(part));
}

void Lowering::transpose(Pieces &pieces, llvm::ArrayRef<unsigned> perm) const {
  for (WholePiece &piece : pieces) {
    BoxMap map = piece.map;
    for (unsigned i = 0; i < perm.size(); ++i) {
      piece.map.dst.offset[i] = map.dst.offset[perm[i]];
      piece.map.dst.shape[i] = map.dst.shape[perm[i]];
      piece.map.perm[i] = map.perm[perm[i]];
    }
  }
}

void Lowering::cast(Pieces &pieces, DType from, DType to) {
  if (from == to)
    return;
  // Few chains, many pieces.
  llvm::SmallVector<std::pair<CastChainId, CastChainId>, 2> known;
  for (WholePiece &piece : pieces) {
    auto *found = llvm::find_if(
        known, [&](const auto &entry) { return entry.first == piece.casts; });
    if (found == known.end()) {
      known.emplace_back(piece.casts,
                         program.appendCast(piece.casts, from, to));
      found = &known.back();
    }
    piece.casts = found->second;
  }
}
} // namespace

void aoa::lowerToPieces(Program &program) { Lowering(program).run(); }
