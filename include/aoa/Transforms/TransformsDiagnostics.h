//===- TransformsDiagnostics.h - Kinds of this library ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H
#define AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Transforms/TransformsDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H
