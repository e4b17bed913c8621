//===- CheckTransfers.cpp - Every element of a shard, once ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Composing works in the space of whole tensors; this check looks at what came
// out of it, in the buffers of the shards, and so proves the step itself. Once
// a class; a fault is shown for each of its results.
//===----------------------------------------------------------------------===//

#include "FaultPlace.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Transforms/Pass.h"
#include "aoa/Transforms/ShardPieces.h"
#include "aoa/Transforms/TransformsDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class TransferCheck {
public:
  TransferCheck(const Program &program, const PassContext &context)
      : program(program), context(context),
        isSound(program.classes.size(), false) {}

  void check(const Result &result) {
    size_t number = result.layoutClass.index();
    if (isSound[number])
      return;
    const LayoutClass &layoutClass = program.classes[number];
    numSourceElements.clear();
    for (size_t shard = 0; shard < result.shards.size(); ++shard)
      if (!checkSources(result, layoutClass, shard) ||
          !checkTarget(result, layoutClass.shards[shard], shard))
        return; // The other shards of a tensor share its fault.
    isSound[number] = true;
  }

private:
  bool checkSources(const Result &result, const LayoutClass &layoutClass,
                    size_t shard);
  bool checkTarget(const Result &result, const PieceSet &pieces, size_t shard);
  int64_t sourceElements(const Result &result, const LayoutClass &layoutClass,
                         uint32_t origin);

  bool refuse(const DiagnosticKind &kind, const Result &result,
              std::string message) {
    context.sink.report(errorAt(kind, program.definition(result.value),
                                context.script, std::move(message)));
    return false;
  }
  static std::string describe(const Result &result, size_t shard) {
    std::string text = "the shard of `" + result.name + "`";
    if (!result.shards[shard].ranks.empty())
      text += " on rank " + std::to_string(result.shards[shard].ranks.front());
    return text;
  }

  const Program &program;
  const PassContext &context;
  std::vector<bool> isSound; ///< By class.
  /// Elements of the source shard of each origin of a class; -1: not asked yet.
  std::vector<int64_t> numSourceElements;
};

int64_t numElements(llvm::ArrayRef<int64_t> shape) {
  return identityPiece(shape).numElements();
}

int64_t TransferCheck::sourceElements(const Result &result,
                                      const LayoutClass &layoutClass,
                                      uint32_t origin) {
  numSourceElements.resize(layoutClass.origins.size(), -1);
  int64_t &known = numSourceElements[origin];
  if (known < 0) {
    const StorageOrigin &from = layoutClass.origins[origin];
    StoredValue stored = program.storedValue(result.slots[from.slot]);
    known = numElements(
        stored.shards.empty()
            ? stored.shape
            : llvm::ArrayRef(stored.shards[from.sourceShard].localShape));
  }
  return known;
}

bool TransferCheck::checkSources(const Result &result,
                                 const LayoutClass &layoutClass, size_t shard) {
  const PieceSet &pieces = layoutClass.shards[shard];
  for (size_t i = 0; i < pieces.size(); ++i) {
    PieceRef piece = pieces[i];
    int64_t last = piece.srcOffset;
    for (unsigned dim = 0; dim < piece.rank(); ++dim)
      last += (piece.shape[dim] - 1) * piece.srcStrides[dim];
    if (last < sourceElements(result, layoutClass, piece.tag))
      continue;
    const StorageOrigin &from = layoutClass.origins[piece.tag];
    return refuse(diag::PieceOutOfBounds, result,
                  "a piece of " + describe(result, shard) + " reads element " +
                      std::to_string(last) + " of shard " +
                      std::to_string(from.sourceShard) + " of `" +
                      program.value(result.slots[from.slot]).name +
                      "`, behind its end");
  }
  return true;
}

bool TransferCheck::checkTarget(const Result &result, const PieceSet &pieces,
                                size_t shard) {
  const Shape &localShape = result.shards[shard].localShape;
  PieceSet held =
      shardPieces(result.shards[shard], program.value(result.value).shape);
  auto element = [&](int64_t address) {
    return "local element " + formatShape(indexOf(address, localShape)) +
           " of " + describe(result, shard);
  };
  Coverage apart = checkDisjoint(held, Side::Src, numElements(localShape));
  if (apart.kind == Coverage::Kind::Overlap)
    return refuse(diag::OverlappingPieces, result,
                  "two blocks of " + describe(result, shard) +
                      " hold its local element " +
                      formatShape(indexOf(apart.address, localShape)));
  if (apart.kind == Coverage::Kind::OutOfBounds)
    return refuse(diag::PieceOutOfBounds, result,
                  describe(result, shard) + " " + formatShape(localShape) +
                      " has a block that reaches its element " +
                      std::to_string(apart.address) + ", outside of it");
  Coverage cover = checkCover(pieces, Side::Dst, held, Side::Src);
  switch (cover.kind) {
  case Coverage::Kind::Exact:
    return true;
  case Coverage::Kind::Hole:
    return refuse(diag::MissingPiece, result,
                  element(cover.address) + " is not written");
  case Coverage::Kind::Overlap:
    return refuse(diag::OverlappingPieces, result,
                  element(cover.address) + " is written twice");
  case Coverage::Kind::OutOfBounds:
    return refuse(diag::PieceOutOfBounds, result,
                  element(cover.address) +
                      " is written, which holds no part of the tensor");
  }
  llvm_unreachable("all kinds are listed");
}
} // namespace

void aoa::checkTransfers(Program &program, PassContext &context) {
  TransferCheck check(program, context);
  for (const Result &result : program.results)
    if (!result.layoutClass.isNone())
      check.check(result);
}
