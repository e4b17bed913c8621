//===- LayOutFile.cpp - Header and offsets of a new file --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Byte for byte what the reference writer (serde_json) writes, but for the
// order of several metadata keys, which is random there and sorted here.
//===----------------------------------------------------------------------===//
#include "aoa/Formats/Safetensors/Header.h"

#include "ShownName.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/JsonReader.h"
#include "aoa/Support/Utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace aoa::safetensors {

namespace {

Expected<int64_t> checkSpec(const TensorSpec &tensor) {
  auto failHere = [&](ErrorKind kind, std::string_view what) {
    return fail(kind, fmt::format("{}: {}", shownName(tensor.name), what));
  };
  if (!isUtf8(tensor.name))
    return failHere(ErrorKind::Format, "the name is not UTF-8");
  if (tensor.name.find('\0') != std::string_view::npos)
    return failHere(ErrorKind::Format, "the name has a NUL in it");
  if (tensor.name == "__metadata__")
    return failHere(ErrorKind::Format,
                    "safetensors keeps this name for itself");
  if (tensor.shape.size() > maxRank)
    return failHere(ErrorKind::Limit,
                    fmt::format("{} dimensions, more than {}",
                                tensor.shape.size(), maxRank));
  std::optional<int64_t> sizeBytes =
      checkedSizeBytes(tensor.dtype, tensor.shape);
  if (!sizeBytes)
    return failHere(ErrorKind::Limit,
                    fmt::format("the size of {} of {} is no whole number of "
                                "bytes below 2^63",
                                formatShape(tensor.shape),
                                nameOf(tensor.dtype)));
  return *sizeBytes;
}

Expected<void> appendMetadata(std::string &json, const Metadata &metadata) {
  json += "\"__metadata__\":{";
  const char *separator = "";
  for (const auto &[key, text] : metadata) {
    if (!isUtf8(key) || !isUtf8(text))
      return fail(ErrorKind::Format,
                  fmt::format("metadata {} is not UTF-8", shownName(key)));
    json += separator;
    separator = ",";
    appendJsonString(json, key);
    json += ':';
    appendJsonString(json, text);
  }
  json += '}';
  return {};
}

/// Indexes of `tensors` in the order of the reference writer.
std::vector<uint32_t> writingOrder(std::span<const TensorSpec> tensors) {
  std::vector<uint32_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return tensors[a].dtype != tensors[b].dtype
               ? tensors[a].dtype > tensors[b].dtype
               : tensors[a].name < tensors[b].name;
  });
  return order;
}

/// Two equal names may differ in dtype, so `writingOrder` need not bring them
/// together.
Expected<void> checkUniqueNames(std::span<const TensorSpec> tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const TensorSpec &tensor : tensors)
    names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return fail(ErrorKind::Format,
                fmt::format("two tensors of one file are called {}",
                            shownName(*twice)));
  return {};
}

} // namespace

Expected<FileImage> layOutFile(std::span<const TensorSpec> tensors,
                               const Metadata &metadata) {
  if (auto unique = checkUniqueNames(tensors); !unique)
    return failWith(std::move(unique));

  std::string json = "{";
  if (!metadata.empty())
    if (auto appended = appendMetadata(json, metadata); !appended)
      return failWith(std::move(appended));

  FileImage image;
  image.atBytes.resize(tensors.size());
  int64_t dataBytes = 0;
  for (uint32_t index : writingOrder(tensors)) {
    const TensorSpec &tensor = tensors[index];
    Expected<int64_t> sizeBytes = checkSpec(tensor);
    if (!sizeBytes)
      return failWith(std::move(sizeBytes));
    std::optional<int64_t> end = checkedAdd(dataBytes, *sizeBytes);
    // Leaves room for the header, so that no later sum overflows.
    if (!end || *end > INT64_MAX - 2 * maxHeaderBytes)
      return fail(ErrorKind::Limit, fmt::format("{} ends beyond 2^63 bytes",
                                                shownName(tensor.name)));
    if (json.size() > 1)
      json += ',';
    appendJsonString(json, tensor.name);
    fmt::format_to(std::back_inserter(json),
                   ":{{\"dtype\":\"{}\",\"shape\":[{}],"
                   "\"data_offsets\":[{},{}]}}",
                   nameOf(tensor.dtype), fmt::join(tensor.shape, ","),
                   dataBytes, *end);
    image.atBytes[index] = dataBytes;
    dataBytes = *end;
    if (json.size() > static_cast<size_t>(maxHeaderBytes))
      return fail(ErrorKind::Limit,
                  fmt::format("the header of {} tensors is longer than the {} "
                              "bytes that safetensors takes",
                              tensors.size(), maxHeaderBytes));
  }
  json += '}';
  json.append((8 - json.size() % 8) % 8, ' ');
  if (json.size() > static_cast<size_t>(maxHeaderBytes))
    return fail(ErrorKind::Limit,
                fmt::format("the header of {} tensors is longer than the {} "
                            "bytes that safetensors takes",
                            tensors.size(), maxHeaderBytes));

  for (unsigned byte = 0; byte != 8; ++byte)
    image.prefix += static_cast<char>(json.size() >> (8 * byte) & 0xff);
  image.prefix += json;
  int64_t dataStart = static_cast<int64_t>(image.prefix.size());
  for (int64_t &atBytes : image.atBytes)
    atBytes += dataStart;
  image.fileBytes = dataStart + dataBytes;
  return image;
}

} // namespace aoa::safetensors
