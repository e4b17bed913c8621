//===- Main.cpp - aoac-mkckpt: checkpoints for tests ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Arguments.h"
#include "aoa/Basic/DiagnosticEngine.h"
#include "aoa/Basic/SourceManager.h"
#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/TensorsOfLayout.h"

#include <csignal>
#include <cstdio>

using namespace aoa;
using namespace aoa::mkckpt;

namespace {

constexpr int exitDone = 0, exitError = 1, exitUsage = 2;

void say(std::string_view text) {
  std::fprintf(stderr, "aoac-mkckpt: %.*s\n", static_cast<int>(text.size()),
               text.data());
}

int run(Arguments arguments) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources, {});
  auto stop = [&](std::string_view message) {
    diagnostics.flush(llvm::errs());
    if (!message.empty())
      say(message);
    return exitError;
  };
  if (!arguments.config.empty()) {
    Expected<FileId> config = sources.open(arguments.config);
    if (!config)
      return stop(config.error().str());
    auto set = arguments.parameters.setConfig(sources.text(*config));
    if (!set)
      return stop(arguments.config + ": " + set.error().str());
  }
  Expected<FileId> file = sources.open(arguments.tensors);
  if (!file)
    return stop(file.error().str());
  llvm::StringRef text = sources.text(*file);
  std::optional<Catalog> catalog;
  std::optional<Layout> layout;
  if (classifyJsonInput(text) == JsonInputKind::Layout) {
    layout = parseLayout(text, *file, diagnostics, &arguments.parameters);
    if (!layout)
      return stop("");
    Expected<Catalog> listed = tensorsOfLayout(*layout);
    if (!listed)
      return stop(arguments.tensors + ": " + listed.error().str());
    catalog = std::move(*listed);
  } else {
    catalog = parseCatalog(text, *file, "", diagnostics);
    if (!catalog)
      return stop("");
  }
  if (!arguments.layout.empty()) {
    file = sources.open(arguments.layout);
    if (!file)
      return stop(file.error().str());
    layout = parseLayout(sources.text(*file), *file, diagnostics,
                         &arguments.parameters);
    if (!layout)
      return stop("");
  }
  if (layout)
    arguments.options.layout = &*layout;
  Expected<MadeCheckpoint> made = makeCheckpoint(*catalog, arguments.options);
  if (!made)
    return stop(made.error().str());
  diagnostics.flush(llvm::errs());
  say("wrote " + std::to_string(made->files) + " files, " +
      std::to_string(made->bytes) + " bytes to `" + arguments.options.output +
      "`");
  return exitDone;
}

} // namespace

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // A limit of sizes is an error of write.
  auto arguments = parseArguments(
      std::span<const char *const>(argv, static_cast<size_t>(argc)).subspan(1));
  if (!arguments) {
    say(arguments.error() + "; --help shows what can be given");
    return exitUsage;
  }
  if (!arguments->help)
    return run(std::move(*arguments));
  std::fwrite(usage.data(), 1, usage.size(), stdout);
  std::fwrite(madeValuesHelp.data(), 1, madeValuesHelp.size(), stdout);
  return exitDone;
}
