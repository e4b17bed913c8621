//===- VerifyPlan.cpp - What running a plan relies on -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// After this no index is out of range, no name leaves its root, no offset or
// size overflows, and no transfer reads or writes outside its file. Cost:
// linear in the plan, plus one sort of the file names.
//===----------------------------------------------------------------------===//
#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <fmt/format.h>

namespace aoa {

namespace {

template <typename... Args>
std::unexpected<Error> refuse(fmt::format_string<Args...> format,
                              Args &&...args) {
  return fail(ErrorKind::Format,
              fmt::format(format, std::forward<Args>(args)...));
}

/// Whether `file` names something below the folder it is relative to: no root,
/// no empty, `.` or `..` component, no NUL.
bool staysBelow(std::string_view file) {
  if (file.empty() || file.find('\0') != file.npos)
    return false;
  for (size_t at = 0; at <= file.size();) {
    const size_t end = std::min(file.find('/', at), file.size());
    const std::string_view part = file.substr(at, end - at);
    if (part.empty() || part == "." || part == "..")
      return false;
    at = end + 1;
  }
  return true;
}

Expected<void> checkCastChains(const TransferPlan &plan) {
  for (size_t i = 0; i < plan.castChains.size(); ++i) {
    const std::vector<DType> &chain = plan.castChains[i];
    if (chain.empty())
      return refuse("cast chain {} is empty", i);
    for (size_t step = 1; step < chain.size(); ++step)
      if (!canConvert(chain[step - 1], chain[step]))
        return refuse(
            "cast chain {} goes from {} to {}, which is no conversion", i,
            nameOf(chain[step - 1]), nameOf(chain[step]));
  }
  return {};
}

Expected<void> checkSources(const TransferPlan &plan) {
  for (const PlanSource &source : plan.sources) {
    if (!source.file.empty() && !staysBelow(source.file))
      return refuse("source file `{}` leaves the source's folder", source.file);
    if (source.bytes < 0)
      return refuse("source file `{}` has {} bytes", source.file, source.bytes);
  }
  return {};
}

/// Every file of the result has a name of its own, and none stands where
/// another needs a folder. The sum of their sizes fits an int64_t.
Expected<void> checkResultFiles(const TransferPlan &plan) {
  std::vector<std::string_view> names;
  int64_t total = 0;
  const auto add = [&](std::string_view file, int64_t bytes) {
    names.push_back(file);
    const std::optional<int64_t> sum =
        bytes < 0 ? std::nullopt : checkedAdd(total, bytes);
    total = sum.value_or(0);
    return staysBelow(file) && sum;
  };
  const auto refuseFile = [](std::string_view file, int64_t bytes) {
    if (!staysBelow(file))
      return refuse("file `{}` leaves the output's folder", file);
    return refuse("{} bytes of `{}` and the files before do not fit 63 bits",
                  bytes, file);
  };
  for (const TargetFile &file : plan.targets)
    if (!add(file.file, file.bytes))
      return refuseFile(file.file, file.bytes);
  for (const IndexFile &index : plan.indexes)
    if (!add(index.file, static_cast<int64_t>(index.text.size())))
      return refuseFile(index.file, static_cast<int64_t>(index.text.size()));
  for (const CopiedFile &copy : plan.copies)
    if (!add(copy.file, copy.bytes))
      return refuseFile(copy.file, copy.bytes);

  std::ranges::sort(names);
  const auto twin = std::ranges::adjacent_find(names);
  if (twin != names.end())
    return refuse("file `{}` is written twice", *twin);
  for (std::string_view name : names)
    for (size_t at = name.find('/'); at != name.npos;
         at = name.find('/', at + 1))
      if (std::ranges::binary_search(names, name.substr(0, at)))
        return refuse("file `{}` stands where `{}` needs a folder",
                      name.substr(0, at), name);
  return {};
}

/// Where a block begins and ends, in elements from `offset`; nothing if a
/// number overflows.
std::optional<int64_t> endOf(int64_t offset, const Transfer &transfer,
                             int64_t TransferDim::*stride) {
  std::optional<int64_t> last = offset;
  for (const TransferDim &dim : transfer.dims) {
    const std::optional<int64_t> reach =
        checkedMul(dim.extent - 1, dim.*stride);
    last = reach ? checkedAdd(*last, *reach) : std::nullopt;
    if (!last)
      return std::nullopt;
  }
  return checkedAdd(*last, 1);
}

/// Elements of a sub-byte dtype can only be moved together, from a whole byte
/// to a whole byte.
bool movesWholeBytes(const Transfer &transfer, DType dtype,
                     int64_t numElements) {
  if (hasWholeBytes(dtype))
    return true;
  int64_t run = 1;
  for (size_t i = transfer.dims.size(); i-- > 0;) {
    const TransferDim &dim = transfer.dims[i];
    if (dim.extent != 1 && (dim.srcStride != run || dim.dstStride != run))
      return false;
    run *= dim.extent;
  }
  const std::optional<int64_t> offsetBits =
      checkedMul(transfer.dstOffset, bitsOf(dtype));
  const std::optional<int64_t> sizeBits =
      checkedMul(numElements, bitsOf(dtype));
  return offsetBits && sizeBits && *offsetBits % 8 == 0 && *sizeBits % 8 == 0;
}

/// Checks transfer `number` of `region` and returns its number of elements.
Expected<int64_t> checkTransfer(const TransferPlan &plan,
                                const TargetRegion &region, size_t number,
                                int64_t regionElements) {
  const Transfer &transfer = region.transfers[number];
  const auto where = [&] {
    return fmt::format("transfer {} of `{}`", number, region.tensor);
  };
  if (transfer.source >= plan.sources.size())
    return refuse("{} reads source {}, expected less than {}", where(),
                  transfer.source, plan.sources.size());
  if (transfer.castChain >= plan.castChains.size())
    return refuse("{} uses cast chain {}, expected less than {}", where(),
                  transfer.castChain, plan.castChains.size());
  const std::vector<DType> &chain = plan.castChains[transfer.castChain];
  if (chain.back() != region.dtype)
    return refuse("{} ends in {}, expected {}", where(), nameOf(chain.back()),
                  nameOf(region.dtype));
  if (transfer.srcAtBytes < 0 || transfer.dstOffset < 0)
    return refuse("{} starts at a negative offset", where());

  std::optional<int64_t> numElements = 1;
  int64_t lastStride = INT64_MAX;
  for (const TransferDim &dim : transfer.dims) {
    if (dim.extent < 1)
      return refuse("{} has extent {}, expected at least 1", where(),
                    dim.extent);
    if (dim.srcStride < 0 || dim.dstStride < 0)
      return refuse("{} has a negative stride", where());
    if (dim.dstStride == 0 && dim.extent > 1)
      return refuse("{} writes one element {} times", where(), dim.extent);
    if (dim.extent > 1) {
      if (dim.dstStride > lastStride)
        return refuse("{} has target stride {} behind {}, expected the largest "
                      "first",
                      where(), dim.dstStride, lastStride);
      lastStride = dim.dstStride;
    }
    numElements = checkedMul(*numElements, dim.extent);
    if (!numElements)
      return refuse("{} has more elements than fit 63 bits", where());
  }

  const std::optional<int64_t> dstEnd =
      endOf(transfer.dstOffset, transfer, &TransferDim::dstStride);
  if (!dstEnd || *dstEnd > regionElements)
    return refuse("{} writes behind the end of the region, element {}", where(),
                  regionElements);
  if (!movesWholeBytes(transfer, chain.front(), *numElements))
    return refuse("{} moves parts of bytes of {}", where(),
                  nameOf(chain.front()));
  const std::optional<int64_t> srcEnd =
      endOf(0, transfer, &TransferDim::srcStride);
  const std::optional<int64_t> srcBits =
      srcEnd ? checkedMul(*srcEnd, bitsOf(chain.front())) : std::nullopt;
  const std::optional<int64_t> srcEndBytes =
      srcBits ? checkedAdd(transfer.srcAtBytes, ceilDiv(*srcBits, 8))
              : std::nullopt;
  const PlanSource &source = plan.sources[transfer.source];
  if (!srcEndBytes || *srcEndBytes > source.bytes)
    return refuse("{} reads behind the end of `{}`, byte {}", where(),
                  source.file, source.bytes);
  return *numElements;
}

Expected<void> checkRegion(const TransferPlan &plan,
                           const TargetRegion &region) {
  const std::optional<int64_t> elements = checkedNumElements(region.shape);
  const std::optional<int64_t> bytes =
      checkedSizeBytes(region.dtype, region.shape);
  if (!elements || !bytes)
    return refuse("the size of `{}` does not fit 63 bits, or is no whole "
                  "number of bytes",
                  region.tensor);
  if (*bytes != region.sizeBytes)
    return refuse("`{}` takes {} bytes, expected {} for its shape",
                  region.tensor, region.sizeBytes, *bytes);
  if (!region.padding.empty() && (!hasWholeBytes(region.dtype) ||
                                  static_cast<int64_t>(region.padding.size()) !=
                                      bytesPerElement(region.dtype)))
    return refuse("padding of `{}` has {} bytes, expected one element of {}",
                  region.tensor, region.padding.size(), nameOf(region.dtype));

  int64_t written = 0;
  for (size_t i = 0; i < region.transfers.size(); ++i) {
    Expected<int64_t> count = checkTransfer(plan, region, i, *elements);
    if (!count)
      return failWith(std::move(count));
    const std::optional<int64_t> sum = checkedAdd(written, *count);
    if (!sum || *sum > *elements)
      return refuse("transfers write more than the {} elements of `{}`",
                    *elements, region.tensor);
    written = *sum;
  }
  if (written < *elements && region.padding.empty())
    return refuse("transfers write {} elements of `{}`, expected {}", written,
                  region.tensor, *elements);
  return {};
}

Expected<void> checkTarget(const TransferPlan &plan, const TargetFile &file) {
  int64_t at = static_cast<int64_t>(file.prefix.size());
  for (const TargetRegion &region : file.regions) {
    if (region.atBytes != at)
      return refuse("`{}` starts at byte {}, expected {}", region.tensor,
                    region.atBytes, at);
    if (Expected<void> sound = checkRegion(plan, region); !sound)
      return sound;
    const std::optional<int64_t> end = checkedAdd(at, region.sizeBytes);
    if (!end)
      return refuse("the end of `{}` does not fit 63 bits", region.tensor);
    at = *end;
  }
  if (at != file.bytes)
    return refuse("regions end at byte {}, expected {}, the end of the file",
                  at, file.bytes);
  return {};
}

} // namespace

Expected<void> verifyPlan(const TransferPlan &plan) {
  const auto inPlan = [](Expected<void> &&failed) {
    return failWith(std::move(failed), "checking the plan");
  };
  if (Expected<void> sound = checkCastChains(plan); !sound)
    return inPlan(std::move(sound));
  if (Expected<void> sound = checkSources(plan); !sound)
    return inPlan(std::move(sound));
  if (Expected<void> sound = checkResultFiles(plan); !sound)
    return inPlan(std::move(sound));
  for (const TargetFile &file : plan.targets)
    if (Expected<void> sound = checkTarget(plan, file); !sound)
      return failWith(std::move(sound),
                      "checking the plan of `" + file.file + "`");
  return {};
}

} // namespace aoa
