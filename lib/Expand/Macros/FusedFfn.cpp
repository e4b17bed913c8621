//===- FusedFfn.cpp - [gate | up] on each rank ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each half is cut in n pieces. Arranged for t ranks the tensor is, rank by
// rank, n/t pieces of gate and the same pieces of up:
//
//   t = 1, n = 2:  G0 G1 U0 U1        t = 2:  G0 U0 G1 U1
//===----------------------------------------------------------------------===//

#include "FusedCall.h"

#include <numeric>

namespace aoa::expand {

static FusedCall::Parts arranged(const FusedCall::Parts &gate,
                                 const FusedCall::Parts &up, int64_t degree) {
  FusedCall::Parts parts;
  int64_t perRank = gate.size() / degree;
  for (int64_t rank = 0; rank < degree; ++rank) {
    append(parts, gate, rank * perRank, (rank + 1) * perRank);
    append(parts, up, rank * perRank, (rank + 1) * perRank);
  }
  return parts;
}

void expandFusedFfn(Expander &expander, size_t index, ast::Statement statement,
                    Statements &out) {
  FusedCall call(expander, index, statement, out);
  bool changes = call.hasForm(1, 1), joins = call.hasForm(2, 1),
       parts = call.hasForm(1, 2);
  if (!changes && !joins && !parts)
    return call.reportArity("1 to 1, 2 to 1 or 1 to 2");
  if (!call.readAttributes(/*hasHeads=*/false))
    return;

  std::optional<int64_t> source = joins ? 1 : call.sourceDegree();
  std::optional<int64_t> target = parts ? 1 : call.targetDegree();
  if (!source || !target ||
      !expander.takeStatements(statement, changes ? 1 : 2))
    return;
  if (!parts)
    call.setArranged(*target);

  int64_t pieces = std::lcm(*source, *target);
  const ast::Name &firstHalf = parts ? call.right(0) : call.left(0);
  const ast::Name &secondHalf = parts   ? call.right(1)
                                : joins ? call.left(1)
                                        : call.left(0);
  auto gate = call.makeParts("fused_ffn_tmp.GATE_", pieces, firstHalf);
  auto up = call.makeParts("fused_ffn_tmp.UP_", pieces, secondHalf);
  if (!gate || !up)
    return;

  ast::Name whole = call.left(0);
  if (joins) {
    whole = call.makeTemporary(call.left(0).text + "." + call.left(1).text +
                               ".tmp");
    call.merge({call.left(0), call.left(1)}, whole);
  }
  call.split(whole, arranged(*gate, *up, *source));
  if (parts) {
    call.merge(std::move(*gate), call.right(0));
    call.merge(std::move(*up), call.right(1));
  } else {
    call.merge(arranged(*gate, *up, *target), call.right(0));
  }
}

} // namespace aoa::expand
