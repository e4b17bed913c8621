//===- FollowName.cpp - Where a tensor comes from and goes to ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FollowName.h"

#include "NameChain.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace aoa::expand {
namespace {

using Axes = llvm::SmallVector<int64_t, 4>;

/// Axis k of `name^T` is axis -1-k of `name`, whatever its rank.
int64_t reversed(int64_t axis) { return -1 - axis; }

/// The entries of `permute=[...]`, also in quotes. Nothing where they are not
/// whole numbers, which the analysis reports.
std::optional<Axes> permutationOf(const ast::Value &value) {
  Axes axes;
  if (const auto *list = std::get_if<ast::List>(&value.data)) {
    for (const ast::Value &entry : *list)
      if (const auto *number = std::get_if<int64_t>(&entry.data))
        axes.push_back(*number);
      else
        return std::nullopt;
    return axes;
  }
  const auto *text = std::get_if<ast::Text>(&value.data);
  if (!text)
    return std::nullopt;
  llvm::StringRef rest = llvm::StringRef(text->text).trim();
  if (!rest.consume_front("[") || !rest.consume_back("]"))
    return std::nullopt;
  rest = rest.trim();
  while (!rest.empty()) {
    auto [entry, tail] = rest.split(',');
    int64_t axis;
    if (entry.trim().getAsInteger(10, axis))
      return std::nullopt;
    axes.push_back(axis);
    rest = tail.trim();
  }
  return axes;
}

int64_t normalized(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// The axis that `permute` makes axis `axis` of its result from.
int64_t axisBefore(const Axes &permutation, int64_t axis) {
  if (permutation.empty())
    return reversed(axis);
  int64_t rank = permutation.size();
  int64_t at = normalized(axis, rank);
  return at >= 0 && at < rank ? permutation[at] : axis;
}

/// The axis of the result that `permute` makes from axis `axis`.
int64_t axisBehind(const Axes &permutation, int64_t axis) {
  if (permutation.empty())
    return reversed(axis);
  int64_t rank = permutation.size();
  for (int64_t i = 0; i < rank; ++i)
    if (normalized(permutation[i], rank) == normalized(axis, rank))
      return i;
  return axis;
}

/// Applies all permutations of `statement` to an axis of their operand.
int64_t throughPermutes(const ast::Statement &statement, int64_t axis) {
  for (const ast::Attribute &attribute : statement.attributes)
    if (attribute.name == "permute")
      if (std::optional<Axes> axes = permutationOf(attribute.value))
        axis = axisBehind(*axes, axis);
  return axis;
}

/// The way back of `throughPermutes`.
int64_t beforePermutes(const ast::Statement &statement, int64_t axis) {
  for (const ast::Attribute &attribute : llvm::reverse(statement.attributes))
    if (attribute.name == "permute")
      if (std::optional<Axes> axes = permutationOf(attribute.value))
        axis = axisBefore(*axes, axis);
  return axis;
}

/// The first operation of `statement` behind which an axis is another one, or
/// its parts other ones; empty if there is none.
llvm::StringRef reshaperOf(const ast::Statement &statement) {
  for (const ast::Attribute &attribute : statement.attributes)
    for (llvm::StringRef name : {"reshape", "rearrange", "slice", "pad",
                                 "repeat", "dedup", "stack", "unstack"})
      if (attribute.name == name)
        return name;
  return {};
}

/// Whether several names are joined or cut along an axis; a `tie` and a `copy`
/// leave them as they are.
bool joinsOrCuts(const ast::Statement &statement) {
  return (statement.left.size() != 1 || statement.right.size() != 1) &&
         !statement.copies && !statement.find("tie");
}

struct Step {
  llvm::StringRef name;
  size_t index;
  int64_t axis;
  bool isJoined = false;
  llvm::StringRef reshaper = {};
};

class Follower {
public:
  explicit Follower(Expander &expander)
      : expander(expander), chain(*expander.chain) {}

  std::vector<NameEnd> back(Step first);
  std::vector<NameEnd> forward(Step first);

private:
  std::optional<unsigned> rankOf(llvm::StringRef name, size_t index) const;
  bool isJoinAlong(const ast::Statement &statement, size_t index,
                   const ast::Name &operand, int64_t axis) const;
  bool isNew(const Step &step) {
    return visited
        .insert(
            {step.index, step.name, step.axis, step.isJoined, step.reshaper})
        .second;
  }
  NameEnd targetEnd(const Step &step) const;

  Expander &expander;
  const NameChain &chain;
  std::vector<Step> open;
  std::set<std::tuple<size_t, llvm::StringRef, int64_t, bool, llvm::StringRef>>
      visited;
};

/// The rank of `name` as statement `index` reads it; nothing where it comes
/// from no known tensor.
std::optional<unsigned> Follower::rankOf(llvm::StringRef name,
                                         size_t index) const {
  while (std::optional<size_t> binding = chain.bindingBefore(name, index)) {
    const ast::Statement &statement = chain.statements()[*binding];
    if (!reshaperOf(statement).empty())
      return std::nullopt;
    if (const ast::Attribute *permute = statement.find("permute"))
      if (std::optional<Axes> axes = permutationOf(permute->value);
          axes && !axes->empty())
        return axes->size();
    if (statement.left.empty() || statement.left.front().isDiscard())
      return std::nullopt;
    name = statement.left.front().text;
    index = *binding;
  }
  return expander.inputs.sourceRank(name);
}

/// Whether `statement`, a merge, a split or a macro that is both, works along
/// axis `axis` of `operand`, which `^T` has turned already. When in doubt, yes.
bool Follower::isJoinAlong(const ast::Statement &statement, size_t index,
                           const ast::Name &operand, int64_t axis) const {
  int64_t along = statement.tags.empty() ? 0 : 1;
  if (const ast::Attribute *attribute = statement.find("axis")) {
    const auto *number = std::get_if<int64_t>(&attribute->value.data);
    if (!number)
      return true;
    along = *number;
  }
  if ((along < 0) == (axis < 0))
    return along == axis;
  std::optional<unsigned> rank = rankOf(operand.text, index);
  return !rank || normalized(along, *rank) == normalized(axis, *rank);
}

std::vector<NameEnd> Follower::back(Step first) {
  std::vector<NameEnd> ends;
  open.push_back(first);
  while (!open.empty()) {
    Step step = open.back();
    open.pop_back();
    if (!isNew(step))
      continue;
    std::optional<size_t> binding = chain.bindingBefore(step.name, step.index);
    if (!binding) {
      ends.push_back({step.name.str(),
                      expander.inputs.sourcePartition(step.name), step.axis,
                      step.isJoined, step.reshaper});
      continue;
    }
    const ast::Statement &statement = chain.statements()[*binding];
    if (!statement.tags.empty() || statement.left.front().isDiscard()) {
      // What a macro takes apart is whole again.
      NameEnd end{step.name.str(), {}, step.axis, step.isJoined, step.reshaper};
      end.arrangedFor = chain.degree(*binding).value_or(1);
      ends.push_back(std::move(end));
      continue;
    }
    // A join comes before the permutes of its statement, a cut behind them.
    bool cuts = statement.right.size() > 1;
    int64_t axis = beforePermutes(statement, step.axis);
    llvm::StringRef reshaper = reshaperOf(statement);
    if (reshaper.empty())
      reshaper = step.reshaper;
    for (const ast::Name &left : llvm::reverse(statement.left)) {
      bool joined =
          joinsOrCuts(statement) &&
          isJoinAlong(statement, *binding, left, cuts ? step.axis : axis);
      open.push_back({left.text, *binding,
                      left.transposed ? reversed(axis) : axis,
                      step.isJoined || joined, reshaper});
    }
  }
  return ends;
}

NameEnd Follower::targetEnd(const Step &step) const {
  NameEnd end{step.name.str(), {}, step.axis, step.isJoined, step.reshaper};
  if (std::optional<unsigned> rank = rankOf(step.name, step.index + 1)) {
    end.partition = expander.inputs.targetPartition(step.name, *rank);
    return end;
  }
  // Of an unknown rank only the lack of cuts is of use, so any that the layout
  // has will do.
  for (unsigned rank = 1; rank <= 8; ++rank) {
    auto isCut = [](const PartitionInfo::Dim &dim) { return dim.numParts > 1; };
    end.partition = expander.inputs.targetPartition(step.name, rank);
    if (end.partition && llvm::any_of(end.partition->dims, isCut))
      break;
  }
  return end;
}

bool isRemoval(const ast::Statement &statement) {
  return statement.right.size() == 1 && statement.right.front().isDiscard();
}

std::vector<NameEnd> Follower::forward(Step first) {
  std::vector<NameEnd> ends;
  const ExpandInputs &inputs = expander.inputs;
  open.push_back(first);
  while (!open.empty()) {
    Step step = open.back();
    open.pop_back();
    if (!isNew(step))
      continue;
    bool isLast = !chain.bindingBehind(step.name, step.index);
    bool isListed = inputs.targetListsNames &&
                    llvm::binary_search(inputs.targetNames, step.name);
    std::vector<size_t> readers = chain.readersOf(step.name, step.index);
    if (isLast && (isListed || (readers.empty() && !inputs.targetListsNames))) {
      ends.push_back(targetEnd(step));
      continue;
    }
    for (size_t reader : llvm::reverse(readers)) {
      const ast::Statement &statement = chain.statements()[reader];
      // A macro that takes the tensor apart asks back how it is arranged;
      // upstream's does not.
      bool asksBack = !statement.tags.empty() && !expander.isPaddle();
      if (isRemoval(statement) || asksBack)
        continue;
      for (const ast::Name &left : statement.left) {
        if (left.text != step.name)
          continue;
        int64_t before = left.transposed ? reversed(step.axis) : step.axis;
        int64_t axis = throughPermutes(statement, before);
        bool cuts = statement.right.size() > 1;
        llvm::StringRef reshaper =
            step.reshaper.empty() ? reshaperOf(statement) : step.reshaper;
        bool joined =
            joinsOrCuts(statement) &&
            isJoinAlong(statement, reader, left, cuts ? axis : before);
        for (const ast::Name &right : llvm::reverse(statement.right))
          if (!right.isDiscard())
            open.push_back(
                {right.text, reader, axis, step.isJoined || joined, reshaper});
      }
    }
  }
  return ends;
}

} // namespace

std::vector<NameEnd> followBack(Expander &expander, llvm::StringRef name,
                                size_t index, int64_t axis) {
  return Follower(expander).back({name, index, axis});
}

std::vector<NameEnd> followForward(Expander &expander, llvm::StringRef name,
                                   size_t index, int64_t axis) {
  return Follower(expander).forward({name, index, axis});
}

} // namespace aoa::expand
