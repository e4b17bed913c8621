//===- DropStatesOnly.h - Tensors that the source does not have -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor of which the source has states only stands in the graph while the
// model is analyzed. Behind that it goes, with what is made of it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_DROPSTATESONLY_H
#define AOA_LIB_SEMA_DROPSTATESONLY_H

#include "ModelEnds.h"

namespace aoa::sema {

/// Takes out the operations on such tensors, and results that are made of them
/// or that a target lists states of only. The others get new numbers.
void dropStatesOnly(ir::Program &program, const ModelEnds &ends);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_DROPSTATESONLY_H
