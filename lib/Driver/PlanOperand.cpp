//===- PlanOperand.cpp - The plan that a command was given ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanOperand.h"

#include "aoa/Plan/PlanFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

Expected<TransferPlan> driver::readPlanOperand(Invocation &invocation) {
  auto plan = readPlanFile(invocation.operands().front());
  llvm::StringRef source = invocation.value(OPT_source);
  if (!plan || source.empty())
    return plan;
  llvm::SmallString<256> root = source;
  llvm::sys::fs::make_absolute(root);
  plan->origin.sourcePath = root.str().str();
  // A source that is one file has its folder as root.
  if (!llvm::sys::fs::is_directory(root))
    root = llvm::sys::path::parent_path(root);
  plan->sourceRoot = root.str().str();
  return plan;
}
