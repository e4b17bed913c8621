//===- DiffCommand.cpp - aoac diff ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares what two checkpoints hold, not how it is cut or stored: names,
// dtypes, shapes, then the values of what both have.
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "Invocation.h"

#include <limits>

using namespace aoa;
using namespace aoa::driver;

namespace {

/// Prints what differs in names, dtypes and shapes. Returns the tensors that
/// both have alike, and counts the others.
std::vector<std::string> compareTensors(const Catalog &left,
                                        const Catalog &right, size_t &count) {
  std::vector<std::string> alike;
  for (const Tensor &tensor : left.tensors) {
    const Tensor *other = right.find(tensor.name);
    if (!other)
      llvm::outs() << "only in the first: `" << tensor.name << "` "
                   << nameOf(tensor.dtype) << " " << formatShape(tensor.shape)
                   << "\n";
    else if (other->dtype != tensor.dtype)
      llvm::outs() << "dtype of `" << tensor.name
                   << "`: " << nameOf(tensor.dtype) << " and "
                   << nameOf(other->dtype) << "\n";
    else if (other->shape != tensor.shape)
      llvm::outs() << "shape of `" << tensor.name
                   << "`: " << formatShape(tensor.shape) << " and "
                   << formatShape(other->shape) << "\n";
    else {
      alike.push_back(tensor.name);
      continue;
    }
    ++count;
  }
  for (const Tensor &tensor : right.tensors)
    if (!left.find(tensor.name)) {
      llvm::outs() << "only in the second: `" << tensor.name << "` "
                   << nameOf(tensor.dtype) << " " << formatShape(tensor.shape)
                   << "\n";
      ++count;
    }
  return alike;
}

/// Keeps only `names` of a checkpoint and plans their whole tensors as one
/// file.
bool planValues(Compilation &compilation, llvm::ArrayRef<std::string> names) {
  std::erase_if(compilation.source.tensors, [&](const Tensor &tensor) {
    return !std::ranges::binary_search(names, tensor.name);
  });
  return compilation.compileToPieces() &&
         compilation.buildPlan(std::numeric_limits<int64_t>::max(),
                               /*withSideFiles=*/false);
}

/// Whether a catalog says where its data lies; one of names and shapes does
/// not.
bool hasData(const Catalog &catalog) {
  return std::ranges::all_of(catalog.tensors, [](const Tensor &tensor) {
    return !tensor.places.empty() &&
           std::ranges::none_of(tensor.places, [](const ShardPlace &place) {
             return place.storage.isNone();
           });
  });
}

/// Compares the values of the tensors `alike` of both sides and prints what
/// differs. Returns how many tensors do, or nothing after a reported error.
std::optional<size_t> compareData(Compilation &left, Compilation &right,
                                  llvm::ArrayRef<std::string> alike,
                                  const RunOptions &options) {
  if (!planValues(left, alike) || !planValues(right, alike))
    return std::nullopt;
  auto values = compareValues(left.plan, right.plan, options);
  if (!values) {
    left.report(values.error());
    return std::nullopt;
  }
  for (const ValueDifference &difference : *values)
    llvm::outs() << "values of `" << difference.tensor
                 << "`: " << difference.numElements << " differ, first element "
                 << formatShape(difference.index) << ": " << difference.left
                 << " and " << difference.right << "\n";
  return values->size();
}

/// Opens a checkpoint; `inputs` says the rest.
bool openSide(Compilation &compilation, const std::string &path,
              llvm::StringRef layout, CompilationInputs inputs) {
  inputs.source = path;
  inputs.sourceLayout = layout.str();
  bool opened = compilation.open(inputs);
  compilation.flushDiagnostics();
  return opened;
}

} // namespace

int driver::runDiffCommand(Invocation &invocation) {
  RunOptions options = invocation.runOptions();
  CompilationInputs inputs;
  inputs.parameters = invocation.parameters();
  inputs.config = invocation.value(OPT_config).str();
  if (invocation.failed || !invocation.expectOperands(2, 2, "two checkpoints"))
    return ExitUsage;
  DiagnosticOptions shown = invocation.diagnosticOptions();
  Compilation left(shown), right(shown);
  if (!openSide(left, invocation.operands()[0],
                invocation.value(OPT_left_layout), inputs) ||
      !openSide(right, invocation.operands()[1],
                invocation.value(OPT_right_layout), inputs))
    return ExitError;

  size_t numDifferences = 0;
  auto alike = compareTensors(left.source, right.source, numDifferences);
  if (hasData(left.source) && hasData(right.source)) {
    auto numDifferent = compareData(left, right, alike, options);
    if (!numDifferent)
      return ExitError;
    numDifferences += *numDifferent;
  } else {
    llvm::errs() << "aoac: a catalog of names and shapes has no values: they "
                    "were not compared\n";
  }
  llvm::errs() << "aoac: " << numDifferences << " differences in "
               << alike.size() << " common tensors\n";
  return numDifferences == 0 ? ExitDone : ExitDifferent;
}
