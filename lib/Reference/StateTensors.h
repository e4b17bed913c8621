//===- StateTensors.h - Model tensors and their states apart ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_STATETENSORS_H
#define AOA_LIB_REFERENCE_STATETENSORS_H

#include "aoa/Catalog/StateNames.h"

#include <set>
#include <string>
#include <vector>

namespace aoa::reference {

/// The tensors of the model among names: those that are no states, and those
/// that have a state of their own shape. A counter makes no tensor known; alone
/// it is a tensor like any other.
std::set<std::string> modelNames(const std::vector<std::string> &names,
                                 StateConvention convention);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_STATETENSORS_H
