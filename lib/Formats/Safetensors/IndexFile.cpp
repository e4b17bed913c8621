//===- IndexFile.cpp - model.safetensors.index.json -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Safetensors/IndexFile.h"

#include "FilePaths.h"
#include "ReadFile.h"
#include "ShownName.h"
#include "aoa/Support/JsonReader.h"

#include <cmath>
#include <fmt/format.h>

namespace aoa::safetensors {

namespace {

constexpr int64_t maxIndexBytes = int64_t(1) << 30;

std::unexpected<Error> failAt(uint32_t byte, std::string_view message) {
  return fail(ErrorKind::Format, fmt::format("byte {}: {}", byte, message));
}

std::unexpected<Error> failKind(JsonValue value, std::string_view what,
                                std::string_view expected) {
  return failAt(value.begin(), fmt::format("{} is {}, expected {}", what,
                                           describe(value.kind()), expected));
}

/// Some writers give the size as 16.0.
Expected<int64_t> readTotalSize(JsonValue value) {
  if (std::optional<int64_t> whole = value.wholeNumber(); whole && *whole >= 0)
    return *whole;
  std::optional<double> number = value.number();
  if (number && *number >= 0 && *number < 0x1p62 &&
      std::floor(*number) == *number)
    return static_cast<int64_t>(*number);
  return failAt(value.begin(),
                fmt::format("`total_size` is {}, expected a number of bytes",
                            value.rawText().substr(0, 40)));
}

Expected<IndexFile> readIndex(JsonValue root) {
  if (!root.isObject())
    return failKind(root, "the index", "an object");
  IndexFile index;
  if (auto metadata = root.find("metadata"); metadata && metadata->isObject())
    if (auto value = metadata->find("total_size"); value && !value->isNull()) {
      Expected<int64_t> totalSize = readTotalSize(*value);
      if (!totalSize)
        return failWith(std::move(totalSize));
      index.totalSize = *totalSize;
    }

  std::optional<JsonValue> weightMap = root.find("weight_map");
  if (!weightMap)
    return failAt(root.begin(), "the index has no `weight_map`");
  if (!weightMap->isObject())
    return failKind(*weightMap, "`weight_map`", "an object");
  for (auto [name, file] : weightMap->members()) {
    if (!file.isString())
      return failKind(file, shownName(name.str()), "the name of a file");
    Expected<std::string> inside = nameInsideFolder(file.str());
    if (!inside)
      return failWith(
          std::move(inside),
          fmt::format("byte {}: {}", file.begin(), shownName(name.str())));
    index.fileOf.emplace(name.str(), std::move(*inside));
  }
  return index;
}

} // namespace

Expected<IndexFile> readIndexFile(const std::string &path) {
  Expected<std::string> text = readSmallFile(path, maxIndexBytes);
  if (!text)
    return failWith(std::move(text));
  auto doing = [&] { return fmt::format("reading {}", shownName(path)); };
  auto document = JsonDocument::parse(*text);
  if (!document) {
    const JsonFault &fault = document.error();
    return failWith(Expected<void>(failAt(fault.begin, fault.message)),
                    doing());
  }
  Expected<IndexFile> index = readIndex(document->root());
  if (!index)
    return failWith(std::move(index), doing());
  return index;
}

} // namespace aoa::safetensors
