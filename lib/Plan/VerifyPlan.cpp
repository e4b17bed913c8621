//===- VerifyPlan.cpp - What running a plan relies on -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// After this no index is out of range, no name leaves its root, no offset or
// size overflows, and no transfer reads or writes outside its file. What
// regions have in common is checked once a class; of each region only where its
// slots lie. Cost: linear in the plan and in the slots of all regions, of which
// each stands for an element that is written; plus one sort of the file names.
//===----------------------------------------------------------------------===//
#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/FormatShape.h"

#include <algorithm>
#include <cmath>
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

Expected<void> checkElementOps(const TransferPlan &plan) {
  for (size_t i = 0; i < plan.elementOps.size(); ++i) {
    DType reached = plan.elementOps[i].from;
    for (const ElementOp &step : plan.elementOps[i].steps) {
      if (step.kind == ElementOp::Kind::Cast) {
        if (!canConvert(reached, step.to))
          return refuse(
              "element operations {} go from {} to {}, which is no conversion",
              i, nameOf(reached), nameOf(step.to));
        reached = step.to;
        continue;
      }
      if (step.to != reached || classOf(reached) != DTypeClass::Float)
        return refuse("element operations {} compute from {} to {}, expected "
                      "one and the same float type",
                      i, nameOf(reached), nameOf(step.to));
      const bool isOfScript = step.kind == ElementOp::Kind::Scale ||
                              step.kind == ElementOp::Kind::Plus;
      const double number =
          isOfScript ? arithmeticNumber(reached, step.number) : step.number;
      if (!std::isfinite(number))
        return refuse("element operations {} compute with {}, which is not "
                      "finite in {}",
                      i, step.number,
                      nameOf(isOfScript && reached != DType::F64 ? DType::F32
                                                                 : DType::F64));
      if (number == 0 && step.kind != ElementOp::Kind::Plus)
        return refuse("element operations {} scale by {}, which cannot be "
                      "undone",
                      i, step.number);
    }
  }
  return {};
}

