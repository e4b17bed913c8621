//===- StridedElements.h - Single elements of shards ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_STRIDEDELEMENTS_H
#define AOA_LIB_REFERENCE_STRIDEDELEMENTS_H

#include "Elements.h"
#include "aoa/Reference/Evaluate.h"

namespace aoa::reference {

/// Copies one element of `from` into a shard, scaled as shards are: in double
/// precision, then rounded once to its dtype.
void copyElement(const WholeTensor &from, int64_t fromPlace, WholeTensor &to,
                 int64_t toPlace, double scale);

/// The flat address of an index in a strided view.
int64_t addressOf(const Index &index, int64_t offset, const Shape &strides);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_STRIDEDELEMENTS_H
