//===- FusedQkv.cpp - [q ... q k v] for each group --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each key/value group its heads of q, then k, then v, however many ranks
// hold the tensor:
//
//   H = 4, G = 2:  q0 q1 k0 v0 q2 q3 k1 v1
//===----------------------------------------------------------------------===//

#include "FusedCall.h"

namespace aoa::expand {

void expandFusedQkv(Expander &expander, size_t index, ast::Statement statement,
                    Statements &out) {
  FusedCall call(expander, index, statement, out);
  bool joins = call.hasForm(3, 1), parts = call.hasForm(1, 3);
  if (call.hasForm(1, 1))
    return call.error(diag::MacroArity, call.range(),
                      "`fused_qkv` has no form with 1 to 1 names: its order is "
                      "the same for all numbers of ranks, so write `" +
                          call.left(0).text + " -> " + call.right(0).text +
                          "` without it");
  if (!joins && !parts)
    return call.reportArity("1 to 3 or 3 to 1");
  if (!call.readAttributes(/*hasHeads=*/true) ||
      !expander.takeStatements(statement, 3))
    return;

  auto whole = [&](size_t i) -> const ast::Name & {
    return joins ? call.left(i) : call.right(i);
  };
  auto q = call.makeParts(whole(0).text, call.numHeads, whole(0));
  auto k = call.makeParts(whole(1).text, call.numGroups, whole(1));
  auto v = call.makeParts(whole(2).text, call.numGroups, whole(2));
  if (!q || !k || !v)
    return;
  FusedCall::Parts fused;
  int64_t perGroup = call.numHeads / call.numGroups;
  for (int64_t group = 0; group < call.numGroups; ++group) {
    append(fused, *q, group * perGroup, (group + 1) * perGroup);
    append(fused, *k, group, group + 1);
    append(fused, *v, group, group + 1);
  }

  if (joins) {
    call.split(call.left(0), std::move(*q));
    call.split(call.left(1), std::move(*k));
    call.split(call.left(2), std::move(*v));
    call.merge(std::move(fused), call.right(0));
  } else {
    call.split(call.left(0), std::move(fused));
    call.merge(std::move(*q), call.right(0));
    call.merge(std::move(*k), call.right(1));
    call.merge(std::move(*v), call.right(2));
  }
}

} // namespace aoa::expand
