//===- Main.cpp - aoac-mkckpt: checkpoints for tests ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/DiagnosticEngine.h"
#include "aoa/Basic/SourceManager.h"
#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Formats/MakeCheckpoint.h"

#include <charconv>
#include <cstdio>

using namespace aoa;

namespace {

constexpr int exitDone = 0, exitError = 1, exitUsage = 2;

constexpr std::string_view help =
    R"(usage: aoac-mkckpt CATALOG.json --output DIR [options]

Makes a checkpoint with the names, dtypes and shapes of a catalog, for tests:
one directory as Hugging Face writes it, or with a layout one file per rank.

  --output DIR          folder of the result, empty or not there yet
  --layout LAYOUT.json  who holds what (default: one whole directory)
  --max-shard-size N    bytes of a file, also with KB MB GB KiB MiB GiB (5GB)
  --seed N              other values for other seeds (0)
  --help                this text

)";

struct Arguments {
  std::string catalog, layout;
  MakeCheckpointOptions options;
};

void say(std::string_view text) {
  std::fprintf(stderr, "aoac-mkckpt: %.*s\n", static_cast<int>(text.size()),
               text.data());
}

/// A whole number of bytes with an optional unit; nothing for anything else.
std::optional<int64_t> parseBytes(std::string_view text) {
  int64_t number = 0;
  auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || number < 0)
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  constexpr std::pair<std::string_view, int64_t> units[] = {
      {"", 1},
      {"B", 1},
      {"KB", 1000},
      {"MB", 1000'000},
      {"GB", 1'000'000'000},
      {"KiB", 1 << 10},
      {"MiB", 1 << 20},
      {"GiB", 1 << 30}};
  for (auto [unit, factor] : units)
    if (text == unit && number <= INT64_MAX / factor)
      return number * factor;
  return std::nullopt;
}

/// Returns nothing after saying what is wrong.
std::optional<Arguments> parseArguments(int argc, char **argv) {
  Arguments arguments;
  auto wrong = [](const std::string &message) {
    say(message + "; --help shows what can be given");
    return std::nullopt;
  };
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i], value;
    if (!name.starts_with("--")) {
      if (!arguments.catalog.empty())
        return wrong("more than one catalog: `" + name + "`");
      arguments.catalog = name;
      continue;
    }
    if (size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (++i < argc) {
      value = argv[i];
    } else {
      return wrong("`" + name + "` needs a value");
    }
    std::optional<int64_t> number = parseBytes(value);
    if (name == "--output")
      arguments.options.output = value;
    else if (name == "--layout")
      arguments.layout = value;
    else if (name == "--max-shard-size" && number && *number > 0)
      arguments.options.maxShardBytes = *number;
    else if (name == "--seed" && number)
      arguments.options.seed = static_cast<uint64_t>(*number);
    else if (name == "--max-shard-size" || name == "--seed")
      return wrong("`" + value + "` is no number that `" + name + "` takes");
    else
      return wrong("unknown option `" + name + "`");
  }
  if (arguments.catalog.empty() || arguments.options.output.empty())
    return wrong("a catalog and --output are needed");
  return arguments;
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
  Expected<FileId> catalogFile = sources.open(arguments.catalog);
  if (!catalogFile)
    return stop(catalogFile.error().str());
  std::optional<Catalog> catalog =
      parseCatalog(sources.text(*catalogFile), *catalogFile, "", diagnostics);
  if (!catalog)
    return stop("");

  std::optional<Layout> layout;
  if (!arguments.layout.empty()) {
    Expected<FileId> file = sources.open(arguments.layout);
    if (!file)
      return stop(file.error().str());
    layout = parseLayout(sources.text(*file), *file, diagnostics);
    if (!layout)
      return stop("");
    arguments.options.layout = &*layout;
  }
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
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help") {
      std::fwrite(help.data(), 1, help.size(), stdout);
      std::fwrite(madeValuesHelp.data(), 1, madeValuesHelp.size(), stdout);
      return exitDone;
    }
  std::optional<Arguments> arguments = parseArguments(argc, argv);
  return arguments ? run(std::move(*arguments)) : exitUsage;
}
