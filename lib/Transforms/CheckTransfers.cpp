//===- CheckTransfers.cpp - Every element of a shard, once ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Composing works in the space of whole tensors; this check looks at what came
// out of it, in the buffers of the shards, and so proves the step itself.
//===----------------------------------------------------------------------===//

#include "aoa/Transforms/Lower.h"

#include "FaultPlace.h"
#include "SourceRegions.h"
#include "aoa/IR/BoxToPiece.h"
#include "aoa/Transforms/TransformsDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class TransferCheck {
public:
  TransferCheck(const Program &program, const ast::Script &script,
                DiagnosticSink &sink)
      : program(program), script(script), sink(sink),
        numSourceElements(program.values.size()) {}

  void check(const Result &result) {
    for (const TargetShard &shard : result.shards)
      if (!checkBlocks(result, shard) || !checkSources(result, shard) ||
          !checkTarget(result, shard))
        return; // The other shards of a tensor share its fault.
  }

private:
  /// Whether the blocks lie inside tensor and shard, and apart from each other.
  bool checkBlocks(const Result &result, const TargetShard &shard);
  bool checkSources(const Result &result, const TargetShard &shard);
  bool checkTarget(const Result &result, const TargetShard &shard);
  llvm::ArrayRef<int64_t> sourceElements(ValueId source);

  bool refuse(const DiagnosticKind &kind, const Result &result,
              std::string message) {
    sink.report(errorAt(kind, program.definition(result.value), script,
                        std::move(message)));
    return false;
  }
  static std::string describe(const Result &result, const TargetShard &shard) {
    std::string text = "the shard of `" + result.name + "`";
    if (!shard.ranks.empty())
      text += " on rank " + std::to_string(shard.ranks.front());
    return text;
  }

  const Program &program;
  const ast::Script &script;
  DiagnosticSink &sink;
  /// Elements of each shard of a source tensor, by value; made on first use.
  std::vector<std::vector<int64_t>> numSourceElements;
};

bool isInside(const Box &box, llvm::ArrayRef<int64_t> shape) {
  return box.rank() == shape.size() &&
         (box.isEmpty() || intersect(box, wholeBox(shape)) == box);
}

bool TransferCheck::checkBlocks(const Result &result,
                                const TargetShard &shard) {
  for (const Block &block : shard.blocks)
    if (!isInside(fullBox(block), program.value(result.value).shape) ||
        !isInside(localBox(block), shard.localShape))
      return refuse(diag::PieceOutOfBounds, result,
                    describe(result, shard) + " " +
                        formatShape(shard.localShape) + " has a block " +
                        formatShape(block.shape) + " at " +
                        formatShape(block.localOffset) + ", full tensor " +
                        formatShape(block.fullOffset) + ", outside of it");
  if (shard.blocks.size() < 2)
    return true;
  std::vector<Box> boxes;
  for (const Block &block : shard.blocks)
    boxes.push_back(localBox(block));
  BoxIndex index(std::move(boxes));
  std::optional<Extents> twice;
  for (unsigned i = 0; i < index.boxes().size() && !twice; ++i)
    index.visit(index.boxes()[i], [&](unsigned other) {
      if (other < i)
        twice = intersect(index.boxes()[i], index.boxes()[other])->offset;
    });
  if (!twice)
    return true;
  return refuse(diag::OverlappingPieces, result,
                "two blocks of " + describe(result, shard) +
                    " hold its local element " + formatShape(*twice));
}

llvm::ArrayRef<int64_t> TransferCheck::sourceElements(ValueId source) {
  std::vector<int64_t> &known = numSourceElements[source.index()];
  if (known.empty()) {
    const Tensor &tensor = program.sourceTensor(source);
    for (const Shard &shard : tensor.shards)
      known.push_back(wholeBox(shard.localShape).numElements());
    if (known.empty())
      known.push_back(wholeBox(tensor.shape).numElements());
  }
  return known;
}

bool TransferCheck::checkSources(const Result &result,
                                 const TargetShard &shard) {
  for (const StoragePiece &storage : shard.pieces) {
    const Piece &piece = storage.piece;
    int64_t last = piece.src.offset;
    for (unsigned i = 0; i < piece.shape.size(); ++i)
      last += (piece.shape[i] - 1) * piece.src.strides[i];
    llvm::ArrayRef<int64_t> elements = sourceElements(storage.source);
    if (storage.sourceShard >= elements.size() || piece.src.offset < 0 ||
        last >= elements[storage.sourceShard])
      return refuse(diag::PieceOutOfBounds, result,
                    "a piece of " + describe(result, shard) +
                        " reads element " + std::to_string(last) +
                        " of shard " + std::to_string(storage.sourceShard) +
                        " of `" + program.value(storage.source).name +
                        "`, behind its end");
  }
  return true;
}

/// Returns the box of the shard that an unfolded piece writes.
Box localBoxOf(const Piece &piece, llvm::ArrayRef<int64_t> localShape) {
  Box box{{}, piece.shape};
  int64_t rest = piece.dst.offset;
  for (int64_t stride : rowMajorStrides(localShape)) {
    box.offset.push_back(rest / stride);
    rest %= stride;
  }
  return box;
}

bool TransferCheck::checkTarget(const Result &result,
                                const TargetShard &shard) {
  std::vector<Box> boxes, space;
  for (const StoragePiece &storage : shard.pieces)
    boxes.push_back(localBoxOf(storage.piece, shard.localShape));
  for (const Block &block : shard.blocks)
    space.push_back(localBox(block));
  if (boxes == space)
    return true;
  CoverResult cover = checkCover(boxes, space);
  std::string element = "local element " + formatShape(cover.index) + " of " +
                        describe(result, shard);
  switch (cover.kind) {
  case CoverResult::Kind::Exact:
    return true;
  case CoverResult::Kind::Hole:
    return refuse(diag::MissingPiece, result, element + " is not written");
  case CoverResult::Kind::Overlap:
    return refuse(diag::OverlappingPieces, result,
                  element + " is written twice");
  case CoverResult::Kind::OutOfBounds:
    return refuse(diag::PieceOutOfBounds, result,
                  element + " is written, which holds no part of the tensor");
  }
  llvm_unreachable("all kinds are listed");
}
} // namespace

void aoa::checkTransfers(const Program &program, const ast::Script &script,
                         DiagnosticSink &sink) {
  TransferCheck check(program, script, sink);
  for (const Result &result : program.results)
    if (!result.leftToCaller)
      check.check(result);
}
