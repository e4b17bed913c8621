//===- PassManager.h - LLVM's pass manager for our programs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The manager, with a class for each line of Passes.def: `fooPass` runs `foo`.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_TRANSFORMS_PASSMANAGER_H
#define AOA_LIB_TRANSFORMS_PASSMANAGER_H

#include "aoa/Transforms/Pass.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace aoa {

using ProgramAnalysisManager =
    llvm::AnalysisManager<ir::Program, PassContext &>;
using ProgramPassManager =
    llvm::PassManager<ir::Program, ProgramAnalysisManager, PassContext &>;

#define AOA_PASS(FUNCTION, NAME, STAGE, SUMMARY)                               \
  class FUNCTION##Pass : public llvm::PassInfoMixin<FUNCTION##Pass> {          \
  public:                                                                      \
    static llvm::StringRef name() { return NAME; }                             \
    llvm::PreservedAnalyses run(ir::Program &program,                          \
                                ProgramAnalysisManager &,                      \
                                PassContext &context) {                        \
      FUNCTION(program, context);                                              \
      return llvm::PreservedAnalyses::none();                                  \
    }                                                                          \
  };
#include "aoa/Transforms/Passes.def"

} // namespace aoa

namespace llvm {
/// The manager's own loop asks its unit for things that only modules and
/// functions have.
template <>
PreservedAnalyses
aoa::ProgramPassManager::run(aoa::ir::Program &program,
                             aoa::ProgramAnalysisManager &analyses,
                             aoa::PassContext &context);

extern template class AnalysisManager<aoa::ir::Program, aoa::PassContext &>;
} // namespace llvm

#endif // AOA_LIB_TRANSFORMS_PASSMANAGER_H
