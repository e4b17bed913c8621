//===- ProveIdentity.cpp - There and back is the identity -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ProveIdentity.h"

#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Invert.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace aoa;
using namespace aoa::invert;
using affine::PieceRef;
using affine::PieceSet;
using ir::ValueId;

namespace {

/// A step of an element, and what the element was before.
struct KnownStep {
  DType from;
  ElementOp op;
};

bool undoes(const KnownStep &first, const ElementOp &second) {
  using Kind = ElementOp::Kind;
  if (first.op.kind != second.kind)
    return false;
  switch (second.kind) {
  case Kind::Cast:
    return second.to == first.from && isLossless(first.from, first.op.to);
  case Kind::Scale:
    return second.number == 1 / first.op.number ||
           first.op.number == 1 / second.number;
  case Kind::Plus:
    return second.number == -first.op.number;
  case Kind::Multiply:
  case Kind::Divide:
    return false;
  }
  llvm_unreachable("all kinds are listed");
}

/// Whether steps there and those back undo each other, but for rounding that
/// has been warned of.
bool undoEachOther(const ElementOps &there, const ElementOps &back) {
  std::vector<KnownStep> open;
  DType reached = there.from;
  auto take = [&](const ElementOp &op) {
    if (!open.empty() && undoes(open.back(), op))
      open.pop_back();
    else
      open.push_back({reached, op});
    reached = op.to;
  };
  for (const ElementOp &op : there.steps)
    take(op);
  for (const ElementOp &op : back.steps)
    take(op);
  return open.empty() && reached == there.from;
}

/// The pieces of a set by the tensor that they read.
std::map<ValueId, PieceSet> bySource(const PieceSet &pieces,
                                     const ir::Program &program) {
  std::map<ValueId, PieceSet> parts;
  for (size_t i = 0; i != pieces.size(); ++i)
    if (!pieces[i].isEmpty())
      parts[program.origins[pieces[i].tag].source].add(pieces[i]);
  return parts;
}

/// Cuts a piece until each part has the same strides on both sides, and so is
/// the identity or nowhere so; whole where that makes too many.
std::vector<affine::Piece> cutWhereStridesDiffer(const affine::Piece &piece) {
  constexpr int64_t maxParts = 4096;
  std::vector<affine::Piece> parts = {affine::foldDims(piece)};
  for (unsigned dim = parts.front().rank(); dim-- != 0;) {
    const affine::Piece &any = parts.front();
    int64_t extent = any.shape[dim];
    if (any.src.strides[dim] == any.dst.strides[dim])
      continue;
    if (extent > maxParts / static_cast<int64_t>(parts.size()))
      return {piece};
    std::vector<affine::Piece> cut;
    for (const affine::Piece &part : parts)
      for (int64_t i = 0; i != extent; ++i) {
        affine::Piece &slice = cut.emplace_back(part);
        for (affine::StridedView *view : {&slice.src, &slice.dst}) {
          view->offset += i * view->strides[dim];
          view->strides.erase(view->strides.begin() + dim);
        }
        slice.shape.erase(slice.shape.begin() + dim);
      }
    parts = std::move(cut);
  }
  return parts;
}

class Prover {
public:
  Prover(const ir::Program &there, const ir::Program &back)
      : there(there), back(back) {
    for (const ir::Result &result : there.results)
      if (!result.isCompared && !result.leftToCaller)
        made.try_emplace(result.name, &result);
    readComparisons();
  }

  std::optional<IdentityFault> run() {
    llvm::StringSet<> seen;
    for (const ir::Result &result : back.results) {
      if (result.isCompared)
        continue;
      seen.insert(result.name);
      const Tensor *tensor = there.source->find(result.name);
      if (!tensor)
        return IdentityFault{result.name, "the source has no such tensor"};
      std::string fault = prove(result, *tensor);
      if (!fault.empty())
        return IdentityFault{result.name, fault};
    }
    for (const Tensor &tensor : there.source->tensors)
      if (!seen.contains(tensor.name))
        return IdentityFault{tensor.name, "nothing makes it"};
    return std::nullopt;
  }

private:
  /// Elements of a tensor of the source that equal others, src to dst.
  struct Equal {
    ValueId src;
    PieceSet pieces;
  };

  /// A tensor of the source, and whether its elements come back as they were.
  /// Where not, as behind a comparison of scaled tensors, what they are
  /// compared with must.
  using Part = std::pair<ValueId, bool>;

  /// What a run compares is equal behind it.
  void readComparisons() {
    const ir::Result *first = nullptr;
    for (const ir::Result &result : there.results) {
      if (!result.isCompared)
        continue;
      if (!first) {
        first = &result;
        continue;
      }
      for (const auto &[a, ofA] : bySource(first->pieces, there))
        for (const auto &[b, ofB] : bySource(result.pieces, there)) {
          auto pieces = affine::compose(
              ofA, affine::invert(ofB),
              [](PieceSet::Tag, PieceSet::Tag) { return PieceSet::Tag(0); });
          if (!pieces || pieces->empty())
            continue;
          equalTo[a].push_back({b, affine::invert(*pieces)});
          equalTo[b].push_back({a, std::move(*pieces)});
        }
      first = nullptr;
    }
  }

