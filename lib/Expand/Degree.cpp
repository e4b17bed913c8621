//===- Degree.cpp - In how many parts a macro's tensor is cut ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Degree.h"

#include "FollowName.h"
#include "NameChain.h"
#include "OptimizerStates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace aoa::expand {
namespace {

class Asker {
public:
  explicit Asker(const DegreeQuestion &question)
      : question(question), expander(question.expander) {}

  std::optional<int64_t> degreeOfEnds(llvm::StringRef asked,
                                      llvm::ArrayRef<NameEnd> ends);
  std::optional<int64_t> upstreamSource(llvm::StringRef name);
  std::optional<int64_t> upstreamTarget(llvm::StringRef name);

private:
  using Lookup =
      llvm::function_ref<std::optional<PartitionInfo>(llvm::StringRef)>;

  std::optional<int64_t> partsAlongAxis(llvm::StringRef asked,
                                        const NameEnd &end);
  std::optional<int64_t> behindReshaper(llvm::StringRef asked,
                                        const NameEnd &end);
  std::optional<int64_t> upstreamCount(llvm::StringRef name, Lookup lookup);
  bool checkRegular(llvm::StringRef name, const PartitionInfo &partition);
  bool checkSegments(llvm::StringRef name, const PartitionInfo &partition,
                     size_t dim);

  std::nullopt_t error(const DiagnosticKind &kind, std::string message,
                       SourceRange rule = {}) {
    std::vector<Note> notes;
    if (rule.isKnown())
      notes.push_back({rule, "cut by this rule"});
    expander.report(kind, question.statement, question.statement.range,
                    std::move(message), std::move(notes));
    return std::nullopt;
  }
  std::string macro() const { return quoted(question.macro); }

