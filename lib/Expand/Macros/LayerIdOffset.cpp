//===- LayerIdOffset.cpp - $LAYER_ID_OFFSET ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `b.$LAYER_ID_OFFSET.w -> c.$LAYER_ID_OFFSET.w` over b.1.w and b.2.w becomes
// `b.1.w -> c.0.w` and `b.2.w -> c.1.w`: the id is one less on the right. In
// the aoa dialect the offset is a placeholder among others (IdTemplate); what
// follows is upstream's pass.
//===----------------------------------------------------------------------===//

#include "IdTemplate.h"
#include "PaddleTemplate.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

void expandLayerIdOffset(Expander &expander, ast::Statement statement,
                         Statements &out) {
  if (!expander.isPaddle())
    return expandIdTemplate(expander, statement, out);

  PaddleTemplate pattern(expander, statement, PlaceholderRule::PaddleOffset);
  if (!pattern.isPresent()) {
    out.push_back(std::move(statement));
    return;
  }
  if (expander.isReversed()) {
    expander.report(diag::ReversedMacro, statement, pattern.name().range,
                    "`$LAYER_ID_OFFSET` in a reversed script: upstream looks "
                    "for the ids of the left name among the tensors that the "
                    "right names stand for; write a statement for each layer");
    return;
  }
  // Upstream does not see through `^T` here.
  if (!pattern.isInAllNames() || !pattern.findIds(/*seesTransposed=*/false))
    return;
  if (!expander.takeStatements(statement, pattern.ids(0).size() - 1))
    return;
  for (const std::string &id : pattern.ids(0)) {
    std::optional<std::string> previous = previousId(id);
    if (!previous) {
      expander.report(diag::NegativeId, statement, pattern.name().range,
                      "`$LAYER_ID_OFFSET` is one less on the right, and " +
                          quoted(pattern.shape().fill({id})) + " has id 0");
      return;
    }
    out.push_back(pattern.instance({id}, {*previous}));
  }
}

} // namespace aoa::expand
