//===- HeaderJson.cpp - The JSON of a safetensors header --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Safetensors/HeaderJson.h"

#include "ShownName.h"
#include "aoa/Support/JsonReader.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace aoa::safetensors {

namespace {

constexpr std::array<std::string_view, 3> fieldNames = {"dtype", "shape",
                                                        "data_offsets"};

/// Turns values into entries; keeps where the text stands in its file and which
/// entry is read, for messages.
class HeaderReader {
public:
  explicit HeaderReader(int64_t atByte) : atByte(atByte) {}

  Expected<RawHeader> read(JsonValue root);

private:
  Expected<RawEntry> readEntry(JsonValue key, JsonValue value);
  Expected<void> readDType(RawEntry &entry, JsonValue value);
  Expected<void> readShape(RawEntry &entry, JsonValue value);
  Expected<void> readOffsets(RawEntry &entry, JsonValue value);
  Expected<int64_t> readNumber(JsonValue value);
  Expected<Metadata> readMetadata(JsonValue value);

  std::unexpected<Error> failAt(JsonValue value, std::string_view message) {
    return fail(ErrorKind::Format,
                fmt::format("byte {}: {}{}{}", atByte + value.begin(),
                            entryName ? shownName(*entryName) : "",
                            entryName ? ": " : "", message));
  }
  std::unexpected<Error> failKind(JsonValue value, std::string_view expected) {
    return failAt(value, fmt::format("found {}, expected {}",
                                     describe(value.kind()), expected));
  }

  int64_t atByte;
  std::optional<std::string_view> entryName; ///< While an entry is read.
};

Expected<int64_t> HeaderReader::readNumber(JsonValue value) {
  if (!value.isNumber())
    return failKind(value, "a whole number");
  std::string_view digits = value.rawText();
  if (digits.find_first_not_of("0123456789") != std::string_view::npos)
    return failAt(value, fmt::format("found {}, expected a whole number that "
                                     "is not negative",
                                     digits.substr(0, 40)));
  std::optional<int64_t> number = value.wholeNumber();
  if (!number)
    return failAt(value, fmt::format("{} is larger than {}",
                                     digits.substr(0, 40), INT64_MAX));
  return *number;
}

Expected<void> HeaderReader::readDType(RawEntry &entry, JsonValue value) {
  if (!value.isString())
    return failKind(value, "the name of a dtype");
  std::optional<DType> dtype = dtypeFromSafetensors(value.str());
  if (!dtype)
    return failAt(value,
                  fmt::format("unknown dtype {}", shownName(value.str())));
  entry.dtype = *dtype;
  return {};
}

Expected<void> HeaderReader::readShape(RawEntry &entry, JsonValue value) {
  if (!value.isArray())
    return failKind(value, "a list of extents");
  for (JsonValue element : value.elements()) {
    if (entry.shape.size() == maxRank)
      return failAt(value, fmt::format("more than {} dimensions", maxRank));
    Expected<int64_t> extent = readNumber(element);
    if (!extent)
      return failWith(std::move(extent));
    entry.shape.push_back(*extent);
  }
  return {};
}

Expected<void> HeaderReader::readOffsets(RawEntry &entry, JsonValue value) {
  if (!value.isArray())
    return failKind(value, "a list of two offsets");
  std::vector<int64_t> offsets;
  for (JsonValue element : value.elements()) {
    if (offsets.size() == 2)
      return failAt(value, "more than two data_offsets");
    Expected<int64_t> offset = readNumber(element);
    if (!offset)
      return failWith(std::move(offset));
    offsets.push_back(*offset);
  }
  if (offsets.size() != 2)
    return failAt(value, fmt::format("found {} data_offsets, expected 2",
                                     offsets.size()));
  if (offsets[1] < offsets[0])
    return failAt(value,
                  fmt::format("data_offsets [{}, {}] end before they begin",
                              offsets[0], offsets[1]));
  entry.begin = offsets[0];
  entry.end = offsets[1];
  return {};
}

Expected<RawEntry> HeaderReader::readEntry(JsonValue key, JsonValue value) {
  std::string_view name = key.str();
  if (name.find('\0') != std::string_view::npos)
    return failAt(key, fmt::format("name {} has a NUL in it", shownName(name)));
  entryName = name;
  if (!value.isObject())
    return failKind(value, "an object with dtype, shape and data_offsets");

  RawEntry entry = {.name = std::string(name),
                    .dtype = DType::BOOL,
                    .shape = {},
                    .atByte = atByte + key.begin()};
  std::array<bool, fieldNames.size()> seen = {};
  for (auto [fieldKey, field] : value.members()) {
    auto known =
        std::find(fieldNames.begin(), fieldNames.end(), fieldKey.str());
    if (known == fieldNames.end())
      return failAt(
          fieldKey,
          fmt::format("unknown field {}{}", shownName(fieldKey.str()),
                      nearestName(fieldKey.str(), fieldNames).hint()));
    size_t index = static_cast<size_t>(known - fieldNames.begin());
    seen[index] = true;
    Expected<void> read = index == 0   ? readDType(entry, field)
                          : index == 1 ? readShape(entry, field)
                                       : readOffsets(entry, field);
    if (!read)
      return failWith(std::move(read));
  }
  for (size_t i = 0; i != fieldNames.size(); ++i)
    if (!seen[i])
      return failAt(value, fmt::format("field `{}` is missing", fieldNames[i]));
  entryName.reset();
  return entry;
}

Expected<Metadata> HeaderReader::readMetadata(JsonValue value) {
  entryName = "__metadata__";
  Metadata metadata;
  if (value.isNull()) { // As good as none: other readers take it, too.
    entryName.reset();
    return metadata;
  }
  if (!value.isObject())
    return failKind(value, "an object of strings");
  for (auto [key, text] : value.members()) {
    if (!text.isString())
      return failKind(text, "a string");
    metadata.emplace(key.str(), text.str());
  }
  entryName.reset();
  return metadata;
}

Expected<RawHeader> HeaderReader::read(JsonValue root) {
  if (!root.isObject())
    return failKind(root, "an object");
  RawHeader header;
  for (auto [key, value] : root.members()) {
    if (key.str() == "__metadata__") {
      Expected<Metadata> metadata = readMetadata(value);
      if (!metadata)
        return failWith(std::move(metadata));
      header.metadata = std::move(*metadata);
      continue;
    }
    Expected<RawEntry> entry = readEntry(key, value);
    if (!entry)
      return failWith(std::move(entry));
    header.entries.push_back(std::move(*entry));
  }
  return header;
}

} // namespace

Expected<RawHeader> parseHeaderJson(std::string_view json, int64_t atByte) {
  auto document = JsonDocument::parse(json);
  if (!document) {
    const JsonFault &fault = document.error();
    std::string message =
        fmt::format("byte {}: {}", atByte + fault.begin, fault.message);
    if (fault.isDuplicateName())
      message += fmt::format(" (first at byte {})", atByte + fault.firstBegin);
    return fail(ErrorKind::Format, std::move(message));
  }
  return HeaderReader(atByte).read(document->root());
}

} // namespace aoa::safetensors
