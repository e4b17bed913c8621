//===- FusedQkvOld.cpp - [Q | K | V] on each rank ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensor is cut into heads. Arranged for t ranks it is, rank by rank, the
// rank's heads of q, then those of k, then those of v:
//
//   H = 4, G = 2, t = 2:  Q0 Q1 K0 V0 Q2 Q3 K1 V1
//
// With fewer key/value groups than ranks each rank has a copy of the one that
// its heads of q go with (aoa):
//
//   H = 4, G = 2, t = 4:  Q0 K0 V0 Q1 K0 V0 Q2 K1 V1 Q3 K1 V1
//
// Copies that are read are compared while converting: a checkpoint in which
// they differ is no copy of anything.
//===----------------------------------------------------------------------===//

#include "FusedCall.h"

namespace aoa::expand {
namespace {

using Parts = FusedCall::Parts;

struct Heads {
  Parts q, k, v;
};

/// The heads of one of k and v, rank by rank.
Parts shareOf(const Parts &all, int64_t rank, int64_t degree) {
  int64_t count = all.size();
  Parts share;
  if (count < degree)
    append(share, all, rank * count / degree, rank * count / degree + 1);
  else
    append(share, all, rank * (count / degree), (rank + 1) * (count / degree));
  return share;
}

Parts arranged(const Heads &heads, int64_t degree) {
  Parts parts;
  for (int64_t rank = 0; rank < degree; ++rank)
    for (const Parts *all : {&heads.q, &heads.k, &heads.v}) {
      Parts share = shareOf(*all, rank, degree);
      append(parts, share, 0, share.size());
    }
  return parts;
}

/// Upstream leaves out heads or writes empty lists where this does not hold.
bool checkDivides(FusedCall &call, const ast::Name &name, int64_t degree) {
  std::string cut = quoted(name.text) + " is cut in " + std::to_string(degree) +
                    " parts along axis " + std::to_string(call.axis) + ", ";
  auto refuse = [&](const std::string &why) {
    call.error(diag::UnsuitableCut, call.range(), cut + why);
    return false;
  };
  std::string groups = std::to_string(call.numGroups);
  if (call.numHeads % degree != 0)
    return refuse("which is not on boundaries of its " +
                  std::to_string(call.numHeads) + " heads");
  if (call.numGroups >= degree)
    return call.numGroups % degree == 0 ||
           refuse("which is not on boundaries of its " + groups +
                  " key/value groups");
  if (call.isPaddle())
    return refuse("more than its " + groups +
                  " key/value groups, which upstream does not replicate");
  return degree % call.numGroups == 0 ||
         refuse("which is no multiple of its " + groups +
                " key/value groups, so ranks cannot have a copy of one each");
}

/// Gives each rank's copy of the heads `all` of k or v a name: `all` has one a
/// rank then, and `copies` has those of each head.
bool nameCopies(FusedCall &call, Parts &all, int64_t degree,
                const ast::Name &origin, std::vector<Parts> &copies) {
  int64_t perHead = degree / static_cast<int64_t>(all.size());
  Parts everyRank;
  for (const ast::Name &head : all) {
    Parts &ofHead = copies.emplace_back();
    ofHead.push_back(head);
    auto more = call.makeParts(head.text + "_copy_", perHead - 1, origin);
    if (!more)
      return false;
    append(ofHead, *more, 0, perHead - 1);
    append(everyRank, ofHead, 0, perHead);
  }
  all = std::move(everyRank);
  return true;
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
      !checkDivides(call, call.right(0), *target))
    return;
  bool hasCopies = *source > call.numGroups;
  if (!expander.takeStatements(statement,
                               (changes ? 1
                                : joins ? 2
                                        : 3) +
                                   (hasCopies ? 2 * call.numGroups : 0)))
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
  if (hasCopies) {
    Heads read = heads;
    std::vector<Parts> copiesOfK, copiesOfV;
    if (!nameCopies(call, read.k, *source, originOf(1), copiesOfK) ||
        !nameCopies(call, read.v, *source, originOf(2), copiesOfV))
      return;
    call.split(whole, arranged(read, *source));
    for (int64_t group = 0; group < call.numGroups; ++group) {
      heads.k[group] = call.tie(std::move(copiesOfK[group]));
      heads.v[group] = call.tie(std::move(copiesOfV[group]));
    }
  } else {
    call.split(whole, arranged(heads, *source));
  }
  if (parts) {
    call.merge(std::move(heads.q), call.right(0));
    call.merge(std::move(heads.k), call.right(1));
    call.merge(std::move(heads.v), call.right(2));
  } else {
    call.merge(arranged(heads, *target), call.right(0));
  }
}

} // namespace aoa::expand
