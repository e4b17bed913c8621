//===- LanguageEnds.cpp - What fuzzed scripts convert from and to ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "LanguageEnds.h"

#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Catalog/LayoutJson.h"

#include <cstdio>
#include <cstdlib>

using namespace aoa;
using namespace aoa::fuzz;

namespace {

constexpr const char *sourceText = R"({ "schema": "aoa.catalog/1",
  "tensors": [
    { "name": "0.auto-model.w", "dtype": "F32", "shape": [2, 3] },
    { "name": "a", "dtype": "F32", "shape": [4, 6] },
    { "name": "a.moment1_0", "dtype": "F32", "shape": [4, 6] },
    { "name": "b", "dtype": "F32", "shape": [4, 6] },
    { "name": "bools", "dtype": "BOOL", "shape": [4] },
    { "name": "c", "dtype": "BF16", "shape": [4, 6] },
    { "name": "deep", "dtype": "I64", "shape": [2, 3, 2, 2] },
    { "name": "empty", "dtype": "F32", "shape": [0, 4] },
    { "name": "eight", "dtype": "F8_E4M3", "shape": [4, 2] },
    { "name": "four", "dtype": "F4", "shape": [2, 4] },
    { "name": "gate", "dtype": "F32", "shape": [4, 8], "shards": [
      { "ranks": [0], "offset": [0, 0], "shape": [4, 4] },
      { "ranks": [1], "offset": [0, 4], "shape": [4, 4] } ] },
    { "name": "half", "dtype": "F16", "shape": [16, 4] },
    { "name": "i", "dtype": "I32", "shape": [8] },
    { "name": "k", "dtype": "F32", "shape": [4, 4] },
    { "name": "l.0.e.0.w", "dtype": "BF16", "shape": [2, 3] },
    { "name": "l.0.e.1.w", "dtype": "BF16", "shape": [2, 3] },
    { "name": "l.0.e.10.w", "dtype": "BF16", "shape": [2, 3] },
    { "name": "l.0.q.weight", "dtype": "F32", "shape": [2, 2] },
    { "name": "l.0.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "l.1.e.0.w", "dtype": "BF16", "shape": [2, 3] },
    { "name": "l.1.e.1.w", "dtype": "BF16", "shape": [2, 3] },
    { "name": "l.1.q.weight", "dtype": "F32", "shape": [2, 2] },
    { "name": "l.1.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "l.3.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "m.01.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "one", "dtype": "F32", "shape": [1] },
    { "name": "q", "dtype": "F32", "shape": [8, 4] },
    { "name": "qkv", "dtype": "F32", "shape": [16, 4], "shards": [
      { "ranks": [0], "offset": [0, 0], "shape": [8, 4] },
      { "ranks": [1], "offset": [8, 0], "shape": [8, 4] } ] },
    { "name": "scalar", "dtype": "F64", "shape": [] },
    { "name": "up", "dtype": "F32", "shape": [4, 8], "shards": [
      { "ranks": [0], "offset": [0, 0], "shape": [4, 4] },
      { "ranks": [1], "offset": [0, 4], "shape": [4, 4] } ] },
    { "name": "v", "dtype": "F32", "shape": [4, 4] },
    { "name": "w", "dtype": "BF16", "shape": [6, 4] },
    { "name": "w.beta1_pow_acc_0", "dtype": "F32", "shape": [1] },
    { "name": "w.moment1_0", "dtype": "F32", "shape": [6, 4] },
    { "name": "w.moment2_0", "dtype": "F32", "shape": [6, 4] },
    { "name": "w.w_0", "dtype": "F32", "shape": [6, 4] } ] })";

constexpr const char *listingText = R"({ "schema": "aoa.catalog/1",
  "tensors": [
    { "name": "a", "dtype": "F32", "shape": [4, 6] },
    { "name": "half", "dtype": "F16", "shape": [16, 4], "shards": [
      { "ranks": [0, 2], "offset": [0, 0], "shape": [9, 4] },
      { "ranks": [1], "offset": [9, 0], "shape": [7, 4] } ] },
    { "name": "l.0.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "l.1.w", "dtype": "F32", "shape": [2, 2] },
    { "name": "out", "dtype": "F32", "shape": [16, 4], "shards": [
      { "ranks": [0], "offset": [0, 0], "shape": [16, 2] },
      { "ranks": [1], "offset": [0, 2], "shape": [16, 2] } ] } ] })";

