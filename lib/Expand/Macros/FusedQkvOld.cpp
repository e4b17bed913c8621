//===- FusedQkvOld.cpp - [Q | K | V] on each rank ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensor is cut into heads. Arranged for t ranks it is, rank by rank, the
// rank's heads of q, then those of k, then those of v:
//
//   H = 4, G = 2, t = 2:  Q0 Q1 K0 V0 Q2 Q3 K1 V1
//===----------------------------------------------------------------------===//

#include "FusedCall.h"

namespace aoa::expand {
namespace {

struct Heads {
  FusedCall::Parts q, k, v;
};

FusedCall::Parts arranged(const Heads &heads, int64_t degree) {
  FusedCall::Parts parts;
  auto appendShare = [&](const FusedCall::Parts &all, int64_t rank) {
    int64_t perRank = all.size() / degree;
    append(parts, all, rank * perRank, (rank + 1) * perRank);
  };
  for (int64_t rank = 0; rank < degree; ++rank) {
    appendShare(heads.q, rank);
    appendShare(heads.k, rank);
    appendShare(heads.v, rank);
  }
  return parts;
}

/// Upstream leaves out heads or writes empty lists where this does not hold.
bool checkDivides(FusedCall &call, const ast::Name &name, int64_t degree) {
  std::string cut = quoted(name.text) + " is cut in " + std::to_string(degree) +
                    " parts along axis " + std::to_string(call.axis) + ", ";
  if (call.numGroups < degree) {
    call.error(diag::UnsuitableCut, call.range(),
               cut + "more than its " + std::to_string(call.numGroups) +
                   " key/value groups: replicating them is not supported "
                   "yet");
    return false;
  }
  bool heads = call.numHeads % degree != 0;
  if (!heads && call.numGroups % degree == 0)
    return true;
  call.error(diag::UnsuitableCut, call.range(),
             cut + "which is not on boundaries of its " +
                 std::to_string(heads ? call.numHeads : call.numGroups) +
                 (heads ? " heads" : " key/value groups"));
  return false;
}

} // namespace

void expandFusedQkvOld(Expander &expander, size_t index,
                       ast::Statement statement, Statements &out) {
  FusedCall call(expander, index, statement, out);
  bool changes = call.hasForm(1, 1), joins = call.hasForm(3, 1),
       parts = call.hasForm(1, 3);
  if (!changes && !joins && !parts)
    return call.reportArity("1 to 1, 3 to 1 or 1 to 3");
  if (!call.readAttributes(/*hasHeads=*/true))
    return;

  std::optional<int64_t> source = joins ? 1 : call.sourceDegree();
  std::optional<int64_t> target = parts ? 1 : call.targetDegree();
  if (!source || !target || !checkDivides(call, call.left(0), *source) ||
      !checkDivides(call, call.right(0), *target) ||
      !expander.takeStatements(statement, changes ? 1
                                          : joins ? 2
                                                  : 3))
    return;
  if (!parts)
    call.setArranged(*target);

  auto originOf = [&](size_t i) -> const ast::Name & {
    return parts ? call.right(i) : joins ? call.left(i) : call.left(0);
  };
  auto q = call.makeParts("fused_qkv_old_tmp.Q_", call.numHeads, originOf(0));
  auto k = call.makeParts("fused_qkv_old_tmp.K_", call.numGroups, originOf(1));
  auto v = call.makeParts("fused_qkv_old_tmp.V_", call.numGroups, originOf(2));
  if (!q || !k || !v)
    return;
  Heads heads{std::move(*q), std::move(*k), std::move(*v)};

  ast::Name whole = call.left(0);
  if (joins) {
    whole = call.makeTemporary(call.left(0).text + "." + call.left(1).text +
                               "." + call.left(2).text + ".tmp");
    call.merge({call.left(0), call.left(1), call.left(2)}, whole);
  }
  call.split(whole, arranged(heads, *source));
  if (parts) {
    call.merge(std::move(heads.q), call.right(0));
    call.merge(std::move(heads.k), call.right(1));
    call.merge(std::move(heads.v), call.right(2));
  } else {
    call.merge(arranged(heads, *target), call.right(0));
  }
}

} // namespace aoa::expand
