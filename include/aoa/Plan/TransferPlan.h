//===- TransferPlan.h - What moves where, as plain data ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of the compiler and the whole input of the runtime: source files,
// target files, and for each shard of the target the strided blocks that make
// it up. Shards alike share their blocks: a plan of millions of transfers takes
// what its distinct ones take (RegionTransfers.h puts the two together). Buffer
// sizes, thread counts and I/O back ends are not in it. A saved
// plan (PlanFile.h) runs on a machine without a compiler.
//===----------------------------------------------------------------------===//
#ifndef AOA_PLAN_TRANSFERPLAN_H
#define AOA_PLAN_TRANSFERPLAN_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/ElementOps.h"
#include "aoa/Support/IncludedTexts.h"

#include <span>

namespace aoa {

/// A file that is read, or bytes that the plan carries itself: the values of
/// filled and padded elements, which transfers read with strides of 0.
struct PlanSource {
  std::string file; ///< Relative to `TransferPlan::sourceRoot`. Empty when the
                    ///< plan was compiled from names and shapes alone.
  int64_t bytes = 0;
  uint64_t fingerprint = 0; ///< As in Storage.
  std::string inlined = {}; ///< Then `file` is empty and `bytes` its size.

  friend bool operator==(const PlanSource &, const PlanSource &) = default;
};

/// One dimension of a block; strides in elements, 0 or more.
struct TransferDim {
  int64_t extent;
  int64_t srcStride;
  int64_t dstStride;

  friend bool operator==(const TransferDim &, const TransferDim &) = default;
};

/// What transfers have in common. Dimensions are ordered by dstStride, largest
/// first; no extent is 0; a one-element block may have no dimension. Elements
/// of a sub-byte dtype move only together: such a block is one run, from a
/// whole byte to a whole byte.
struct TransferForm {
  uint32_t ops = 0; ///< Index into TransferPlan::elementOps.
  std::vector<TransferDim> dims;

  friend bool operator==(const TransferForm &, const TransferForm &) = default;
};

/// Copies element i of the block from element
///   srcOffset + Σ i·srcStride   counted from where slot `slot` lies in its
///   file
/// to element
///   dstOffset + Σ i·dstStride   of the region.
struct ClassTransfer {
  uint32_t form = 0; ///< Index into RegionClass::forms.
  uint32_t slot = 0;
  int64_t srcOffset = 0; ///< Elements of the source's dtype.
  int64_t dstOffset = 0;

  friend bool operator==(const ClassTransfer &,
                         const ClassTransfer &) = default;
};

/// The geometry that regions share: the same blocks from as many places, which
/// each region gives by itself. A slot is such a place, a shard of the source.
struct RegionClass {
  std::vector<TransferForm> forms;
  std::vector<ClassTransfer> transfers;
  uint32_t numSlots = 0; ///< At most one a transfer.

  friend bool operator==(const RegionClass &, const RegionClass &) = default;
};

/// Where consecutive slots of a region lie: number k of the run in file
/// source + k·sourceStep at byte atBytes + k·atStep. The steps of one slot
/// alone are 0.
struct SlotRun {
  uint32_t count = 1;
  uint32_t source = 0; ///< Index into TransferPlan::sources.
  uint32_t sourceStep = 0;
  int64_t atBytes = 0;
  int64_t atStep = 0;

  friend bool operator==(const SlotRun &, const SlotRun &) = default;
};

/// Adds one slot behind those of `runs`, to the last run if it fits there.
void appendSlot(std::vector<SlotRun> &runs, uint32_t source, int64_t atBytes);

/// Adds slots [first, first + count) of `from`. Requires that there are so
/// many. Cost: linear in the runs.
void appendSlots(std::vector<SlotRun> &runs, std::span<const SlotRun> from,
                 uint32_t first, uint32_t count);

/// One shard of the target: a row-major tensor in a target file.
struct TargetRegion {
  std::string tensor;
  DType dtype;
  Shape shape; ///< Local.
  int64_t atBytes = 0;
  int64_t sizeBytes = 0;
  /// What elements hold that no transfer writes: the bytes of one element, or
  /// empty when transfers write all of them.
  std::string padding;
  uint32_t regionClass = 0; ///< Index into TransferPlan::classes.
  std::vector<SlotRun> slots;

