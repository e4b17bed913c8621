//===- PlanOutput.cpp - Which files a result becomes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/Checkpoint.h"

#include "Safetensors/IndexFile.h"
#include "ShownName.h"
#include "aoa/Formats/Safetensors/Header.h"
#include "aoa/Support/CheckedMath.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace aoa {

namespace {

using Metadata = safetensors::Metadata;

/// transformers refuses files that do not say what framework they are of.
Metadata withFormat(Metadata metadata) {
  metadata.try_emplace("format", "pt");
  return metadata;
}

Expected<OutputFile> planFile(std::string file,
                              std::span<const OutputTensor> tensors,
                              std::vector<uint32_t> members,
                              const Metadata &metadata) {
  std::vector<safetensors::TensorSpec> specs;
  specs.reserve(members.size());
  for (uint32_t member : members)
    specs.push_back(
        {tensors[member].name, tensors[member].dtype, tensors[member].shape});
  Expected<safetensors::FileImage> image =
      safetensors::layOutFile(specs, metadata);
  if (!image)
    return failWith(std::move(image),
                    fmt::format("laying out {}", shownName(file)));
  return OutputFile{.file = std::move(file),
                    .tensors = std::move(members),
                    .atBytes = std::move(image->atBytes),
                    .prefix = std::move(image->prefix),
                    .bytes = image->fileBytes};
}

struct Split {
  std::vector<std::vector<uint32_t>> files;
  int64_t totalBytes = 0;
};

/// Splits as huggingface_hub does: a tensor beyond the limit becomes a file
/// that does not end the file being filled.
Expected<Split> splitBySize(std::span<const OutputTensor> tensors,
                            int64_t maxShardBytes) {
  Split split;
  std::vector<uint32_t> current;
  int64_t currentBytes = 0;
  for (uint32_t i = 0; i != tensors.size(); ++i) {
    std::optional<int64_t> bytes =
        checkedSizeBytes(tensors[i].dtype, tensors[i].shape);
    std::optional<int64_t> total =
        bytes ? checkedAdd(split.totalBytes, *bytes) : std::nullopt;
    if (!total)
      return fail(ErrorKind::Limit,
                  fmt::format("the result exceeds 2^63 bytes with {}",
                              shownName(tensors[i].name)));
    split.totalBytes = *total;
    if (*bytes > maxShardBytes) {
      split.files.push_back({i});
      continue;
    }
    if (currentBytes > maxShardBytes - *bytes) {
      split.files.push_back(std::exchange(current, {}));
      currentBytes = 0;
    }
    current.push_back(i);
    currentBytes += *bytes;
  }
  if (!current.empty())
    split.files.push_back(std::move(current));
  return split;
}

/// The text that transformers writes: sorted keys, indent 2, ASCII only, a line
/// end. Requires names in UTF-8.
std::string indexText(const std::vector<OutputFile> &files,
                      std::span<const OutputTensor> tensors,
                      int64_t totalBytes) {
  nlohmann::json weightMap = nlohmann::json::object();
  for (const OutputFile &file : files)
    for (uint32_t member : file.tensors)
      weightMap[std::string(tensors[member].name)] = file.file;
  nlohmann::json index = {{"metadata", {{"total_size", totalBytes}}},
                          {"weight_map", std::move(weightMap)}};
  constexpr bool asciiOnly = true;
  return index.dump(2, ' ', asciiOnly) + "\n";
}

} // namespace

Expected<OutputFiles>
planHuggingFaceOutput(std::span<const OutputTensor> tensors,
                      const Metadata &metadata, int64_t maxShardBytes) {
  if (maxShardBytes <= 0)
    return fail(
        ErrorKind::Limit,
        fmt::format("files of at most {} bytes were asked for", maxShardBytes));
  Expected<Split> split = splitBySize(tensors, maxShardBytes);
  if (!split)
    return failWith(std::move(split));
  if (split->files.empty())
    split->files.emplace_back();

  Metadata allMetadata = withFormat(metadata);
  size_t numFiles = split->files.size();
  OutputFiles output;
  for (size_t i = 0; i != numFiles; ++i) {
    std::string name =
        numFiles == 1
            ? std::string("model.safetensors")
            : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, numFiles);
    Expected<OutputFile> file = planFile(
        std::move(name), tensors, std::move(split->files[i]), allMetadata);
    if (!file)
      return failWith(std::move(file));
    output.files.push_back(std::move(*file));
  }
  if (numFiles > 1)
    output.indexes.emplace_back(
        safetensors::indexFileName,
        indexText(output.files, tensors, split->totalBytes));
  return output;
}

Expected<OutputFile> planSingleFile(std::string file,
                                    std::span<const OutputTensor> tensors,
                                    const Metadata &metadata) {
  std::vector<uint32_t> members(tensors.size());
  std::iota(members.begin(), members.end(), 0);
  return planFile(std::move(file), tensors, std::move(members),
                  withFormat(metadata));
}

} // namespace aoa
