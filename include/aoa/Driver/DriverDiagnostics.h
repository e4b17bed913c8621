//===- DriverDiagnostics.h - Kinds of the commands' reports -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_DRIVER_DRIVERDIAGNOSTICS_H
#define AOA_DRIVER_DRIVERDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Driver/DriverDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_DRIVER_DRIVERDIAGNOSTICS_H
