//===- WalkForward.cpp - Where single elements go to ----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ElementList.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Invert.h"
#include "aoa/Trace/Walk.h"
#include "aoa/Transforms/OpRelation.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;
using namespace aoa::trace;

namespace {
class ForwardWalker {
public:
  ForwardWalker(const Program &program, int64_t maxElements)
      : program(program), maxElements(maxElements), isLive(findLive(program)),
        isReached(program.values.size()) {}

  Expected<std::vector<Goal>> walk(llvm::StringRef name,
                                   llvm::ArrayRef<int64_t> addresses);

private:
  /// Marks the values that results are made of.
  static std::vector<bool> findLive(const Program &program);
  /// Returns whether the limits hold.
  bool pass(const Op &op);
  void reach(ValueId value, NumberedElement element) {
    isReached[value.index()] = true;
    reached[value.index()].push_back(element);
    --hopsLeft;
  }

  const Program &program;
  int64_t maxElements;
  int64_t hopsLeft = defaultMaxHops;
  std::vector<bool> isLive, isReached; ///< Of values.
  llvm::DenseMap<size_t, std::vector<NumberedElement>> reached;
};
} // namespace

std::vector<bool> ForwardWalker::findLive(const Program &program) {
  std::vector<bool> live(program.values.size());
  for (const Result &result : program.results)
    live[result.value.index()] = true;
  for (const Op &op : llvm::reverse(program.ops))
    if (llvm::any_of(op.results, [&](ValueId id) { return live[id.index()]; }))
      for (ValueId operand : op.operands)
        live[operand.index()] = true;
  return live;
}

Expected<std::vector<Goal>>
ForwardWalker::walk(llvm::StringRef name, llvm::ArrayRef<int64_t> addresses) {
  auto tooMany = fail(ErrorKind::Limit,
                      "`" + name.str() + "` goes to more than " +
                          std::to_string(maxElements) +
                          " elements on its way; trace fewer of its own");
  for (const Op &op : program.ops) {
    if (op.kind == OpKind::Source) {
      if (program.sourceTensor(op.results[0]).name == name)
        for (auto [number, address] : llvm::enumerate(addresses))
          reach(op.results[0], {static_cast<int64_t>(number), address});
      continue;
    }
    if (llvm::any_of(op.operands,
                     [&](ValueId id) { return isReached[id.index()]; }) &&
        !pass(op))
      return tooMany;
  }
  std::vector<Goal> goals;
  for (auto [number, result] : llvm::enumerate(program.results)) {
    if (result.isCompared || !isReached[result.value.index()])
      continue;
    for (const NumberedElement &element : reached[result.value.index()])
      goals.push_back({static_cast<uint32_t>(number), element.address,
                       static_cast<uint32_t>(element.number)});
    if (static_cast<int64_t>(goals.size()) > maxElements)
      return tooMany;
  }
  llvm::sort(goals, [](const Goal &a, const Goal &b) {
    return std::tie(a.number, a.result, a.address) <
           std::tie(b.number, b.result, b.address);
  });
  return goals;
}

bool ForwardWalker::pass(const Op &op) {
  // The relation of each operand that was reached; tags: results.
  std::map<unsigned, PieceSet> relations;
  forEachOperandPiece(
      program, op, [&](unsigned result, unsigned operand, const Piece &piece) {
        if (isReached[op.operands[operand].index()] &&
            isLive[op.results[result].index()] && !piece.isEmpty())
          relations[operand].add(piece, result);
      });
  for (const auto &[operand, relation] : relations) {
    PieceSet elements = asPieces(reached[op.operands[operand].index()]);
    PieceSet on =
        *compose(invert(elements), relation,
                 [](PieceSet::Tag, PieceSet::Tag result) { return result; });
    if (on.numElements() > std::min(maxElements, hopsLeft))
      return false;
    for (size_t i = 0; i < on.size(); ++i) {
      PieceRef piece = on[i];
      forEachElement(piece, [&](int64_t number, int64_t address) {
        reach(op.results[piece.tag], {number, address});
      });
    }
  }
  return llvm::all_of(op.results, [&](ValueId id) {
    return !isReached[id.index()] ||
           static_cast<int64_t>(reached[id.index()].size()) <= maxElements;
  });
}

Expected<std::vector<Goal>>
trace::walkForward(const Program &program, llvm::StringRef name,
                   llvm::ArrayRef<int64_t> addresses, int64_t maxElements) {
  return ForwardWalker(program, maxElements).walk(name, addresses);
}
