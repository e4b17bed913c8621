//===- TraceText.h - What text and JSON of a trace share --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_TRACETEXT_H
#define AOA_LIB_DRIVER_TRACETEXT_H

#include "Compilation.h"
#include "aoa/Trace/Steps.h"

namespace aoa::driver {

/// Returns the statement of a step, its middle left out where it is longer than
/// `maxLength`; empty where no statement says the step.
std::string statementOf(const Compilation &compilation, const trace::Step &step,
                        size_t maxLength);
/// Returns where that stands, `rules.aoa:4:1`; empty where nothing says so.
std::string locationOf(const Compilation &compilation, const trace::Step &step);
/// Returns who says a step that is no statement's.
std::string reasonOf(const trace::Step &step);
/// Returns the macro calls and templates that led to a step, innermost first.
std::vector<std::string> expansionsOf(const Compilation &compilation,
                                      const trace::Step &step);
/// Returns `F32 -> BF16`, `scale 0.25`, … for each step of a chain.
std::vector<std::string> operationsOf(const ElementOps &ops);
/// The number that a fill writes.
std::string constantOf(const ir::Op &fill);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_TRACETEXT_H
