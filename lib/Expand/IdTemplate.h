//===- IdTemplate.h - One statement for each set of ids ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Placeholders of the aoa dialect: the combinations of ids that exist, the same
// for all left names, over the names of the source and those bound so far.
//
//   l.$LAYER_ID.e.$EXPERT_ID.w -> o.$LAYER_ID.$EXPERT_ID.w
//
// becomes one statement for each name `l.<number>.e.<number>.w`. Cost: near
// linear in the names that have the signature of one of the left names. With
// `$NAME` or `$$NAME` it is the names that nothing has read or removed, and
// the cost near linear in all of these.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_IDTEMPLATE_H
#define AOA_LIB_EXPAND_IDTEMPLATE_H

#include "Expander.h"

namespace aoa::expand {

/// Appends the statements that `statement` stands for to `out`; itself if it
/// has no placeholders.
void expandIdTemplate(Expander &expander, const ast::Statement &statement,
                      Statements &out);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_IDTEMPLATE_H
