//===- PlanFile.h - A plan as a compact binary file -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Little endian, deterministic; starts with the magic `AOAPLAN2`, ends with an
// XXH3 of everything before. A reader assumes the file is hostile: every count
// is checked against the bytes that are left before anything is allocated.
//===----------------------------------------------------------------------===//
#ifndef AOA_PLAN_PLANFILE_H
#define AOA_PLAN_PLANFILE_H

#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

namespace aoa {

std::string encodePlan(const TransferPlan &plan);
/// Fails with the byte offset of the fault. A decoded plan has passed
/// verifyPlan.
Expected<TransferPlan> decodePlan(std::string_view bytes);
Expected<TransferPlan> readPlanFile(const std::string &path);

/// The plan as JSON for people and tools, one transfer of a class a line.
std::string printPlanJson(const TransferPlan &plan);

/// Checks what running relies on: indexes in range, names that stay below their
/// root, regions that fill their file, every transfer inside its region and its
/// source file, sizes that do not overflow, every element of a region written
/// once (counted: bounds here, single writing by the compiler's proof). Cost:
/// linear in what the plan stores and in the slots of its regions.
Expected<void> verifyPlan(const TransferPlan &plan);

} // namespace aoa

#endif // AOA_PLAN_PLANFILE_H
