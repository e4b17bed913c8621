//===- PlanOperand.h - The plan that a command was given --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_PLANOPERAND_H
#define AOA_LIB_DRIVER_PLANOPERAND_H

#include "Invocation.h"
#include "aoa/Plan/TransferPlan.h"

namespace aoa::driver {

/// Reads the plan of the first operand; --source overrides where its source
/// lies.
Expected<TransferPlan> readPlanOperand(Invocation &invocation);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_PLANOPERAND_H
