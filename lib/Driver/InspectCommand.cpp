//===- InspectCommand.cpp - aoac inspect ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Compilation.h"
#include "Invocation.h"
#include "Progress.h"
#include "TextOutput.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Catalog/CatalogJson.h"
#include "llvm/Support/FormatVariadic.h"

using namespace aoa;
using namespace aoa::driver;

/// One line a tensor: name, dtype, shape, and how many stored shards it has.
static std::string printTable(const Catalog &catalog) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::vector<std::string> names;
  size_t width = 0;
  for (const Tensor &tensor : catalog.tensors) {
    names.push_back(showable(tensor.name));
    width = std::max(width, names.back().size());
  }
  int64_t bytes = 0;
  auto name = names.begin();
  for (const Tensor &tensor : catalog.tensors) {
    os << *name;
    os.indent(width - name++->size());
    os << llvm::formatv("  {0,-8} {1}", nameOf(tensor.dtype),
                        formatShape(tensor.shape));
    if (tensor.shards.size() > 1)
      os << "  in " << tensor.shards.size() << " shards";
    os << "\n";
    bytes += checkedSizeBytes(tensor.dtype, tensor.shape).value_or(0);
  }
  os << catalog.tensors.size() << " tensors, " << formatBytes(bytes) << ", "
     << catalog.storages.size() << " files\n";
  return text;
}

int driver::runInspectCommand(Invocation &invocation) {
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (!invocation.expectOperands(1, 1, "a checkpoint"))
    return ExitUsage;
  CompilationInputs inputs;
  inputs.source = invocation.operands().front();
  inputs.sourceLayout = invocation.value(OPT_source_layout).str();
  inputs.parameters = invocation.parameters();
  inputs.config = invocation.value(OPT_config).str();
  if (invocation.failed)
    return ExitUsage;
  Compilation compilation(options);
  if (!compilation.open(inputs))
    return ExitError;
  compilation.flushDiagnostics();
  return writeOutput(invocation, invocation.has(OPT_json)
                                     ? printCatalog(compilation.source)
                                     : printTable(compilation.source));
}