Expected<void> checkSources(const TransferPlan &plan) {
  for (const PlanSource &source : plan.sources) {
    if (!source.inlined.empty()) {
      if (!source.file.empty() || source.fingerprint != 0)
        return refuse("source file `{}` is in the plan itself", source.file);
      if (static_cast<int64_t>(source.inlined.size()) != source.bytes)
        return refuse("{} bytes of a source are in the plan, expected {}",
                      source.inlined.size(), source.bytes);
      continue;
    }
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

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// What is known of all transfers of one form.
struct CheckedForm {
  DType from, to;
  int64_t numElements;
  int64_t srcEnd, dstEnd; ///< Elements from the first to behind the last.
};

/// What is known of all regions of one class.
struct CheckedClass {
  std::optional<DType> dtype; ///< None without transfers.
  int64_t numWritten = 0;
  int64_t dstEnd = 0;      ///< Elements.
  size_t reachesThere = 0; ///< The transfer that does.
  /// By slot: bytes from where it lies to behind the last that is read.
  std::vector<int64_t> slotEnds;
  int64_t largestSlotEnd = 0;
};

/// Where a block ends, in elements from its first; nothing if a number
/// overflows.
std::optional<int64_t> endOf(const TransferForm &form,
                             int64_t TransferDim::*stride) {
  std::optional<int64_t> last = 0;
  for (const TransferDim &dim : form.dims) {
    const std::optional<int64_t> reach =
        checkedMul(dim.extent - 1, dim.*stride);
    last = reach ? checkedAdd(*last, *reach) : std::nullopt;
    if (!last)
      return std::nullopt;
  }
  return checkedAdd(*last, 1);
}

/// Whether the elements are one run on both sides.
bool isOneRun(const TransferForm &form) {
  int64_t run = 1;
  for (size_t i = form.dims.size(); i-- > 0;) {
    const TransferDim &dim = form.dims[i];
    if (dim.extent != 1 && (dim.srcStride != run || dim.dstStride != run))
      return false;
    run *= dim.extent;
  }
  return true;
}

bool isWholeBytes(int64_t elements, DType dtype) {
  const std::optional<int64_t> bits = checkedMul(elements, bitsOf(dtype));
  return bits && *bits % 8 == 0;
}

Expected<CheckedForm> checkForm(const TransferPlan &plan, size_t classNumber,
                                size_t number) {
  const TransferForm &form = plan.classes[classNumber].forms[number];
  const auto where = [&] {
    return fmt::format("form {} of class {}", number, classNumber);
  };
  if (form.ops >= plan.elementOps.size())
    return refuse("{} uses element operations {}, expected less than {}",
                  where(), form.ops, plan.elementOps.size());
  std::optional<int64_t> numElements = 1;
  int64_t lastStride = INT64_MAX;
  for (const TransferDim &dim : form.dims) {
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
  const ElementOps &ops = plan.elementOps[form.ops];
  const std::optional<int64_t> srcEnd = endOf(form, &TransferDim::srcStride);
  const std::optional<int64_t> dstEnd = endOf(form, &TransferDim::dstStride);
  if (!srcEnd || !dstEnd)
    return refuse("{} reaches over more elements than fit 63 bits", where());
  // Elements of a sub-byte dtype can only be moved together.
  if (!hasWholeBytes(ops.from) &&
      !(isOneRun(form) && isWholeBytes(*numElements, ops.from)))
    return refuse("{} moves parts of bytes of {}", where(), nameOf(ops.from));
  return CheckedForm{ops.from, ops.to(), *numElements, *srcEnd, *dstEnd};
}

/// Adds what transfer `number` does to what is known of its class.
Expected<void> checkTransfer(const RegionClass &regionClass, size_t classNumber,
                             size_t number,
                             const std::vector<CheckedForm> &forms,
                             CheckedClass &known) {
  const ClassTransfer &transfer = regionClass.transfers[number];
  const auto where = [&] {
    return fmt::format("transfer {} of class {}", number, classNumber);
  };
  if (transfer.form >= forms.size())
    return refuse("{} has form {}, expected less than {}", where(),
                  transfer.form, forms.size());
  if (transfer.slot >= regionClass.numSlots)
    return refuse("{} reads slot {}, expected less than {}", where(),
                  transfer.slot, regionClass.numSlots);
  const CheckedForm &form = forms[transfer.form];
  if (known.dtype.value_or(form.to) != form.to)
    return refuse("{} ends in {}, expected {} as those before", where(),
                  nameOf(form.to), nameOf(*known.dtype));
  known.dtype = form.to;
  if (transfer.srcOffset < 0 || transfer.dstOffset < 0)
    return refuse("{} starts at a negative offset", where());
  if (!hasWholeBytes(form.from) &&
      !(isWholeBytes(transfer.srcOffset, form.from) &&
        isWholeBytes(transfer.dstOffset, form.from)))
    return refuse("{} moves parts of bytes of {}", where(), nameOf(form.from));

  const std::optional<int64_t> srcEnd =
      checkedAdd(transfer.srcOffset, form.srcEnd);
  const std::optional<int64_t> srcBits =
      srcEnd ? checkedMul(*srcEnd, bitsOf(form.from)) : std::nullopt;
  const std::optional<int64_t> dstEnd =
      checkedAdd(transfer.dstOffset, form.dstEnd);
  const std::optional<int64_t> written =
      checkedAdd(known.numWritten, form.numElements);
  if (!srcBits || !dstEnd || !written)
    return refuse("{} reaches over more than fits 63 bits", where());
  int64_t &slotEnd = known.slotEnds[transfer.slot];
  slotEnd = std::max(slotEnd, ceilDiv(*srcBits, 8));
  known.largestSlotEnd = std::max(known.largestSlotEnd, slotEnd);
  if (*dstEnd > known.dstEnd) {
    known.dstEnd = *dstEnd;
    known.reachesThere = number;
  }
  known.numWritten = *written;
  return {};
}

Expected<CheckedClass> checkClass(const TransferPlan &plan, size_t number) {
  const RegionClass &regionClass = plan.classes[number];
  // Before anything is allocated for slots.
  if (regionClass.numSlots > regionClass.transfers.size())
    return refuse("class {} has {} slots, expected at most one for each of its "
                  "{} transfers",
                  number, regionClass.numSlots, regionClass.transfers.size());
  std::vector<CheckedForm> forms;
  forms.reserve(regionClass.forms.size());
  for (size_t i = 0; i < regionClass.forms.size(); ++i) {
    Expected<CheckedForm> form = checkForm(plan, number, i);
    if (!form)
      return failWith(std::move(form));
    forms.push_back(*form);
  }
  CheckedClass known;
  known.slotEnds.resize(regionClass.numSlots);
  for (size_t i = 0; i < regionClass.transfers.size(); ++i)
    if (Expected<void> sound =
            checkTransfer(regionClass, number, i, forms, known);
        !sound)
      return failWith(std::move(sound));
  return known;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// What every region is held against.
struct CheckedPlan {
  const TransferPlan &plan;
  std::vector<CheckedClass> classes;
  int64_t smallestFile = INT64_MAX; ///< Bytes.
  uint64_t firstInlined = 0;        ///< Number of the source; all if none is.
};

/// Checks a run whose first slot is `first` and whose sources are in range.
Expected<void> checkRun(const CheckedPlan &checked, const TargetRegion &region,
                        const SlotRun &run, uint64_t first) {
  const CheckedClass &known = checked.classes[region.regionClass];
  const std::optional<int64_t> reach = checkedMul(run.count - 1, run.atStep);
  const std::optional<int64_t> last =
      reach ? checkedAdd(run.atBytes, *reach) : std::nullopt;
  if (run.atBytes < 0 || !last || *last < 0)
    return refuse("slots {} to {} of `{}` start at byte {} with steps of {}, "
                  "expected numbers of 63 bits",
                  first, first + run.count - 1, region.tensor, run.atBytes,
                  run.atStep);
  // Mostly everything fits into the smallest file.
  const std::optional<int64_t> furthest =
      checkedAdd(std::max(run.atBytes, *last), known.largestSlotEnd);
  const uint64_t lastSource =
      run.source + uint64_t(run.count - 1) * run.sourceStep;
  if (furthest && *furthest <= checked.smallestFile &&
      lastSource < checked.firstInlined)
    return {};
  for (uint32_t i = 0; i < run.count; ++i) {
    const PlanSource &source =
        checked.plan.sources[run.source + i * run.sourceStep];
    const std::optional<int64_t> end =
        checkedAdd(run.atBytes + i * run.atStep, known.slotEnds[first + i]);
    if (!end || *end > source.bytes)
      return refuse("slot {} of `{}` reads behind the end of {}, byte {}",
                    first + i, region.tensor,
                    source.inlined.empty() ? "`" + source.file + "`"
                                           : "the plan's own values",
                    source.bytes);
  }
  return {};
}

Expected<void> checkSlots(const CheckedPlan &checked,
                          const TargetRegion &region) {
  const uint64_t expected = checked.plan.classes[region.regionClass].numSlots;
  const uint64_t numSources = checked.plan.sources.size();
  uint64_t first = 0;
  for (const SlotRun &run : region.slots) {
    if (run.count == 0 || run.count > expected - first)
      return refuse("a run of {} slots follows {} of `{}`, expected 1 to {}",
                    run.count, first, region.tensor, expected - first);
    const uint64_t lastSource =
        run.source + uint64_t(run.count - 1) * run.sourceStep;
    if (lastSource >= numSources)
      return refuse("slot {} of `{}` lies in source {}, expected less than {}",
                    first + run.count - 1, region.tensor, lastSource,
                    numSources);
    if (Expected<void> sound = checkRun(checked, region, run, first); !sound)
      return sound;
    first += run.count;
  }
  if (first != expected)
    return refuse("`{}` gives {} slots, expected {} for its class",
                  region.tensor, first, expected);
  return {};
}

Expected<void> checkRegion(const CheckedPlan &checked,
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

  if (region.regionClass >= checked.classes.size())
    return refuse("`{}` is of class {}, expected less than {}", region.tensor,
                  region.regionClass, checked.classes.size());
  const CheckedClass &known = checked.classes[region.regionClass];
  if (known.dtype.value_or(region.dtype) != region.dtype)
    return refuse("the transfers of `{}` end in {}, expected {}", region.tensor,
                  nameOf(*known.dtype), nameOf(region.dtype));
  if (known.dstEnd > *elements)
    return refuse("transfer {} of `{}` writes behind the end of the region, "
                  "element {}",
                  known.reachesThere, region.tensor, *elements);
  if (known.numWritten > *elements)
    return refuse("transfers write more than the {} elements of `{}`",
                  *elements, region.tensor);
  if (known.numWritten < *elements && region.padding.empty())
    return refuse("transfers write {} elements of `{}`, expected {}",
                  known.numWritten, region.tensor, *elements);
  return checkSlots(checked, region);
}

Expected<void> checkTarget(const CheckedPlan &checked, const TargetFile &file) {
  int64_t at = static_cast<int64_t>(file.prefix.size());
  for (const TargetRegion &region : file.regions) {
    if (region.atBytes != at)
      return refuse("`{}` starts at byte {}, expected {}", region.tensor,
                    region.atBytes, at);
    if (Expected<void> sound = checkRegion(checked, region); !sound)
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

/// Both sides are alike but for where their bytes come from.
Expected<void> checkComparison(const CheckedPlan &checked,
                               const Comparison &comparison) {
  const TargetRegion &left = comparison.left, &right = comparison.right;
  if (left.dtype != right.dtype || left.shape != right.shape)
    return refuse("`{}` is {} {}, expected {} {} as `{}`", right.tensor,
                  nameOf(right.dtype), formatShape(right.shape),
                  nameOf(left.dtype), formatShape(left.shape), left.tensor);
  for (const TargetRegion *side : {&left, &right}) {
    if (side->atBytes != 0 || !side->padding.empty())
      return refuse("`{}` is compared, but has a place or padding",
                    side->tensor);
    if (Expected<void> sound = checkRegion(checked, *side); !sound)
      return sound;
  }
  return {};
}

} // namespace

static Expected<void> checkIncludes(const IncludedTexts &includes) {
  for (size_t i = 0; i < includes.order.size(); ++i)
    if (includes.order[i] >= includes.files.size())
      return refuse("include {} of the script is file {}, the plan keeps {}", i,
                    includes.order[i], includes.files.size());
  return {};
}

Expected<void> verifyPlan(const TransferPlan &plan) {
  const auto inPlan = [](Expected<void> &&failed) {
    return failWith(std::move(failed), "checking the plan");
  };
  if (Expected<void> sound = checkElementOps(plan); !sound)
    return inPlan(std::move(sound));
  if (Expected<void> sound = checkSources(plan); !sound)
    return inPlan(std::move(sound));
  if (Expected<void> sound = checkResultFiles(plan); !sound)
    return inPlan(std::move(sound));
  if (Expected<void> sound = checkIncludes(plan.origin.includes); !sound)
    return inPlan(std::move(sound));
  CheckedPlan checked{plan, {}};
  checked.classes.reserve(plan.classes.size());
  for (size_t i = 0; i < plan.classes.size(); ++i) {
    Expected<CheckedClass> known = checkClass(plan, i);
    if (!known)
      return failWith(std::move(known), "checking the plan");
    checked.classes.push_back(std::move(*known));
  }
  checked.firstInlined =
      static_cast<uint64_t>(std::ranges::find_if(plan.sources,
                                                 [](const PlanSource &each) {
                                                   return !each.inlined.empty();
                                                 }) -
                            plan.sources.begin());
  for (const PlanSource &source : plan.sources)
    if (source.inlined.empty())
      checked.smallestFile = std::min(checked.smallestFile, source.bytes);
  for (const TargetFile &file : plan.targets)
    if (Expected<void> sound = checkTarget(checked, file); !sound)
      return failWith(std::move(sound),
                      "checking the plan of `" + file.file + "`");
  for (const Comparison &comparison : plan.comparisons)
    if (Expected<void> sound = checkComparison(checked, comparison); !sound)
      return failWith(std::move(sound), "checking the plan's comparisons");
  return {};
}

} // namespace aoa