constexpr const char *layoutText = R"({ "schema": "aoa.layout/1",
  "mesh": { "pp": 2, "tp": 2 },
  "rules": [
    { "match": "row*", "shard": { "0": "tp" } },
    { "match": "col*", "shard": { "-1": "tp" }, "chunk": "ceil" },
    { "match": "seg*", "shard": { "0": "tp" }, "segments": { "0": 2 } },
    { "match": "pad*", "shard": { "0": "tp" }, "pad": { "0": { "multiple": 4 } } },
    { "match": "flat*", "shard": { "0": "tp" }, "chunk": "balanced", "flatten": { "over": "pp", "align": 3 } },
    { "match": "twice*", "scale": 2 },
    { "match": "l.{i}.*", "shard": { "0": ["pp", "tp"] }, "chunk": "ceil" },
    { "match": "*", "replicate": true } ],
  "place": [ { "match": "row*", "on": { "pp": 1 } } ] })";

/// Returns the part that a text says; the texts above have no errors.
template <typename T>
T required(std::optional<T> read, const DiagnosticList &found) {
  if (read)
    return std::move(*read);
  for (const Diagnostic &report : found.list)
    std::fprintf(stderr, "%s\n", report.message.c_str());
  std::abort();
}

/// Bytes that differ from element to element: its number in all of the source.
reference::Tensors elementsOf(const Catalog &source) {
  reference::Tensors tensors;
  uint64_t number = 0;
  for (const Tensor &tensor : source.tensors) {
    int64_t count = 1;
    for (int64_t extent : tensor.shape)
      count *= extent;
    std::string bytes;
    if (!hasWholeBytes(tensor.dtype))
      bytes.assign(static_cast<size_t>(count) * bitsOf(tensor.dtype) / 8, 1);
    else
      for (int64_t i = 0; i < count; ++i) {
        ++number;
        for (unsigned at = 0; at < bitsOf(tensor.dtype) / 8; ++at)
          bytes += static_cast<char>(number >> 8 * at);
      }
    tensors[tensor.name] = {tensor.dtype, tensor.shape, std::move(bytes)};
  }
  return tensors;
}

LanguageEnds makeEnds() {
  LanguageEnds ends;
  ends.texts = {sourceText, listingText, layoutText};
  DiagnosticList found;
  ends.source = required(parseCatalog(sourceText, FileId(0), "", found), found);
  ends.listing =
      required(parseCatalog(listingText, FileId(1), "", found), found);
  ends.layout = required(parseLayout(layoutText, FileId(2), found), found);
  ends.layoutStates = ends.layout;
  ends.layoutStates.useStates(StateConvention::Paddle);
  ends.sourceElements = elementsOf(ends.source);
  ends.widened.dtype = DType::F32;
  bool isSet = ends.parameters.define("n=2").has_value() &&
               ends.parameters.define("name=w").has_value() &&
               ends.parameters
                   .setConfig(R"({"heads": 4, "kv": 2, "sizes": [1, 3],
                                  "text": {"layers": 2, "act": "silu"}})")
                   .has_value();
  if (!isSet)
    std::abort();
  return ends;
}

} // namespace

Target LanguageEnds::target(unsigned number, StateConvention states) const {
  Target target;
  target.states = states;
  target.results = number == 3 ? &widened : &asTheyAre;
  if (number == 1)
    target.layout = states == StateConvention::None ? &layout : &layoutStates;
  if (number == 2)
    target.list = &listing;
  return target;
}

const LanguageEnds &fuzz::languageEnds() {
  static const LanguageEnds ends = makeEnds();
  return ends;
}
