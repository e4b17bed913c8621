//===- JoinCut.cpp - Several tensors to one, one to several -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Merge and split go along the joined axis index by index and ask which part
// each belongs to: of every group, first the indexes of the first part, and so
// on.
//===----------------------------------------------------------------------===//
#include "JoinCut.h"
#include "Elements.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::reference;

namespace {

/// Where an index of the joined axis lies.
struct Member {
  size_t part;
  int64_t index;
};

/// The members of an axis in turn: `sizes` says how many indexes of each part
/// there are in one of the groups.
std::vector<Member> membersOf(int64_t groups,
                              const std::vector<int64_t> &sizes) {
  std::vector<Member> members;
  for (int64_t group = 0; group != groups; ++group)
    for (size_t part = 0; part != sizes.size(); ++part)
      for (int64_t i = 0; i != sizes[part]; ++i)
        members.push_back({part, group * sizes[part] + i});
  return members;
}

std::string typeOf(const WholeTensor &tensor) {
  return std::string(nameOf(tensor.dtype)) + " " + formatShape(tensor.shape);
}

Expected<WholeTensor> merge(const std::vector<WholeTensor> &parts, size_t axis,
                            const JoinCut &how) {
  std::vector<int64_t> sizes;
  for (const WholeTensor &part : parts) {
    bool fits = part.dtype == parts.front().dtype &&
                part.shape.size() == parts.front().shape.size();
    for (size_t dim = 0; fits && dim != part.shape.size(); ++dim)
      fits = dim == axis || part.shape[dim] == parts.front().shape[dim];
    if (!fits)
      return unreadable("merging " + typeOf(parts.front()) + " and " +
                        typeOf(part));
    if (how.groups < 1 || part.shape[axis] % how.groups != 0)
      return unreadable("groups that do not divide a part");
    sizes.push_back(part.shape[axis] / how.groups);
  }
  if (!how.sizes.empty() && how.sizes != sizes)
    return unreadable("sizes that the parts do not have");
  std::vector<Member> members = membersOf(how.groups, sizes);
  Shape shape = parts.front().shape;
  shape[axis] = std::ssize(members);
  auto whole = zeros(parts.front().dtype, shape);
  if (!whole)
    return whole;
  forEachIndex(shape, [&](const Index &index) {
    auto [part, at] = members[index[axis]];
    Index inPart = index;
    inPart[axis] = at;
    copyElement(*whole, placeOf(index, shape), parts[part],
                placeOf(inPart, parts[part].shape));
  });
  return whole;
}

Expected<std::vector<WholeTensor>> split(const WholeTensor &whole, size_t axis,
                                         size_t count, const JoinCut &how) {
  std::vector<int64_t> sizes = how.sizes;
  auto numParts = static_cast<int64_t>(count);
  if (how.groups < 1 || whole.shape[axis] % how.groups != 0)
    return unreadable("groups that do not divide");
  if (sizes.empty()) {
    if (whole.shape[axis] / how.groups % numParts != 0)
      return unreadable("parts that do not divide");
    sizes.assign(count, whole.shape[axis] / how.groups / numParts);
  }
  if (sizes.size() != count ||
      std::ranges::any_of(sizes, [](int64_t size) { return size < 0; }))
    return unreadable("sizes of other parts");
  std::vector<Member> members = membersOf(how.groups, sizes);
  if (std::ssize(members) != whole.shape[axis])
    return unreadable("sizes with another sum");
  std::vector<WholeTensor> parts;
  for (size_t part = 0; part != count; ++part) {
    std::vector<int64_t> places; // On the axis, of this part's indexes in turn.
    for (int64_t at = 0; at != std::ssize(members); ++at)
      if (members[at].part == part)
        places.push_back(at);
    Shape shape = whole.shape;
    shape[axis] = std::ssize(places);
    auto made = gather(whole, shape, [&](Index index) {
      index[axis] = places[index[axis]];
      return index;
    });
    if (!made)
      return failWith(std::move(made));
    parts.push_back(std::move(*made));
  }
  return parts;
}

Expected<WholeTensor> stack(const std::vector<WholeTensor> &parts,
                            int64_t written) {
  Shape shape = parts.front().shape;
  auto axis = axisPlace(written, shape.size() + 1);
  if (!axis)
    return failWith(std::move(axis));
  for (const WholeTensor &part : parts)
    if (part.dtype != parts.front().dtype || part.shape != shape)
      return unreadable("stacking " + typeOf(parts.front()) + " and " +
                        typeOf(part));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*axis),
               std::ssize(parts));
  if (parts.size() == 1)
    return withShape(parts.front(), shape);
  auto whole = zeros(parts.front().dtype, shape);
  if (!whole)
    return whole;
  forEachIndex(shape, [&](const Index &index) {
    const WholeTensor &part = parts[index[*axis]];
    Index inPart = index;
    inPart.erase(inPart.begin() + static_cast<std::ptrdiff_t>(*axis));
    copyElement(*whole, placeOf(index, shape), part,
                placeOf(inPart, part.shape));
  });
  return whole;
}

Expected<std::vector<WholeTensor>> unstack(const WholeTensor &whole,
                                           int64_t written, size_t count) {
  auto axis = axisPlace(written, whole.shape.size());
  if (!axis)
    return failWith(std::move(axis));
  if (whole.shape[*axis] != static_cast<int64_t>(count))
    return unreadable("unstacking another number of parts");
  auto at = static_cast<std::ptrdiff_t>(*axis);
  Shape shape = whole.shape;
  shape.erase(shape.begin() + at);
  if (count == 1)
    return std::vector{withShape(whole, shape)};
  std::vector<WholeTensor> parts;
  for (size_t part = 0; part != count; ++part) {
    auto made = gather(whole, shape, [&](Index index) {
      index.insert(index.begin() + at, static_cast<int64_t>(part));
      return index;
    });
    if (!made)
      return failWith(std::move(made));
    parts.push_back(std::move(*made));
  }
  return parts;
}

Expected<WholeTensor> tie(const std::vector<WholeTensor> &operands,
                          const std::string &how) {
  const WholeTensor &first = operands.front();
  for (const WholeTensor &each : operands) {
    if (each.dtype != first.dtype || each.shape != first.shape)
      return unreadable("tying " + typeOf(first) + " and " + typeOf(each));
    if (how == "verify" && each.bytes != first.bytes)
      return fail(ErrorKind::Mismatch, "what is tied differs");
  }
  return first;
}

} // namespace

Expected<WholeTensor> reference::join(const std::vector<WholeTensor> &operands,
                                      const JoinCut &how) {
  if (how.tie)
    return tie(operands, *how.tie);
  if (how.newAxis)
    return stack(operands, *how.newAxis);
  auto axis = axisPlace(how.axis.value_or(0), operands.front().shape.size());
  if (!axis)
    return failWith(std::move(axis));
  if (operands.size() == 1)
    return operands.front();
  return merge(operands, *axis, how);
}

Expected<std::vector<WholeTensor>>
reference::cut(const WholeTensor &operand, size_t count, const JoinCut &how) {
  if (how.newAxis)
    return unstack(operand, *how.newAxis, count);
  if (!how.axis)
    return std::vector<WholeTensor>(count, operand);
  auto axis = axisPlace(*how.axis, operand.shape.size());
  if (!axis)
    return failWith(std::move(axis));
  return split(operand, *axis, count, how);
}
