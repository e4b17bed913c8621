//===- PlanOperand.cpp - The plan that a command was given ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanOperand.h"

#include "aoa/Plan/PlanFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

Expected<TransferPlan> driver::readPlanOperand(Invocation &invocation) {
  std::string path = invocation.operands().front();
  auto plan = readPlanFile(path);
  if (!plan)
    return failWith(std::move(plan), "reading plan `" + path + "`");
  llvm::StringRef source = invocation.value(OPT_source);
  if (source.empty())
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