  friend bool operator==(const TargetRegion &, const TargetRegion &) = default;
};

struct TargetFile {
  std::string file; ///< Relative to the output directory.
  int64_t bytes = 0;
  std::string prefix;                ///< First bytes: the format's header.
  std::vector<TargetRegion> regions; ///< Ascending, without gaps after prefix.
  friend bool operator==(const TargetFile &, const TargetFile &) = default;
};

/// Two tensors that must be equal, byte for byte; neither is written. A run
/// compares them before its result appears, and fails with the first index that
/// differs. Their `atBytes` is 0.
struct Comparison {
  /// Why they must be equal, for people: what `left` and `right` are, and the
  /// statement or layout that says so.
  std::string reason;
  TargetRegion left, right;
  /// Whether the two are stored copies of one shard; else a statement wants
  /// them equal.
  bool areCopies = false;
  friend bool operator==(const Comparison &, const Comparison &) = default;
};

/// A small file with known content, written after the tensors (an index).
struct IndexFile {
  std::string file;
  std::string text;
  friend bool operator==(const IndexFile &, const IndexFile &) = default;
};

/// A file that is copied as it is from the source's root.
struct CopiedFile {
  std::string file;
  int64_t bytes = 0;
  friend bool operator==(const CopiedFile &, const CopiedFile &) = default;
};

/// The texts a plan was compiled from: what `verify --exhaustive` needs to work
/// the result out anew, element by element.
struct PlanOrigin {
  std::string scriptName, script; ///< Both empty without a script.
  IncludedTexts includes;         ///< What the script includes.
  bool scriptIsJson = false;
  bool isReversed = false;  ///< With --reverse.
  std::string dialect;      ///< `aoa` or `paddle`
  std::string states;       ///< Convention of names; empty: none.
  std::string sourcePath;   ///< As the user gave it, made absolute.
  std::string sourceLayout; ///< JSON text; empty if none.
  std::string target;       ///< JSON text of a layout or catalog; empty: full.
  std::string parameters;   ///< Parameters::text: `-D` and the config.
  std::string resultDType;  ///< What floating results are cast to; or empty.
  std::vector<std::string> include, exclude; ///< Patterns of result names.
  std::string version;                       ///< Of the compiler.
  friend bool operator==(const PlanOrigin &, const PlanOrigin &) = default;
};

struct TransferPlan {
  std::string sourceRoot; ///< Absolute; `--source` overrides it.
  std::vector<PlanSource> sources;
  std::vector<TargetFile> targets;
  std::vector<Comparison> comparisons;
  std::vector<IndexFile> indexes;
  std::vector<CopiedFile> copies;
  std::vector<ElementOps> elementOps; ///< What elements go through.
  std::vector<RegionClass> classes;
  PlanOrigin origin;

  /// Counts of all regions together; the largest number if they do not fit.
  int64_t numTransfers() const;
  /// Bytes of tensor data that transfers write, and read: each transfer what it
  /// needs, once, also where it repeats elements. Inlined values are not read.
  int64_t transferBytesWritten() const;
  int64_t transferBytesRead() const;
  /// Bytes that comparisons read, and those of one side of each.
  int64_t comparedBytesRead() const;
  int64_t comparedBytes() const;
  /// Both, the largest number if they do not fit.
  int64_t bytesToRead() const;
  /// Bytes of all files of the result, side files included.
  int64_t outputBytes() const;
  friend bool operator==(const TransferPlan &, const TransferPlan &) = default;
};

} // namespace aoa

#endif // AOA_PLAN_TRANSFERPLAN_H
