//===- CheckConfigDType.cpp - Does the config say what the weights are? ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Part of Compilation: a config.json goes along as it is, and loaders take the
// dtype of the model from it, so that a converted checkpoint would be cast back
// without a word.
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "aoa/Driver/DriverDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::driver;

/// The floating dtype that a config says at `path`, if it says one.
static std::optional<DType> floatingDType(const Parameters &config,
                                          llvm::StringRef path) {
  auto entry = config.config(path);
  const auto *text = entry ? std::get_if<std::string>(&entry->data) : nullptr;
  if (!text)
    return std::nullopt;
  llvm::StringRef name = *text;
  name.consume_front("torch.");
  auto dtype = dtypeFromAnyName(name);
  if (!dtype || classOf(*dtype) != DTypeClass::Float)
    return std::nullopt;
  return dtype;
}

/// The dtypes of the floating tensors that are written, each once.
static std::vector<DType> floatingDTypes(const ir::Program &program) {
  std::vector<DType> found;
  for (const ir::Result &result : program.results) {
    DType dtype = program.value(result.value).dtype;
    if (!result.isCompared && classOf(dtype) == DTypeClass::Float &&
        !llvm::is_contained(found, dtype))
      found.push_back(dtype);
  }
  llvm::sort(found);
  return found;
}

void Compilation::checkConfigDType() {
  std::vector<DType> found = floatingDTypes(program);
  bool isCopied = llvm::any_of(plan.copies, [](const CopiedFile &copy) {
    return copy.file == "config.json";
  });
  if (!isCopied || found.empty() || defaultConfig.empty())
    return;
  auto file = sources.open(defaultConfig);
  Parameters config;
  // A config that cannot be read is copied all the same; nothing is known of
  // it.
  if (!file || !config.setConfig(sources.text(*file)))
    return;
  std::string has;
  for (DType dtype : found)
    has += (has.empty() ? "" : ", ") + std::string(nameOf(dtype));
  for (const char *key : {"torch_dtype", "dtype", "text_config.torch_dtype",
                          "text_config.dtype"}) {
    auto said = floatingDType(config, key);
    if (!said || llvm::is_contained(found, *said))
      continue;
    Diagnostic diagnostic{&diag::ConfigDType,
                          {*file, 0, 0},
                          "`" + std::string(key) + "` is " +
                              std::string(pythonNameOf(*said)) +
                              ", but the floating weights of the result are " +
                              has + "; the file is copied as it is"};
    diagnostic.jsonPath = key;
    diagnostics.report(std::move(diagnostic));
  }
}
