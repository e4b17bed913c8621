//===- CheckHeader.cpp - Whether a header's entries fit a file --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Safetensors/CheckHeader.h"

#include "ShownName.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace aoa::safetensors {

namespace {

std::unexpected<Error> failAt(const RawEntry &entry, std::string message) {
  return fail(ErrorKind::Format, fmt::format("byte {}: {}: {}", entry.atByte,
                                             shownName(entry.name), message));
}

Expected<void> checkSize(const RawEntry &entry) {
  auto what = [&] {
    return fmt::format("{} of {}", formatShape(entry.shape),
                       nameOf(entry.dtype));
  };
  if (!checkedNumElements(entry.shape))
    return failAt(
        entry,
        fmt::format("the number of elements of {} is 2^62 or more", what()));
  std::optional<int64_t> sizeBytes = checkedSizeBytes(entry.dtype, entry.shape);
  if (!sizeBytes)
    return failAt(entry, fmt::format("the size of {} is no whole number of "
                                     "bytes below 2^63",
                                     what()));
  if (*sizeBytes != entry.end - entry.begin)
    return failAt(entry,
                  fmt::format("data_offsets [{}, {}] hold {} bytes, but {} "
                              "takes {}",
                              entry.begin, entry.end, entry.end - entry.begin,
                              what(), *sizeBytes));
  return {};
}

} // namespace

Expected<int64_t> checkHeaderLength(std::string_view firstBytes,
                                    int64_t fileBytes) {
  if (fileBytes < 8 || firstBytes.size() < 8)
    return fail(ErrorKind::Format,
                fmt::format("file of {} bytes is shorter than the 8 bytes of "
                            "the header's length",
                            fileBytes));
  // `version https://git-lfs.github.com/spec/v1`, and so on.
  if (firstBytes.starts_with("version "))
    return fail(ErrorKind::Format,
                "byte 0: a Git LFS pointer, not the file that it stands for; "
                "`git lfs pull` fetches that");
  uint64_t length = 0;
  for (size_t i = 8; i-- != 0;)
    length = length << 8 | static_cast<unsigned char>(firstBytes[i]);
  if (length > static_cast<uint64_t>(maxHeaderBytes))
    return fail(ErrorKind::Format,
                fmt::format("byte 0: header of {} bytes is longer than the {} "
                            "bytes that the format takes",
                            length, maxHeaderBytes));
  if (static_cast<int64_t>(length) > fileBytes - 8)
    return fail(ErrorKind::Format,
                fmt::format("byte 0: header of {} bytes ends behind the file "
                            "of {} bytes",
                            length, fileBytes));
  return static_cast<int64_t>(length);
}

Expected<std::vector<Entry>>
checkEntries(std::vector<RawEntry> raw, int64_t dataStart, int64_t fileBytes) {
  // Empty tensors share their offset with what follows; the end sorts them
  // first, the order of writing decides between them.
  std::sort(raw.begin(), raw.end(), [](const RawEntry &a, const RawEntry &b) {
    return std::tie(a.begin, a.end, a.atByte) <
           std::tie(b.begin, b.end, b.atByte);
  });

  std::vector<Entry> entries;
  entries.reserve(raw.size());
  int64_t dataEnd = 0; // Relative to dataStart, as the offsets are.
  for (RawEntry &entry : raw) {
    if (auto size = checkSize(entry); !size)
      return failWith(std::move(size));
    if (entry.begin != dataEnd) {
      std::string previous = entries.empty()
                                 ? std::string("the start of the data")
                                 : shownName(entries.back().name);
      return failAt(entry,
                    entry.begin < dataEnd
                        ? fmt::format("data at offset {} overlaps {}, which "
                                      "ends at {}",
                                      entry.begin, previous, dataEnd)
                        : fmt::format("data at offset {} leaves a gap of {} "
                                      "bytes behind {}",
                                      entry.begin, entry.begin - dataEnd,
                                      previous));
    }
    dataEnd = entry.end;
    // The end of the data was not compared with the file yet, so the sum may
    // be beyond int64_t.
    std::optional<int64_t> atBytes = checkedAdd(dataStart, entry.begin);
    if (!atBytes)
      return failAt(entry, fmt::format("data_offsets [{}, {}] lie behind the "
                                       "file of {} bytes",
                                       entry.begin, entry.end, fileBytes));
    entries.push_back({.name = std::move(entry.name),
                       .dtype = entry.dtype,
                       .shape = std::move(entry.shape),
                       .atBytes = *atBytes,
                       .sizeBytes = entry.end - entry.begin});
  }

  int64_t dataBytes = fileBytes - dataStart;
  if (dataEnd > dataBytes)
    return fail(ErrorKind::Format,
                fmt::format("the file is cut off: {} ends at offset {} of the "
                            "data; actual size {}, expected size {}",
                            shownName(entries.back().name), dataEnd, fileBytes,
                            static_cast<uint64_t>(dataStart) +
                                static_cast<uint64_t>(dataEnd)));
  if (dataEnd < dataBytes)
    return fail(ErrorKind::Format,
                fmt::format("{} bytes at byte {} belong to no tensor",
                            dataBytes - dataEnd, dataStart + dataEnd));
  return entries;
}

} // namespace aoa::safetensors
