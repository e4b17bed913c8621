//===- Arguments.cpp - The command line of aoac-mkckpt ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Arguments.h"

#include "aoa/Support/ByteSize.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace aoa::mkckpt {

const std::string_view usage =
    R"(usage: aoac-mkckpt CATALOG.json|LAYOUT.json --output DIR [options]

Makes a checkpoint with the names, dtypes and shapes of a catalog, for tests:
one directory as Hugging Face writes it, or with --layout one file per rank. A
layout alone will do when its rules name tensors and give their dtype and shape.

  --output DIR          folder of the result, empty or not there yet
  --layout LAYOUT.json  who holds what (default: one whole directory)
  -D NAME=VALUE         what ${NAME} stands for in layouts
  --config FILE         what ${config:...} reads
  --max-shard-size N    bytes of a file, also with KB MB GB KiB MiB GiB (5GB)
  --seed N              other values for other seeds (0)
  --help                this text

)";

namespace {

std::optional<uint64_t> parseSeed(std::string_view text) {
  uint64_t seed = 0;
  auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), seed);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return seed;
}

std::unexpected<std::string> wrong(std::string message) {
  return std::unexpected(std::move(message));
}

} // namespace

std::expected<Arguments, std::string>
parseArguments(std::span<const char *const> words) {
  Arguments arguments;
  if (std::ranges::find(words, std::string_view("--help")) != words.end()) {
    arguments.help = true;
    return arguments;
  }
  for (size_t i = 0; i != words.size(); ++i) {
    std::string word = words[i];
    if (word.starts_with("-D")) {
      if (word == "-D" && ++i == words.size())
        return wrong("`-D` needs a value");
      auto defined = arguments.parameters.define(
          word == "-D" ? words[i] : std::string_view(word).substr(2));
      if (!defined)
        return wrong("-D: " + defined.error().str());
      continue;
    }
    if (!word.starts_with("--")) {
      if (!arguments.tensors.empty())
        return wrong("more than one catalog or layout: `" + word + "`");
      arguments.tensors = word;
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    if (name != "--output" && name != "--layout" && name != "--config" &&
        name != "--max-shard-size" && name != "--seed")
      return wrong("unknown option `" + name + "`");
    if (equals == std::string::npos && ++i == words.size())
      return wrong("`" + name + "` needs a value");
    std::string value =
        equals == std::string::npos ? words[i] : word.substr(equals + 1);

    std::optional<int64_t> bytes = parseByteSize(value);
    std::optional<uint64_t> seed = parseSeed(value);
    if (name == "--output")
      arguments.options.output = value;
    else if (name == "--layout")
      arguments.layout = value;
    else if (name == "--config")
      arguments.config = value;
    else if (name == "--seed" ? !seed : !bytes)
      return wrong("`" + value + "` is no number that `" + name + "` takes");
    else if (name == "--seed")
      arguments.options.seed = *seed;
    else
      arguments.options.maxShardBytes = *bytes;
  }
  if (arguments.tensors.empty() || arguments.options.output.empty())
    return wrong("a catalog or layout, and --output, are needed");
  return arguments;
}

} // namespace aoa::mkckpt
