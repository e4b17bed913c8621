//===- PlanBuilder.h - Plans and their files for tests ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A temporary folder, source files of random bytes, plans over them, and what
// they must give, element by element.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_RUNTIME_PLANBUILDER_H
#define AOA_UNITTESTS_RUNTIME_PLANBUILDER_H

#include "StridedCast.h"
#include "aoa/Plan/RegionTransfers.h"
#include "aoa/Runtime/Execute.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace aoa {

/// A folder that goes with the test.
class TestFolder {
public:
  TestFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "aoa-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path); }

  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  /// Everything below, relative.
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(path))
      names.push_back(entry.path().lexically_relative(path).string());
    std::ranges::sort(names);
    return names;
  }

  std::string path;
};

inline void writeFile(const std::string &path, std::string_view bytes) {
  std::filesystem::create_directories(
      std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A transfer with its own place in the source.
struct PlacedTransfer {
  uint32_t source = 0;
  uint32_t ops = 0;
  int64_t srcAtBytes = 0;
  int64_t dstOffset = 0;
  std::vector<TransferDim> dims;

  operator Transfer() const {
    return {source, ops, srcAtBytes, dstOffset, dims};
  }
};

/// The casts of an element from `chain[0]` to all others in turn.
inline ElementOps castOps(const std::vector<DType> &chain) {
  ElementOps ops{chain[0], {}};
  for (size_t i = 1; i < chain.size(); ++i)
    ops.cast(chain[i]);
  return ops;
}

/// Gives `region` a class of its own with `transfers`. Those that lie in one
/// half of a source share a slot; every slot has transfers behind its start.
inline void setTransfers(TransferPlan &plan, TargetRegion &region,
                         const std::vector<PlacedTransfer> &transfers) {
  RegionClass made;
  region.slots.clear();
  std::map<std::pair<uint32_t, int64_t>, uint32_t> slots;
  for (const PlacedTransfer &each : transfers) {
    const DType from = plan.elementOps[each.ops].from;
    const int64_t bytes = hasWholeBytes(from) ? bytesPerElement(from) : 0;
    const int64_t srcOffset = bytes ? each.srcAtBytes / 2 / bytes : 0;
    const int64_t at = each.srcAtBytes - srcOffset * bytes;
    const auto [slot, isNew] =
        slots.try_emplace({each.source, at}, made.numSlots);
    if (isNew) {
      appendSlot(region.slots, each.source, at);
      ++made.numSlots;
    }
    const TransferForm form{each.ops, each.dims};
    auto known = std::ranges::find(made.forms, form);
    if (known == made.forms.end())
      known = made.forms.insert(known, form);
    made.transfers.push_back({uint32_t(known - made.forms.begin()),
                              slot->second, srcOffset, each.dstOffset});
  }
  region.regionClass = uint32_t(plan.classes.size());
  plan.classes.push_back(std::move(made));
}

/// What each target file must hold.
inline std::map<std::string, std::string>
expectedFiles(const TransferPlan &plan, const std::string &root) {
  std::vector<std::string> sources;
  for (const PlanSource &source : plan.sources)
    sources.push_back(source.inlined.empty()
                          ? readFile(root + "/" + source.file)
                          : source.inlined);
  std::map<std::string, std::string> files;
  for (const TargetFile &target : plan.targets) {
    std::string &bytes = files[target.file];
    bytes = target.prefix;
    for (const TargetRegion &region : target.regions) {
      std::string data(region.sizeBytes, '\0');
      if (!region.padding.empty())
        for (size_t at = 0; at < data.size(); at += region.padding.size())
          data.replace(at, region.padding.size(), region.padding);
      const RegionTransfers transfers(plan, region);
      for (size_t number = 0; number < transfers.size(); ++number) {
        const Transfer transfer = transfers[number];
        const CastSteps cast(plan.elementOps[transfer.ops]);
        const auto copy = [&](auto &self, size_t level, int64_t src,
                              int64_t dst) -> void {
          if (level < transfer.dims.size()) {
            const TransferDim &dim = transfer.dims[level];
            for (int64_t i = 0; i < dim.extent; ++i)
              self(self, level + 1, src + i * dim.srcStride,
                   dst + i * dim.dstStride);
            return;
          }
          std::byte value[8] = {}, next[8] = {};
          std::memcpy(value,
                      &sources[transfer.source]
                              [transfer.srcAtBytes + src * cast.srcBytes],
                      cast.srcBytes);
          for (const ElementStep &step : cast.steps) {
            step(next, value, 1);
            std::memcpy(value, next, 8);
          }
          std::memcpy(&data[dst * cast.dstBytes], value, cast.dstBytes);
        };
        copy(copy, 0, 0, transfer.dstOffset);
      }
      bytes += data;
    }
  }
  for (const IndexFile &index : plan.indexes)
    files[index.file] = index.text;
  for (const CopiedFile &copy : plan.copies)
    files[copy.file] = readFile(root + "/" + copy.file);
  return files;
}

/// All files below `root`.
inline std::map<std::string, std::string> filesIn(const std::string &root) {
  std::map<std::string, std::string> files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(root))
    if (!entry.is_directory())
      files[entry.path().lexically_relative(root).string()] =
          readFile(entry.path().string());
  return files;
}

/// Makes random plans and writes the sources they read.
class PlanBuilder {
public:
  PlanBuilder(std::string root, uint32_t seed)
      : root(std::move(root)), random(seed) {}

  int64_t below(int64_t n) { return int64_t(random() % n); }

  std::string randomBytes(int64_t size) {
    std::string bytes(size, '\0');
    for (char &byte : bytes)
      byte = char(random());
    return bytes;
  }

  uint32_t addSource(TransferPlan &plan, int64_t bytes) {
    const std::string name = "s" + std::to_string(plan.sources.size());
    writeFile(root + "/" + name, randomBytes(bytes));
    plan.sources.push_back({name, bytes, 0});
    return uint32_t(plan.sources.size() - 1);
  }

  /// A region of random rank and shape, cut into slabs along random axes, each
  /// from a permuted box with gaps in one of the sources.
  TargetRegion randomRegion(TransferPlan &plan, int64_t maxElements) {
    const uint32_t ops = uint32_t(below(int64_t(plan.elementOps.size())));
    const DType dtype = plan.elementOps[ops].to();
    TargetRegion region;
    region.tensor = "w" + std::to_string(numRegions++);
    region.dtype = dtype;
    std::vector<PlacedTransfer> transfers;
    const int64_t rank = below(5);
    int64_t elements = 1;
    for (int64_t i = 0; i < rank; ++i) {
      region.shape.push_back(below(20) == 0 ? 0 : 1 + below(40));
      if (elements * region.shape.back() > maxElements)
        region.shape.back() = 1 + below(2);
      elements *= region.shape.back();
    }
    region.sizeBytes = elements * bytesPerElement(dtype);
    if (elements > 0)
      cutSlabs(plan, region, transfers, ops, Shape(rank, 0), region.shape);
    if (below(4) == 0) {
      region.padding = randomBytes(bytesPerElement(dtype));
      if (!transfers.empty() && below(2))
        transfers.pop_back();
    }
    std::shuffle(transfers.begin(), transfers.end(), random);
    setTransfers(plan, region, transfers);
    return region;
  }

  TransferPlan randomPlan(int64_t maxElements) {
    TransferPlan plan;
    plan.sourceRoot = root;
    plan.elementOps = {castOps({DType::F32}),
                       castOps({DType::BF16}),
                       castOps({DType::U8}),
                       castOps({DType::I64}),
                       castOps({DType::F32, DType::BF16}),
                       castOps({DType::F16, DType::F64, DType::F8_E4M3}),
                       castOps({DType::F32}),
                       castOps({DType::BF16})};
    plan.elementOps[6].multiply(-0.3);
    plan.elementOps[7].divide(4);
    plan.elementOps[7].cast(DType::F32);
    for (int64_t i = 1 + below(3); i > 0; --i)
      addSource(plan, 0);
    if (below(2))
      plan.sources.insert(plan.sources.begin() +
                              below(int64_t(plan.sources.size()) + 1),
                          {"", 8, 0});
    for (int64_t i = 1 + below(3); i > 0; --i) {
      TargetFile file;
      file.file = "d" + std::to_string(below(2)) + "/t" + std::to_string(i);
      file.prefix = randomBytes(below(20));
      int64_t at = int64_t(file.prefix.size());
      for (int64_t j = below(6); j > 0; --j) {
        file.regions.push_back(randomRegion(plan, maxElements));
        file.regions.back().atBytes = at;
        at += file.regions.back().sizeBytes;
      }
      file.bytes = at;
      plan.targets.push_back(file);
    }
    for (PlanSource &source : plan.sources)
      if (source.file.empty())
        source.inlined = randomBytes(source.bytes);
      else
        writeFile(root + "/" + source.file, randomBytes(source.bytes));
    return plan;
  }

private:
  void cutSlabs(TransferPlan &plan, const TargetRegion &region,
                std::vector<PlacedTransfer> &transfers, uint32_t ops,
                Shape begin, Shape extents) {
    for (size_t axis = 0; axis < extents.size(); ++axis)
      if (extents[axis] > 1 && below(3) == 0) {
        const int64_t cut = 1 + below(extents[axis] - 1);
        Shape first = extents, second = extents, secondBegin = begin;
        first[axis] = cut;
        second[axis] -= cut;
        secondBegin[axis] += cut;
        cutSlabs(plan, region, transfers, ops, begin, first);
        cutSlabs(plan, region, transfers, ops, secondBegin, second);
        return;
      }
    const int64_t srcBytes = bytesPerElement(plan.elementOps[ops].from);
    PlacedTransfer transfer;
    transfer.ops = ops;
    transfer.source = uint32_t(below(int64_t(plan.sources.size())));
    int64_t stride = 1;
    for (size_t i = region.shape.size(); i-- > 0;) {
      transfer.dims.insert(transfer.dims.begin(), {extents[i], 0, stride});
      transfer.dstOffset += begin[i] * stride;
      stride *= region.shape[i];
    }
    std::vector<size_t> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    if (below(2))
      std::shuffle(order.begin(), order.end(), random);
    else
      std::ranges::reverse(order);
    int64_t srcStride = 1, last = 0;
    const bool repeats = below(4) == 0;
    for (size_t i : order) {
      if (repeats && below(2))
        continue; // A stride of 0.
      if (below(4) == 0)
        srcStride += below(below(10) == 0 ? 5000 : 4);
      transfer.dims[i].srcStride = srcStride;
      last += (extents[i] - 1) * srcStride;
      srcStride *= extents[i];
    }
    PlanSource &source = plan.sources[transfer.source];
    transfer.srcAtBytes =
        below(3) == 0 ? below(source.bytes + 1) : source.bytes + below(10);
    source.bytes =
        std::max(source.bytes, transfer.srcAtBytes + (last + 1) * srcBytes);
    std::ranges::sort(transfer.dims, std::greater(), &TransferDim::dstStride);
    transfers.push_back(transfer);
  }

  const std::string root;
  std::mt19937 random;
  int numRegions = 0;
};

} // namespace aoa

#endif // AOA_UNITTESTS_RUNTIME_PLANBUILDER_H
