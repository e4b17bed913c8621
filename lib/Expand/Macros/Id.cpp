//===- Id.cpp - $LAYER_ID and $EXPERT_ID ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One statement for each id that occurs in names. In the aoa dialect these are
// the combinations that exist (IdTemplate). Upstream's pass, for paddle: the
// first name with a placeholder is matched against the source's names, and the
// product of the ids found for each placeholder is taken, the expert's id being
// the slow one.
//===----------------------------------------------------------------------===//

#include "IdTemplate.h"
#include "PaddleTemplate.h"

namespace aoa::expand {

void expandId(Expander &expander, ast::Statement statement, Statements &out) {
  if (!expander.isPaddle())
    return expandIdTemplate(expander, statement, out);

  PaddleTemplate pattern(expander, statement, PlaceholderRule::PaddleId);
  if (!pattern.isPresent()) {
    out.push_back(std::move(statement));
    return;
  }
  if (!pattern.isInAllNames() || !pattern.findIds(/*seesTransposed=*/true))
    return;

  unsigned layer = 0, expert = 1;
  if (pattern.numPlaceholders() == 1) {
    if (!expander.takeStatements(statement, pattern.ids(0).size() - 1))
      return;
    for (const std::string &id : pattern.ids(0))
      out.push_back(pattern.instance({id}, {id}));
    return;
  }
  if (pattern.placeholder(0) == "EXPERT_ID")
    std::swap(layer, expert);
  if (!expander.takeStatements(
          statement,
          pattern.ids(layer).size() * pattern.ids(expert).size() - 1))
    return;
  for (const std::string &expertId : pattern.ids(expert))
    for (const std::string &layerId : pattern.ids(layer)) {
      std::vector<std::string> ids = layer == 0
                                         ? std::vector{layerId, expertId}
                                         : std::vector{expertId, layerId};
      out.push_back(pattern.instance(ids, ids));
    }
}

} // namespace aoa::expand
