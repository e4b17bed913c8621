//===- WalkBack.cpp - Where single elements come from ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The operations on the way, the last first: all users of a value stand behind
// the operation that makes it, so that each is looked at once, for all elements
// that pass it.
//===----------------------------------------------------------------------===//
#include "ElementList.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Trace/Walk.h"
#include "aoa/Transforms/OpRelation.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;
using namespace aoa::trace;

namespace {
class BackWalker {
public:
  BackWalker(const Program &program, int64_t maxHops)
      : program(program), hopsLeft(maxHops) {}

  Expected<std::vector<Way>> walk(ValueId value,
                                  llvm::ArrayRef<int64_t> addresses);

private:
  bool isReached(ValueId value) const {
    return reached.contains(value.index());
  }
  void pass(OpId id);
  void reach(ValueId value, NumberedElement element) {
    auto [at, isNew] = reached.try_emplace(value.index());
    at->second.push_back(element);
    if (isNew)
      ahead.insert(program.value(value).definition.index());
  }

  const Program &program;
  int64_t hopsLeft;
  std::set<size_t> ahead; ///< Operations that make what was reached.
  llvm::DenseMap<size_t, std::vector<NumberedElement>> reached;
  std::vector<Way> ways; ///< `end` is how far they have come.
};
} // namespace

Expected<std::vector<Way>> BackWalker::walk(ValueId value,
                                            llvm::ArrayRef<int64_t> addresses) {
  for (auto [number, address] : llvm::enumerate(addresses)) {
    ways.push_back({value, address, {}, value, address});
    reach(value, {static_cast<int64_t>(number), address});
  }
  while (!ahead.empty()) {
    pass(OpId(ahead.extract(std::prev(ahead.end())).value()));
    if (hopsLeft < 0)
      return fail(ErrorKind::Limit, "these elements pass too many operations "
                                    "together; trace fewer of them");
  }
  return std::move(ways);
}

void BackWalker::pass(OpId id) {
  const Op &op = program.op(id);
  // The relation of each result that was reached; tags: operands.
  llvm::DenseMap<unsigned, PieceSet> relations;
  forEachOperandPiece(
      program, op, [&](unsigned result, unsigned operand, const Piece &piece) {
        if (isReached(op.results[result]) && !piece.isEmpty())
          relations[result].add(piece, operand);
      });
  for (auto [result, made] : llvm::enumerate(op.results)) {
    if (!isReached(made))
      continue;
    auto relation = relations.find(result);
    if (relation == relations.end())
      continue; // Here the way ends.
    std::vector<NumberedElement> elements = std::move(reached[made.index()]);
    hopsLeft -= static_cast<int64_t>(elements.size());
    if (hopsLeft < 0)
      return;
    PieceSet back =
        *compose(relation->second, asPieces(elements),
                 [](PieceSet::Tag operand, PieceSet::Tag) { return operand; });
    assert(back.numElements() == static_cast<int64_t>(elements.size()) &&
           "each element is made of one");
    for (size_t i = 0; i < back.size(); ++i) {
      PieceRef piece = back[i];
      ValueId operand = op.operands[piece.tag];
      forEachElement(piece, [&](int64_t address, int64_t number) {
        Way &way = ways[number];
        way.hops.push_back({id, piece.tag, made, way.endAddress});
        way.end = operand;
        way.endAddress = address;
        reach(operand, {number, address});
      });
    }
  }
}

Expected<std::vector<Way>> trace::walkBack(const Program &program,
                                           ValueId value,
                                           llvm::ArrayRef<int64_t> addresses,
                                           int64_t maxHops) {
  return BackWalker(program, maxHops).walk(value, addresses);
}
