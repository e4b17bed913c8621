//===- PassManager.cpp - LLVM's pass manager for our programs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "PassManager.h"

#include "llvm/IR/PassManagerImpl.h"

namespace llvm {

template <>
PreservedAnalyses
aoa::ProgramPassManager::run(aoa::ir::Program &program,
                             aoa::ProgramAnalysisManager &analyses,
                             aoa::PassContext &context) {
  PassInstrumentation instrumentation =
      analyses.getResult<PassInstrumentationAnalysis>(program, context);
  PreservedAnalyses all = PreservedAnalyses::all();
  for (auto &pass : Passes) {
    if (!instrumentation.runBeforePass<aoa::ir::Program>(*pass, program))
      continue;
    PreservedAnalyses preserved = pass->run(program, analyses, context);
    analyses.invalidate(program, preserved);
    instrumentation.runAfterPass<aoa::ir::Program>(*pass, program, preserved);
    all.intersect(std::move(preserved));
  }
  return all;
}

template class AnalysisManager<aoa::ir::Program, aoa::PassContext &>;

} // namespace llvm