  std::string prove(const ir::Result &result, const Tensor &tensor) {
    const ir::Value &value = back.value(result.value);
    if (value.dtype != tensor.dtype)
      return "it is " + std::string(nameOf(value.dtype)) + " then, and " +
             std::string(nameOf(tensor.dtype)) + " before";
    if (llvm::ArrayRef<int64_t>(value.shape) !=
        llvm::ArrayRef<int64_t>(tensor.shape))
      return "it has another shape";
    std::map<Part, PieceSet> parts;
    for (const auto &[source, pieces] : bySource(result.pieces, back))
      if (std::string fault = addParts(source, pieces, parts); !fault.empty())
        return fault;
    int64_t numElements = 0;
    for (const auto &[part, pieces] : parts)
      for (size_t i = 0; i != pieces.size(); ++i) {
        numElements += pieces[i].numElements();
        for (const affine::Piece &piece :
             cutWhereStridesDiffer(pieces[i].piece()))
          if (!(part.second && isItself(part.first, piece, result.name)) &&
              !equalsItself(part.first, piece, result.name))
            return "element " + std::to_string(piece.dst.offset) +
                   " of it is element " + std::to_string(piece.src.offset) +
                   " of `" + there.value(part.first).name + "`";
      }
    if (numElements != affine::identityPiece(tensor.shape).numElements())
      return "only " + std::to_string(numElements) + " of its elements are set";
    return "";
  }

  /// Whether `piece` of `source` makes elements of `name` of themselves.
  bool isItself(ValueId source, const affine::Piece &piece,
                llvm::StringRef name) const {
    affine::Piece folded = affine::foldDims(piece);
    return there.value(source).name == name && folded.src == folded.dst;
  }

  /// Adds to `parts` what `pieces` of a result of the conversion are made of.
  std::string addParts(ValueId source, const PieceSet &pieces,
                       std::map<Part, PieceSet> &parts) {
    if (back.isFill(source))
      return "elements of it are filled in";
    auto it = made.find(back.value(source).name);
    if (it == made.end())
      return "it is made of no result";
    // Which origin there and which one back: few pairs, many pieces.
    std::vector<std::pair<PieceSet::Tag, PieceSet::Tag>> pairs;
    std::map<std::pair<PieceSet::Tag, PieceSet::Tag>, size_t> known;
    auto combine = [&](PieceSet::Tag a, PieceSet::Tag b) {
      auto [at, isNew] = known.try_emplace({a, b}, pairs.size());
      if (isNew)
        pairs.emplace_back(a, b);
      return static_cast<PieceSet::Tag>(at->second);
    };
    auto composed = affine::compose(it->second->pieces, pieces, combine);
    if (!composed)
      return composed.error().str();
    std::vector<Part> partOf;
    for (const auto &[a, b] : pairs) {
      const ir::Origin &first = there.origins[a], &second = back.origins[b];
      if (there.isFill(first.source))
        return "elements of it are filled in";
      ElementOps to = there.opsOf(first.ops, there.value(first.source).dtype);
      ElementOps from = back.opsOf(second.ops, back.value(second.source).dtype);
      partOf.emplace_back(first.source, undoEachOther(to, from));
    }
    for (PieceSet::Entry entry : composed->entries()) {
      PieceRef piece = composed->ref(entry);
      piece.tag = 0;
      parts[partOf[entry.tag]].add(piece);
    }
    return "";
  }

  /// Whether all elements that `piece` of `source` takes for `name` have been
  /// compared with what they stand for, perhaps by way of others.
  bool equalsItself(ValueId source, const affine::Piece &piece,
                    llvm::StringRef name) const {
    auto noTag = [](PieceSet::Tag, PieceSet::Tag) { return PieceSet::Tag(0); };
    // Breadth first along comparisons: pieces that make `name` of other
    // tensors.
    using Reached = std::pair<ValueId, affine::Piece>;
    std::vector<Reached> reached = {{source, affine::foldDims(piece)}};
    constexpr size_t maxReached = 1000;
    PieceSet proved;
    auto follow = [&](const Equal &each, const affine::Piece &from) {
      auto further = affine::compose(each.pieces, PieceSet(from), noTag);
      if (!further)
        return;
      for (size_t i = 0; i != further->size(); ++i)
        for (affine::Piece &part :
             cutWhereStridesDiffer((*further)[i].piece())) {
          Reached one{each.src, std::move(part)};
          if (!isItself(one.first, one.second, name)) {
            if (reached.size() < maxReached &&
                !llvm::is_contained(reached, one))
              reached.push_back(std::move(one));
          } else if (affine::countComposed(PieceSet(one.second), proved) == 0) {
            proved.add(one.second);
          }
        }
    };
    for (size_t next = 0; next != reached.size(); ++next) {
      auto [from, part] = reached[next];
      auto edges = equalTo.find(from);
      if (edges == equalTo.end())
        continue;
      // What is compared with the tensor itself is a short way.
      for (bool direct : {true, false}) {
        for (const Equal &each : edges->second)
          if ((there.value(each.src).name == name) == direct)
            follow(each, part);
        if (proved.numElements() == piece.numElements())
          return true;
      }
    }
    return false;
  }

  const ir::Program &there, &back;
  llvm::StringMap<const ir::Result *> made;
  std::map<ValueId, std::vector<Equal>> equalTo; ///< By dst.
};

} // namespace

std::optional<IdentityFault> invert::proveIdentity(const ir::Program &there,
                                                   const ir::Program &back) {
  return Prover(there, back).run();
}
