//===- PlanFile.cpp - A plan to bytes and back ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   magic `AOAPLAN2`
//   names of all element types, so that a later version may number them anew
//   source root, sources, element operations, classes, targets, comparisons,
//   indexes, copies, origin
//   XXH3 of all bytes before, 8 bytes
//
// Numbers are LEB128 without superfluous bytes; texts and lists start with
// their length. Transfers of a class are written as their difference to the one
// before, target offsets as the change of that difference: in a regular class
// each takes four bytes, however large it is. The hash finds accidents, not
// attacks: the reader trusts nothing it protects.
//===----------------------------------------------------------------------===//
#include "aoa/Plan/PlanFile.h"

#include "aoa/Support/RegularFile.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <xxhash.h>

namespace aoa {

namespace {

constexpr std::string_view magic = "AOAPLAN2";
constexpr std::string_view magicOfVersion1 = "AOAPLAN1";
constexpr size_t trailerBytes = 8;

const DType allDTypes[] = {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS) DType::NAME,
#include "aoa/Support/DType.def"
};

std::string littleEndian(uint64_t value) {
  std::string bytes(8, '\0');
  for (unsigned i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

/// A sequence of numbers as differences, which wrap: every sequence of 64-bit
/// numbers comes back.
struct Differences {
  uint64_t last = 0;

  uint64_t next(uint64_t value) { return value - std::exchange(last, value); }
  uint64_t undo(uint64_t difference) { return last += difference; }
};

struct TransferDeltas {
  Differences slot, srcOffset, dstOffset, dstStep;
};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

class Writer {
public:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
  }
  void count(int64_t value) { number(static_cast<uint64_t>(value)); }
  /// A number of either sign in two's complement; small ones take few bytes.
  void difference(uint64_t value) { number(value << 1 ^ -(value >> 63)); }
  void fixed64(uint64_t value) { bytes += littleEndian(value); }
  void text(std::string_view text) {
    number(text.size());
    bytes += text;
  }
  void dtype(DType dtype) { number(static_cast<uint64_t>(dtype)); }

  template <typename Item, typename WriteItem>
  void list(const std::vector<Item> &items, WriteItem writeItem) {
    number(items.size());
    for (const Item &item : items)
      writeItem(item);
  }

  std::string bytes;
};

void write(Writer &out, const ElementOps &ops) {
  out.dtype(ops.from);
  out.list(ops.steps, [&](const ElementOp &step) {
    out.number(static_cast<uint64_t>(step.kind));
    if (step.kind == ElementOp::Kind::Cast)
      out.dtype(step.to);
    else
      out.fixed64(std::bit_cast<uint64_t>(step.number));
  });
}

void write(Writer &out, const RegionClass &regionClass) {
  out.list(regionClass.forms, [&](const TransferForm &form) {
    out.number(form.ops);
    out.list(form.dims, [&](const TransferDim &dim) {
      out.count(dim.extent);
      out.count(dim.srcStride);
      out.count(dim.dstStride);
    });
  });
  out.number(regionClass.numSlots);
  TransferDeltas deltas;
  out.list(regionClass.transfers, [&](const ClassTransfer &transfer) {
    out.number(transfer.form);
    out.difference(deltas.slot.next(transfer.slot));
    out.difference(deltas.srcOffset.next(transfer.srcOffset));
    out.difference(
        deltas.dstStep.next(deltas.dstOffset.next(transfer.dstOffset)));
  });
}

void write(Writer &out, const TargetRegion &region) {
  out.text(region.tensor);
  out.dtype(region.dtype);
  out.list(region.shape, [&](int64_t extent) { out.count(extent); });
  out.count(region.atBytes);
  out.count(region.sizeBytes);
  out.text(region.padding);
  out.number(region.regionClass);
  out.list(region.slots, [&](const SlotRun &run) {
    out.number(run.count);
    out.number(run.source);
    out.number(run.sourceStep);
    out.count(run.atBytes);
    out.difference(static_cast<uint64_t>(run.atStep));
  });
}

void write(Writer &out, const PlanOrigin &origin) {
  out.text(origin.scriptName);
  out.text(origin.script);
  out.list(origin.includes.files, [&](const IncludedTexts::File &file) {
    out.text(file.name);
    out.text(file.text);
  });
  out.list(origin.includes.order, [&](uint32_t index) { out.number(index); });
  out.number(origin.scriptIsJson);
  out.number(origin.isReversed);
  out.text(origin.dialect);
  out.text(origin.states);
  out.text(origin.sourcePath);
  out.text(origin.sourceLayout);
  out.text(origin.target);
  out.text(origin.resultDType);
  for (const auto *patterns : {&origin.include, &origin.exclude})
    out.list(*patterns, [&](const std::string &each) { out.text(each); });
  out.text(origin.parameters);
  out.text(origin.version);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads values until the first fault, which it keeps; after that everything
/// reads as zero or empty, so that callers need not look at every step.
class Reader {
public:
  Reader(std::string_view bytes, size_t start) : bytes(bytes), at(start) {}

  size_t offset() const { return at; }
  bool failed() const { return !fault.empty(); }
  bool atEnd() const { return at == bytes.size(); }
  Error error() const { return Error(ErrorKind::Format, fault); }

  void refuse(size_t where, std::string_view what) {
    if (!failed())
      fault = fmt::format("byte {}: {}", where, what);
  }

  uint64_t number() {
    const size_t start = at;
    uint64_t value = 0;
    for (unsigned shift = 0; !failed(); shift += 7) {
      if (atEnd()) {
        refuse(start, "number runs over the end of the plan");
        break;
      }
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      const uint64_t digit = byte & 0x7f;
      if (shift == 63 && digit > 1) {
        refuse(start, "number does not fit 64 bits");
        break;
      }
      value |= digit << shift;
      if (byte & 0x80) {
        if (shift == 63)
          refuse(start, "number does not fit 64 bits");
        continue;
      }
      if (digit == 0 && shift != 0)
        refuse(start, "number has superfluous bytes");
      break;
    }
    return failed() ? 0 : value;
  }

  /// A number of elements or bytes: not negative.
  int64_t count() {
    const size_t start = at;
    const uint64_t value = number();
    if (value > static_cast<uint64_t>(INT64_MAX)) {
      refuse(start, "number does not fit 63 bits");
      return 0;
    }
    return static_cast<int64_t>(value);
  }

  uint32_t index() {
    const size_t start = at;
    const uint64_t value = number();
    if (value > UINT32_MAX) {
      refuse(start, "index does not fit 32 bits");
      return 0;
    }
    return static_cast<uint32_t>(value);
  }

  uint64_t difference() {
    const uint64_t value = number();
    return value >> 1 ^ -(value & 1);
  }

  bool flag() {
    const size_t start = at;
    const uint64_t value = number();
    if (value > 1)
      refuse(start, fmt::format("flag is {}, expected 0 or 1", value));
    return value == 1;
  }

  uint64_t fixed64() {
    if (failed() || bytes.size() - at < 8) {
      refuse(at, "eight bytes run over the end of the plan");
      return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i)
      value |= uint64_t(static_cast<uint8_t>(bytes[at++])) << (8 * i);
    return value;
  }

  std::string text() {
    const size_t length = checkedLength(1);
    std::string result(bytes.substr(at, length));
    at += length;
    return result;
  }

  void dtypeNames() {
    const size_t numNames = checkedLength(1);
    for (size_t i = 0; i < numNames && !failed(); ++i) {
      const size_t start = at;
      const std::string name = text();
      const std::optional<DType> dtype = dtypeFromSafetensors(name);
      if (!dtype)
        return refuse(start, fmt::format("unknown dtype `{}`", name));
      dtypes.push_back(*dtype);
    }
  }

  DType dtype() {
    const size_t start = at;
    const uint64_t which = number();
    if (which >= dtypes.size()) {
      refuse(start, fmt::format("dtype number is {}, expected less than {}",
                                which, dtypes.size()));
      return DType::U8;
    }
    return dtypes[which];
  }

  /// Reads a list whose items take at least `minBytes` each.
  template <typename Item, typename ReadItem>
  std::vector<Item> list(size_t minBytes, ReadItem readItem) {
    const size_t length = checkedLength(minBytes);
    std::vector<Item> items;
    items.reserve(length);
    for (size_t i = 0; i < length && !failed(); ++i)
      items.push_back(readItem());
    return items;
  }

private:
  /// Reads a length and holds it against the bytes that are left, before
  /// anybody allocates for it.
  size_t checkedLength(size_t minBytes) {
    const size_t start = at;
    const uint64_t length = number();
    const size_t left = bytes.size() - at;
    if (length > left / minBytes) {
      refuse(start, fmt::format("length {} is more than the {} bytes that are "
                                "left can hold",
                                length, left));
      return 0;
    }
    return length;
  }

  std::string_view bytes;
  size_t at;
  std::string fault;
  std::vector<DType> dtypes;
};

ElementOps readElementOps(Reader &in) {
  ElementOps ops;
  ops.from = in.dtype();
  DType reached = ops.from;
  ops.steps = in.list<ElementOp>(2, [&] {
    const size_t start = in.offset();
    ElementOp step;
    switch (const uint64_t kind = in.number()) {
    case static_cast<uint64_t>(ElementOp::Kind::Cast):
      reached = in.dtype();
      break;
    case static_cast<uint64_t>(ElementOp::Kind::Multiply):
    case static_cast<uint64_t>(ElementOp::Kind::Divide):
    case static_cast<uint64_t>(ElementOp::Kind::Scale):
    case static_cast<uint64_t>(ElementOp::Kind::Plus):
      step.kind = static_cast<ElementOp::Kind>(kind);
      step.number = std::bit_cast<double>(in.fixed64());
      break;
    default:
      in.refuse(start,
                fmt::format("element operation is {}, expected 0 to 4", kind));
    }
    step.to = reached;
    return step;
  });
  return ops;
}

RegionClass readClass(Reader &in) {
  RegionClass regionClass;
  regionClass.forms = in.list<TransferForm>(2, [&] {
    TransferForm form;
    form.ops = in.index();
    form.dims = in.list<TransferDim>(3, [&] {
      TransferDim dim{};
      dim.extent = in.count();
      dim.srcStride = in.count();
      dim.dstStride = in.count();
      return dim;
    });
    return form;
  });
  regionClass.numSlots = in.index();
  TransferDeltas deltas;
  regionClass.transfers = in.list<ClassTransfer>(4, [&] {
    ClassTransfer transfer;
    transfer.form = in.index();
    const size_t start = in.offset();
    const uint64_t slot = deltas.slot.undo(in.difference());
    if (slot > UINT32_MAX)
      in.refuse(start, "slot does not fit 32 bits");
    transfer.slot = static_cast<uint32_t>(slot);
    transfer.srcOffset =
        static_cast<int64_t>(deltas.srcOffset.undo(in.difference()));
    transfer.dstOffset = static_cast<int64_t>(
        deltas.dstOffset.undo(deltas.dstStep.undo(in.difference())));
    return transfer;
  });
  return regionClass;
}

TargetRegion readRegion(Reader &in) {
  TargetRegion region{};
  region.tensor = in.text();
  region.dtype = in.dtype();
  region.shape = in.list<int64_t>(1, [&] { return in.count(); });
  region.atBytes = in.count();
  region.sizeBytes = in.count();
  region.padding = in.text();
  region.regionClass = in.index();
  region.slots = in.list<SlotRun>(5, [&] {
    SlotRun run;
    run.count = in.index();
    run.source = in.index();
    run.sourceStep = in.index();
    run.atBytes = in.count();
    run.atStep = static_cast<int64_t>(in.difference());
    return run;
  });
  return region;
}

PlanOrigin readOrigin(Reader &in) {
  PlanOrigin origin;
  origin.scriptName = in.text();
  origin.script = in.text();
  origin.includes.files = in.list<IncludedTexts::File>(2, [&] {
    IncludedTexts::File file;
    file.name = in.text();
    file.text = in.text();
    return file;
  });
  origin.includes.order = in.list<uint32_t>(1, [&] { return in.index(); });
  origin.scriptIsJson = in.flag();
  origin.isReversed = in.flag();
  origin.dialect = in.text();
  origin.states = in.text();
  origin.sourcePath = in.text();
  origin.sourceLayout = in.text();
  origin.target = in.text();
  origin.resultDType = in.text();
  for (auto *patterns : {&origin.include, &origin.exclude})
    *patterns = in.list<std::string>(1, [&] { return in.text(); });
  origin.parameters = in.text();
  origin.version = in.text();
  return origin;
}

TransferPlan readPlan(Reader &in) {
  TransferPlan plan;
  in.dtypeNames();
  plan.sourceRoot = in.text();
  plan.sources = in.list<PlanSource>(11, [&] {
    PlanSource source;
    source.file = in.text();
    source.bytes = in.count();
    source.fingerprint = in.fixed64();
    source.inlined = in.text();
    return source;
  });
  plan.elementOps = in.list<ElementOps>(2, [&] { return readElementOps(in); });
  plan.classes = in.list<RegionClass>(3, [&] { return readClass(in); });
  plan.targets = in.list<TargetFile>(4, [&] {
    TargetFile file;
    file.file = in.text();
    file.bytes = in.count();
    file.prefix = in.text();
    file.regions = in.list<TargetRegion>(8, [&] { return readRegion(in); });
    return file;
  });
  plan.comparisons = in.list<Comparison>(18, [&] {
    Comparison comparison;
    comparison.reason = in.text();
    comparison.left = readRegion(in);
    comparison.right = readRegion(in);
    comparison.areCopies = in.flag();
    return comparison;
  });
  plan.indexes = in.list<IndexFile>(2, [&] {
    IndexFile index;
    index.file = in.text();
    index.text = in.text();
    return index;
  });
  plan.copies = in.list<CopiedFile>(2, [&] {
    CopiedFile copy;
    copy.file = in.text();
    copy.bytes = in.count();
    return copy;
  });
  plan.origin = readOrigin(in);
  if (!in.atEnd())
    in.refuse(in.offset(), "bytes after the end of the plan");
  return plan;
}

} // namespace

std::string encodePlan(const TransferPlan &plan) {
  Writer out;
  out.bytes = magic;
  out.number(std::size(allDTypes));
  for (DType dtype : allDTypes)
    out.text(nameOf(dtype));
  out.text(plan.sourceRoot);
  out.list(plan.sources, [&](const PlanSource &source) {
    out.text(source.file);
    out.count(source.bytes);
    out.fixed64(source.fingerprint);
    out.text(source.inlined);
  });
  out.list(plan.elementOps, [&](const ElementOps &ops) { write(out, ops); });
  out.list(plan.classes, [&](const RegionClass &each) { write(out, each); });
  out.list(plan.targets, [&](const TargetFile &file) {
    out.text(file.file);
    out.count(file.bytes);
    out.text(file.prefix);
    out.list(file.regions, [&](const TargetRegion &r) { write(out, r); });
  });
  out.list(plan.comparisons, [&](const Comparison &comparison) {
    out.text(comparison.reason);
    write(out, comparison.left);
    write(out, comparison.right);
    out.number(comparison.areCopies);
  });
  out.list(plan.indexes, [&](const IndexFile &index) {
    out.text(index.file);
    out.text(index.text);
  });
  out.list(plan.copies, [&](const CopiedFile &copy) {
    out.text(copy.file);
    out.count(copy.bytes);
  });
  write(out, plan.origin);
  out.fixed64(XXH3_64bits(out.bytes.data(), out.bytes.size()));
  return std::move(out.bytes);
}

Expected<TransferPlan> decodePlan(std::string_view bytes) {
  if (!bytes.starts_with(magic)) {
    if (bytes.starts_with(magicOfVersion1))
      return fail(ErrorKind::Format,
                  "byte 0: found a plan of an older version, `AOAPLAN1`, "
                  "expected `AOAPLAN2`; compile it again");
    return fail(ErrorKind::Format,
                "byte 0: not a plan: it does not start with `AOAPLAN2`");
  }
  if (bytes.size() < magic.size() + trailerBytes)
    return fail(
        ErrorKind::Format,
        fmt::format("plan of {} bytes ends before its checksum", bytes.size()));
  const std::string_view body = bytes.substr(0, bytes.size() - trailerBytes);
  if (littleEndian(XXH3_64bits(body.data(), body.size())) !=
      bytes.substr(body.size()))
    return fail(ErrorKind::Format,
                fmt::format("byte {}: the checksum does not match; the plan is "
                            "damaged or cut off",
                            body.size()));
  Reader in(body, magic.size());
  TransferPlan plan = readPlan(in);
  if (in.failed())
    return std::unexpected(in.error().withContext("decoding the plan"));
  if (Expected<void> sound = verifyPlan(plan); !sound)
    return failWith(std::move(sound));
  return plan;
}

Expected<TransferPlan> readPlanFile(const std::string &path) {
  const auto refuse = [&](ErrorKind kind, std::string message) {
    return std::unexpected(
        Error(kind, std::move(message)).withContext("reading `" + path + "`"));
  };
  auto file = openRegularFile(path);
  if (!file)
    return refuse(ErrorKind::Io, file.error() == notARegularFile
                                     ? "not a regular file"
                                     : std::strerror(file.error()));
  std::string bytes(static_cast<size_t>(file->info.st_size), '\0');
  const ReadOutcome outcome = readFully(file->fd, bytes, 0);
  if (outcome.error != 0)
    return refuse(ErrorKind::Io, std::strerror(outcome.error));
  bytes.resize(static_cast<size_t>(outcome.bytes));
  Expected<TransferPlan> plan = decodePlan(bytes);
  if (!plan)
    return failWith(std::move(plan), "reading `" + path + "`");
  return plan;
}

} // namespace aoa