  const DegreeQuestion &question;
  Expander &expander;
};

/// Where shards are no parts of a dimension nothing says how many ranks the
/// macro should arrange its tensor for.
bool Asker::checkRegular(llvm::StringRef name, const PartitionInfo &partition) {
  if (!partition.irregular)
    return true;
  error(diag::UnsuitableCut,
        quoted(name) +
            " is held in pieces that are not one part each of a "
            "dimension, but " +
            macro() + " arranges tensors for such parts",
        partition.range);
  return false;
}

/// A layout with segments puts each rank's part of gate and up (or q, k, v)
/// side by side by itself. With a macro that does the same the shards would be
/// silently wrong.
bool Asker::checkSegments(llvm::StringRef name, const PartitionInfo &partition,
                          size_t dim) {
  const PartitionInfo::Dim &cut = partition.dims[dim];
  if (!cut.segmented || cut.numParts <= 1)
    return true;
  error(diag::SegmentsAndMacro,
        "`segments` of the layout and " + macro() + " both arrange " +
            quoted(name) + " for " + std::to_string(cut.numParts) +
            " ranks along axis " + std::to_string(dim) + ": drop " + macro() +
            " and keep the tensor in its natural order, or drop `segments`",
        partition.range);
  return false;
}

std::string sizesText(const Shape &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// What has other axes at its end is in one part only if it is whole there.
std::optional<int64_t> Asker::behindReshaper(llvm::StringRef asked,
                                             const NameEnd &end) {
  int64_t numParts = end.arrangedFor.value_or(1);
  if (end.partition) {
    if (!checkRegular(end.name, *end.partition))
      return std::nullopt;
    for (const PartitionInfo::Dim &dim : end.partition->dims)
      numParts = std::max(numParts, dim.numParts);
  }
  if (numParts == 1)
    return 1;
  return error(diag::UnclearDegree,
               "in how many parts " + quoted(asked) +
                   " is cut cannot be told: " + quoted(end.name) +
                   " is cut in " + std::to_string(numParts) + " parts, and " +
                   quoted(end.reshaper) + " lies between them",
               end.partition ? end.partition->range : SourceRange());
}

std::optional<int64_t> Asker::partsAlongAxis(llvm::StringRef asked,
                                             const NameEnd &end) {
  if (!end.reshaper.empty())
    return behindReshaper(asked, end);
  if (end.arrangedFor || !end.partition)
    return end.arrangedFor.value_or(1);
  const PartitionInfo &partition = *end.partition;
  if (!checkRegular(end.name, partition))
    return std::nullopt;
  int64_t rank = partition.dims.size();
  int64_t axis = end.axis < 0 ? end.axis + rank : end.axis;
  if (axis < 0 || axis >= rank) {
    if (!question.checksAxis)
      return 1;
    return error(diag::UnclearDegree,
                 quoted(end.name) + " has " + std::to_string(rank) +
                     " dimensions, and no axis " + std::to_string(end.axis));
  }
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis && partition.dims[dim].numParts > 1)
      return error(diag::UnsuitableCut,
                   quoted(end.name) + " is cut in " +
                       std::to_string(partition.dims[dim].numParts) +
                       " parts along axis " + std::to_string(dim) + ", but " +
                       macro() + " works along its axis " +
                       std::to_string(axis),
                   partition.range);
  const PartitionInfo::Dim &cut = partition.dims[axis];
  if (!checkSegments(end.name, partition, axis))
    return std::nullopt;
  if (cut.numParts > 1 && end.isJoined)
    return error(diag::UnclearDegree,
                 "in how many parts " + quoted(asked) +
                     " is cut cannot be told: " + quoted(end.name) +
                     " is cut in " + std::to_string(cut.numParts) +
                     " parts along the axis of a merge or split between them",
                 partition.range);
  if (!llvm::all_equal(cut.sizes))
    return error(diag::UnsuitableCut,
                 quoted(end.name) + " is cut in parts of " +
                     sizesText(cut.sizes) + " along axis " +
                     std::to_string(axis) + ", but " + macro() +
                     " needs equal parts",
                 partition.range);
  return cut.numParts;
}

std::optional<int64_t> Asker::degreeOfEnds(llvm::StringRef asked,
                                           llvm::ArrayRef<NameEnd> ends) {
  std::optional<int64_t> degree;
  const NameEnd *first = nullptr;
  for (const NameEnd &end : ends) {
    std::optional<int64_t> next =
        expander.isPaddle()
            ? upstreamCount(end.name,
                            [&](llvm::StringRef) { return end.partition; })
            : partsAlongAxis(asked, end);
    if (!next)
      return std::nullopt;
    if (degree && *degree != *next)
      return error(diag::UnclearDegree,
                   quoted(asked) + " goes to " + quoted(first->name) +
                       ", arranged for " + std::to_string(*degree) +
                       " ranks, and to " + quoted(end.name) + ", for " +
                       std::to_string(*next));
    degree = next;
    first = &end;
  }
  return degree.value_or(1);
}

/// The number of distinct offsets of `name` among itself and its states.
std::optional<int64_t> Asker::upstreamCount(llvm::StringRef name,
                                            Lookup lookup) {
  std::optional<int64_t> count;
  std::string counted;
  for (llvm::StringRef suffix : {"", ".w_0", ".moment1_0", ".moment2_0"}) {
    std::string key = name.str() + suffix.str();
    std::optional<PartitionInfo> partition = lookup(key);
    if (!partition)
      continue;
    if (!checkRegular(key, *partition))
      return std::nullopt;
    for (size_t dim = 0; dim < partition->dims.size(); ++dim)
      if (!checkSegments(key, *partition, dim))
        return std::nullopt;
    if (count && *count != partition->numDistinctOffsets)
      return error(diag::UnclearDegree,
                   quoted(counted) + " has shards at " +
                       std::to_string(*count) + " offsets and " + quoted(key) +
                       " at " + std::to_string(partition->numDistinctOffsets),
                   partition->range);
    count = partition->numDistinctOffsets;
    counted = key;
  }
  return count.value_or(1);
}

std::optional<int64_t> Asker::upstreamSource(llvm::StringRef name) {
  const NameChain &chain = *expander.chain;
  llvm::StringSet<> seen;
  llvm::StringRef at = name;
  while (!expander.isSourceName(at)) {
    if (!seen.insert(at).second)
      return error(diag::UnclearDegree,
                   "in how many parts " + quoted(name) +
                       " is cut cannot be told: " + quoted(at) +
                       " is made from itself");
    std::optional<size_t> binding = chain.lastBinding(at);
    if (!binding)
      break;
    const ast::Statement &statement = chain.statements()[*binding];
    if (statement.left.size() > 1)
      return error(diag::UnclearDegree,
                   "in how many parts " + quoted(name) +
                       " is cut cannot be told: " + quoted(at) +
                       " is made from " +
                       std::to_string(statement.left.size()) + " names");
    at = statement.left.front().text;
  }
  return upstreamCount(at, expander.inputs.sourcePartition);
}

std::optional<int64_t> Asker::upstreamTarget(llvm::StringRef name) {
  const NameChain &chain = *expander.chain;
  if (!expander.inputs.targetListsNames) {
    // A layout of rules knows any name, so "until the target has it" says
    // nothing: follow to what nothing reads.
    return degreeOfEnds(
        name, followForward(expander, name, question.index, question.axis));
  }
  llvm::StringSet<> seen;
  llvm::StringRef at = name;
  while (!expander.isTargetName(at)) {
    if (!seen.insert(at).second)
      return error(diag::UnclearDegree,
                   "in how many parts " + quoted(name) +
                       " is cut cannot be told: " + quoted(at) +
                       " is made into itself");
    std::optional<size_t> reader = chain.lastReader(at);
    if (!reader)
      break;
    const ast::Statement &statement = chain.statements()[*reader];
    if (statement.right.size() > 1)
      return error(diag::UnclearDegree,
                   "in how many parts " + quoted(name) +
                       " is cut cannot be told: " + quoted(at) +
                       " is split into " +
                       std::to_string(statement.right.size()) + " names");
    at = statement.right.front().text;
  }
  return upstreamCount(at, [&](llvm::StringRef key) {
    // The rank only matters to layouts of rules.
    return expander.inputs.targetPartition(key, 0);
  });
}

} // namespace

std::optional<int64_t> sourceDegree(const DegreeQuestion &question) {
  Asker asker(question);
  Expander &expander = question.expander;
  // Upstream asks behind `^T`, of a temporary that no table knows.
  if (expander.isPaddle())
    return asker.upstreamSource(question.name);
  const ast::Name &left = *question.written;
  int64_t axis = left.transposed ? -1 - question.axis : question.axis;
  return asker.degreeOfEnds(
      left.text, followBack(expander, left.text, question.index, axis));
}

std::optional<int64_t> targetDegree(const DegreeQuestion &question) {
  Asker asker(question);
  if (question.expander.isPaddle())
    return asker.upstreamTarget(question.name);
  return asker.degreeOfEnds(question.name,
                            followForward(question.expander, question.name,
                                          question.index, question.axis));
}

std::optional<int64_t> degreeOfTensor(const DegreeQuestion &question,
                                      std::optional<PartitionInfo> partition) {
  NameEnd end{question.name.str(), std::move(partition), question.axis};
  return Asker(question).degreeOfEnds(question.name, end);
}

} // namespace aoa::expand
