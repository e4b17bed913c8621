//===- WeightFiles.cpp - Which files are weights ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "WeightFiles.h"

#include <algorithm>
#include <string>

namespace aoa {

namespace {

constexpr std::string_view weightEndings[] = {
    ".safetensors", ".bin",     ".pt",   ".pth",  ".ckpt",
    ".h5",          ".msgpack", ".onnx", ".gguf", ".distcp"};
constexpr std::string_view indexEnding = ".index.json";

std::string lowered(std::string_view name) {
  std::string lower(name);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

} // namespace

bool isWeightFile(std::string_view name) {
  std::string lower = lowered(name);
  std::string_view stem = lower;
  if (stem.ends_with(indexEnding))
    stem.remove_suffix(indexEnding.size());
  return std::any_of(
      std::begin(weightEndings), std::end(weightEndings),
      [&](std::string_view ending) { return stem.ends_with(ending); });
}

bool isSafetensorsIndex(std::string_view name) {
  return name.ends_with(".safetensors.index.json");
}

} // namespace aoa
