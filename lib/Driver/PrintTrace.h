//===- PrintTrace.h - Ways of elements as text and JSON ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_PRINTTRACE_H
#define AOA_LIB_DRIVER_PRINTTRACE_H

#include "Compilation.h"
#include "aoa/Trace/Places.h"
#include "aoa/Trace/Steps.h"

namespace aoa::driver {

/// One element of a result with all that is known of its way.
struct TracedElement {
  uint32_t result; ///< Index into Program::results.
  trace::Way way;
  std::vector<trace::Step> steps;
  std::vector<trace::WrittenPlace> places;
};

/// Elements of a source tensor, and the elements that are made of each.
struct TracedSource {
  std::string tensor;
  affine::Extents shape;
  std::vector<int64_t> elements;
  std::vector<std::vector<TracedElement>> ends; ///< One list an element.
};

/// Prints elements that go the same way as one chain, from the target back.
void printTrace(const Compilation &compilation,
                llvm::ArrayRef<TracedElement> elements, llvm::raw_ostream &os);
/// The same for where elements of a source tensor go.
void printTrace(const Compilation &compilation, const TracedSource &source,
                llvm::raw_ostream &os);

/// An object for one element, a list of them for a range.
void printTraceJson(const Compilation &compilation,
                    llvm::ArrayRef<TracedElement> elements, bool isOneElement,
                    llvm::raw_ostream &os);
void printTraceJson(const Compilation &compilation, const TracedSource &source,
                    bool isOneElement, llvm::raw_ostream &os);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_PRINTTRACE_H
