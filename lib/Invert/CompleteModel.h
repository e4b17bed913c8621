//===- CompleteModel.h - Tensors of which there are states only -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint may hold the optimizer states of a tensor without the tensor.
// Statements name it all the same, and the program of the conversion has
// nothing of it. What undoes these statements is found in a program in which
// the tensor is there:
//
//   w.exp_avg F32 [4, 6]    →    w F32 [4, 6], w.exp_avg F32 [4, 6]
//
// No byte is moved by it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_COMPLETEMODEL_H
#define AOA_LIB_INVERT_COMPLETEMODEL_H

#include "aoa/Invert/Invert.h"

#include <memory>

namespace aoa::invert {

struct CompleteModel {
  Catalog source, list;
  ir::Program program; ///< As a graph.
  std::vector<AnalyzedStatement> analyzed;
};

/// Returns the program with all tensors of the model; null where it is that of
/// the conversion. Reports what keeps it from being one.
std::unique_ptr<CompleteModel> completeModel(const InvertInputs &inputs,
                                             DiagnosticSink &sink);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_COMPLETEMODEL_H
