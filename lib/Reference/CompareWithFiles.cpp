//===- CompareWithFiles.cpp - What was written, read anew -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Reference/Evaluate.h"
#include "aoa/Support/CheckedMath.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace aoa;
using namespace aoa::reference;
namespace fs = std::filesystem;
using Json = nlohmann::json;

static std::unexpected<Error> malformed(const std::string &what) {
  return fail(ErrorKind::Format, what);
}

static Expected<WholeTensor> readEntry(const Json &entry,
                                       std::string_view data) {
  if (!entry.is_object() || !entry.contains("dtype") ||
      !entry["dtype"].is_string() || !entry.contains("shape") ||
      !entry["shape"].is_array() || !entry.contains("data_offsets") ||
      !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
    return malformed("not an entry of a safetensors header");
  auto dtype =
      dtypeFromSafetensors(entry["dtype"].get_ref<const std::string &>());
  if (!dtype)
    return malformed("unknown dtype");
  WholeTensor tensor{*dtype, {}, {}};
  for (const Json &extent : entry["shape"]) {
    if (!extent.is_number_unsigned())
      return malformed("an extent is no number");
    tensor.shape.push_back(extent.get<int64_t>());
  }
  const Json &begin = entry["data_offsets"][0], &end = entry["data_offsets"][1];
  auto size = checkedSizeBytes(*dtype, tensor.shape);
  if (!begin.is_number_unsigned() || !end.is_number_unsigned() || !size ||
      begin.get<uint64_t>() > end.get<uint64_t>() ||
      end.get<uint64_t>() > data.size() ||
      end.get<uint64_t>() - begin.get<uint64_t>() !=
          static_cast<uint64_t>(*size))
    return malformed("offsets do not fit the shape or the file");
  tensor.bytes = data.substr(begin.get<uint64_t>(), *size);
  return tensor;
}

static Expected<Tensors> readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file)
    return fail(ErrorKind::Io, "cannot read the file");
  uint64_t headerBytes = 0;
  if (bytes.size() < 8)
    return malformed("shorter than its length field");
  std::memcpy(&headerBytes, bytes.data(), 8);
  if (headerBytes > bytes.size() - 8)
    return malformed("header ends behind the file");
  std::string_view rest = std::string_view(bytes).substr(8);
  Json header = Json::parse(rest.substr(0, headerBytes), nullptr, false);
  if (!header.is_object())
    return malformed("header is no JSON object");
  Tensors tensors;
  for (const auto &[name, entry] : header.items()) {
    if (name == "__metadata__")
      continue;
    auto tensor = readEntry(entry, rest.substr(headerBytes));
    if (!tensor)
      return failWith(std::move(tensor), "tensor `" + name + "`");
    tensors.emplace(name, std::move(*tensor));
  }
  return tensors;
}

static std::string typeOf(const WholeTensor &tensor) {
  return std::string(nameOf(tensor.dtype)) + " " + formatShape(tensor.shape);
}

static std::string hex(std::string_view bytes) {
  std::string text;
  for (size_t i = bytes.size(); i-- != 0;) { // As a number is written.
    auto byte = static_cast<unsigned char>(bytes[i]);
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return "0x" + text;
}

/// Returns `[1, 2]` of the element that byte `at` belongs to.
static std::string indexOf(size_t at, const WholeTensor &tensor) {
  auto place = static_cast<int64_t>(at) / bytesPerElement(tensor.dtype);
  Shape index(tensor.shape.size());
  for (size_t dim = index.size(); dim-- != 0;) {
    index[dim] = place % tensor.shape[dim];
    place /= tensor.shape[dim];
  }
  return formatShape(index);
}

static std::string difference(const WholeTensor &wanted,
                              const WholeTensor &found) {
  if (wanted.dtype != found.dtype || wanted.shape != found.shape)
    return "is " + typeOf(found) + ", expected " + typeOf(wanted);
  auto at = std::mismatch(wanted.bytes.begin(), wanted.bytes.end(),
                          found.bytes.begin(), found.bytes.end())
                .first -
            wanted.bytes.begin();
  if (at == static_cast<std::ptrdiff_t>(wanted.bytes.size()))
    return "";
  if (!hasWholeBytes(wanted.dtype))
    return "differs at byte " + std::to_string(at);
  size_t size = bytesPerElement(wanted.dtype), begin = at / size * size;
  return "element " + indexOf(at, wanted) + " is " +
         hex(std::string_view(found.bytes).substr(begin, size)) +
         ", expected " +
         hex(std::string_view(wanted.bytes).substr(begin, size));
}

static void compare(const Tensors &wanted, const Tensors &found,
                    const std::string &where,
                    std::vector<std::string> &differences) {
  for (const auto &[name, tensor] : wanted) {
    auto it = found.find(name);
    std::string what =
        it == found.end() ? "is missing" : difference(tensor, it->second);
    if (!what.empty())
      differences.push_back(where + "`" + name + "` " + what);
  }
  for (const auto &[name, tensor] : found)
    if (!wanted.contains(name))
      differences.push_back(where + "`" + name + "` is not expected");
}

static Expected<std::vector<std::string>>
findFiles(const std::string &directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end;
       !error && it != end; it.increment(error))
    if (it->is_regular_file(error) && it->path().extension() == ".safetensors")
      files.push_back(fs::relative(it->path(), directory, error).string());
  if (error)
    return fail(ErrorKind::Io,
                "cannot list `" + directory + "`: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

Expected<std::vector<std::string>>
reference::compareWithFiles(const std::map<std::string, Tensors> &expected,
                            const std::string &directory) {
  auto files = findFiles(directory);
  if (!files)
    return failWith(std::move(files));
  bool together = expected.size() == 1 && expected.contains("");
  std::vector<std::string> differences;
  Tensors all;
  for (const std::string &file : *files) {
    auto found = readFile(fs::path(directory) / file);
    if (!found)
      return failWith(std::move(found), "reading `" + file + "`");
    if (together) {
      for (auto &[name, tensor] : *found)
        if (!all.emplace(name, std::move(tensor)).second)
          differences.push_back("`" + name + "` stands in two files");
      continue;
    }
    auto wanted = expected.find(file);
    compare(wanted == expected.end() ? Tensors() : wanted->second, *found,
            "`" + file + "`: ", differences);
  }
  if (together)
    compare(expected.at(""), all, "", differences);
  else
    for (const auto &[file, tensors] : expected)
      if (!tensors.empty() &&
          !std::binary_search(files->begin(), files->end(), file))
        differences.push_back("file `" + file + "` is missing");
  return differences;
}
