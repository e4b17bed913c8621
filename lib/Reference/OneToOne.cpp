//===- OneToOne.cpp - Operations from one tensor to one ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "OneToOne.h"
#include "CastTensor.h"
#include "ElementArithmetic.h"
#include "Elements.h"
#include "JoinCut.h"
#include "RearrangePattern.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::reference;

static Expected<int64_t> numElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count) || extent < 0)
      return unreadable("a shape too large");
  return count;
}

//===----------------------------------------------------------------------===//
// Order of axes, shapes
//===----------------------------------------------------------------------===//

Expected<WholeTensor> reference::permute(const WholeTensor &from,
                                         const std::vector<int64_t> &perm) {
  std::vector<int64_t> sorted = perm;
  std::ranges::sort(sorted);
  for (size_t i = 0; i != sorted.size(); ++i)
    if (sorted[i] != static_cast<int64_t>(i))
      return unreadable("no permutation");
  if (perm.size() != from.shape.size())
    return unreadable("a permutation of another rank");
  Shape shape;
  for (int64_t axis : perm)
    shape.push_back(from.shape[axis]);
  return gather(from, shape, [&](const Index &index) {
    Index original(index.size());
    for (size_t dim = 0; dim != index.size(); ++dim)
      original[perm[dim]] = index[dim];
    return original;
  });
}

Expected<WholeTensor> reference::transpose(const WholeTensor &from) {
  std::vector<int64_t> reversed;
  for (size_t axis = from.shape.size(); axis-- != 0;)
    reversed.push_back(static_cast<int64_t>(axis));
  return permute(from, reversed);
}

static Expected<WholeTensor> permuteAsWritten(const Step &step,
                                              const WholeTensor &tensor) {
  auto perm = wholeNumbers(*step.of);
  if (!perm)
    return failWith(std::move(perm));
  if (perm->empty())
    return transpose(tensor);
  for (int64_t &axis : *perm) // Upstream's own way to count from the end.
    axis += axis < 0 ? std::ssize(tensor.shape) : 0;
  return permute(tensor, *perm);
}

static Expected<WholeTensor> reshape(const Step &step,
                                     const WholeTensor &tensor) {
  auto shape = wholeNumbers(*step.of);
  if (!shape)
    return failWith(std::move(shape));
  auto had = numElements(tensor.shape);
  if (!had)
    return failWith(std::move(had));
  if (auto solved = std::ranges::find(*shape, -1); solved != shape->end()) {
    *solved = 1;
    auto others = numElements(*shape);
    if (!others || *others == 0 || *had % *others != 0)
      return unreadable("a -1 without a solution");
    *solved = *had / *others;
  }
  if (auto has = numElements(*shape); !has || *has != *had)
    return unreadable("a shape of another number of elements");
  return withShape(tensor, *shape);
}

/// Upstream's: between `[d0, d1, *rest]` and its flattening, whichever way the
/// operand and what is wanted are apart.
static Expected<WholeTensor> reshapeBlocks(const Step &step,
                                           const WholeTensor &tensor,
                                           const std::optional<Shape> &wanted) {
  auto blocks = wholeNumbers(*step.of);
  if (!blocks)
    return failWith(std::move(blocks));
  if (blocks->size() < 3)
    return unreadable("blocks of less than three dimensions");
  Shape flat = {(*blocks)[0] * (*blocks)[1], 1};
  for (size_t dim = 2; dim != blocks->size(); ++dim)
    flat[1] *= (*blocks)[dim];
  Shape to = wanted.value_or(*blocks);
  bool areTheTwo = (tensor.shape == flat && to == *blocks) ||
                   (tensor.shape == *blocks && to == flat);
  if (tensor.shape != to && !areTheTwo)
    return unreadable("shapes that are not the blocks and their flattening");
  return withShape(tensor, to);
}

//===----------------------------------------------------------------------===//
// Parts of a tensor, elements around it
//===----------------------------------------------------------------------===//

namespace {

struct Bounds {
  int64_t begin, end;
};

/// Reads `0:50257, :`, one pair of bounds an axis.
Expected<std::vector<Bounds>> boundsOf(const std::string &text,
                                       const Shape &shape) {
  std::vector<Bounds> bounds;
  size_t at = 0;
  auto skip = [&] {
    while (at != text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  };
  auto number = [&](int64_t missing) {
    int64_t value = 0;
    bool any = false;
    for (; at != text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      value = std::min(value * 10 + (text[at] - '0'), int64_t(1) << 50);
      any = true;
    }
    skip();
    return any ? value : missing;
  };
  while (true) {
    if (bounds.size() == shape.size())
      return unreadable("a slice of more axes than there are");
    int64_t extent = shape[bounds.size()];
    skip();
    int64_t begin = number(0);
    if (at == text.size() || text[at++] != ':')
      return unreadable("a slice without a colon");
    skip();
    int64_t end = number(extent);
    if (begin >= end || end > extent)
      return unreadable("a slice outside of its axis");
    bounds.push_back({begin, end});
    if (at == text.size())
      break;
    if (text[at++] != ',')
      return unreadable("a slice that goes on");
  }
  while (bounds.size() != shape.size())
    bounds.push_back({0, shape[bounds.size()]});
  return bounds;
}

Expected<WholeTensor> slice(const Step &step, const WholeTensor &tensor) {
  auto text = textOf(*step.of);
  if (!text)
    return failWith(std::move(text));
  auto bounds = boundsOf(*text, tensor.shape);
  if (!bounds)
    return failWith(std::move(bounds));
  Shape shape;
  for (auto [begin, end] : *bounds)
    shape.push_back(end - begin);
  return gather(tensor, shape, [&](Index index) {
    for (size_t dim = 0; dim != index.size(); ++dim)
      index[dim] += (*bounds)[dim].begin;
    return index;
  });
}

Expected<WholeTensor> pad(const Step &step, const WholeTensor &tensor,
                          bool isState) {
  auto around = pairsOfNumbers(*step.of);
  if (!around)
    return failWith(std::move(around));
  if (around->size() != tensor.shape.size())
    return unreadable("`pad` of another rank");
  std::string element;
  bool repeatsLast = false;
  if (step.value && textOf(*step.value)) {
    repeatsLast = *textOf(*step.value) == "last";
    bool onlyBehindFirst = true;
    for (size_t dim = 0; dim != around->size(); ++dim)
      onlyBehindFirst &=
          (*around)[dim].first == 0 && (dim == 0 || (*around)[dim].second == 0);
    if (!repeatsLast || !onlyBehindFirst || tensor.shape.front() == 0)
      return unreadable("what `pad` puts there");
  } else {
    auto number = step.value ? numberOf(*step.value) : Number(int64_t(0));
    // A value of the model's dtype is cast to that of a state.
    auto bytes = number && isState ? nearestElementOf(*number, tensor.dtype)
                 : number          ? elementOf(*number, tensor.dtype)
                                   : std::nullopt;
    if (!bytes)
      return unreadable("a `value` that the dtype does not have");
    element = *bytes;
  }
  Shape shape = tensor.shape;
  for (size_t dim = 0; dim != shape.size(); ++dim) {
    auto [before, behind] = (*around)[dim];
    if (before < 0 || behind < 0)
      return unreadable("`pad` below 0");
    shape[dim] += before + behind;
  }
  auto padded = zeros(tensor.dtype, shape);
  if (!padded)
    return padded;
  forEachIndex(shape, [&](const Index &index) {
    Index origin = index;
    bool isInside = true;
    for (size_t dim = 0; dim != index.size(); ++dim) {
      origin[dim] -= (*around)[dim].first;
      isInside &= origin[dim] >= 0 && origin[dim] < tensor.shape[dim];
    }
    int64_t place = placeOf(index, shape);
    if (!isInside && repeatsLast)
      origin[0] = tensor.shape[0] - 1;
    if (isInside || repeatsLast)
      copyElement(*padded, place, tensor, placeOf(origin, tensor.shape));
    else
      padded->bytes.replace(place * bytesPerElement(tensor.dtype),
                            element.size(), element);
  });
  return padded;
}

//===----------------------------------------------------------------------===//
// Repeated blocks
//===----------------------------------------------------------------------===//

struct Blocks {
  size_t axis;
  int64_t count, block;
};

Expected<Blocks> blocksOf(const Step &step, const WholeTensor &tensor) {
  auto count = wholeNumber(*step.of);
  if (!count)
    return failWith(std::move(count));
  if (!step.axis || !step.block || *count < 1 || *step.block < 1)
    return unreadable("`" + step.name() + "` without axis and block");
  auto axis = axisPlace(*step.axis, tensor.shape.size());
  if (!axis)
    return failWith(std::move(axis));
  return Blocks{*axis, *count, *step.block};
}

Expected<WholeTensor> repeat(const Step &step, const WholeTensor &tensor) {
  auto blocks = blocksOf(step, tensor);
  if (!blocks)
    return failWith(std::move(blocks));
  auto [axis, count, block] = *blocks;
  Shape shape = tensor.shape;
  if (shape[axis] % block != 0)
    return unreadable("blocks that do not divide");
  if (__builtin_mul_overflow(shape[axis], count, &shape[axis]))
    return unreadable("a shape too large");
  return gather(tensor, shape, [&](Index index) {
    int64_t &at = index[axis];
    at = at / block / count * block + at % block;
    return index;
  });
}

Expected<WholeTensor> dedup(const Step &step, const WholeTensor &tensor) {
  auto blocks = blocksOf(step, tensor);
  if (!blocks)
    return failWith(std::move(blocks));
  auto [axis, count, block] = *blocks;
  Shape shape = tensor.shape;
  if (shape[axis] / block % count != 0 || shape[axis] % block != 0)
    return unreadable("blocks that do not divide");
  shape[axis] /= count;
  std::optional<WholeTensor> first;
  for (int64_t copy = 0; copy != count; ++copy) {
    auto taken = gather(tensor, shape, [&](Index index) {
      int64_t &at = index[axis];
      at = (at / block * count + copy) * block + at % block;
      return index;
    });
    if (!taken)
      return taken;
    if (first && first->bytes != taken->bytes)
      return fail(ErrorKind::Mismatch, "a repeated block differs");
    if (!first)
      first = std::move(*taken);
  }
  return std::move(*first);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expected<WholeTensor> compute(const Step &step, const WholeTensor &tensor) {
  auto number = numberOf(step.of->value);
  if (!number || classOf(tensor.dtype) != DTypeClass::Float)
    return unreadable("`" + step.name() + "` of such elements");
  double real = std::holds_alternative<double>(*number)
                    ? std::get<double>(*number)
                    : static_cast<double>(std::get<int64_t>(*number));
  WholeTensor made{tensor.dtype, tensor.shape, {}};
  size_t size = bytesPerElement(tensor.dtype);
  for (size_t at = 0; at != tensor.bytes.size(); at += size) {
    std::string_view element(tensor.bytes.data() + at, size);
    made.bytes += step.name() == "scale"
                      ? scaled(element, tensor.dtype, real)
                      : increased(element, tensor.dtype, real);
  }
  return made;
}

/// `stack` and `unstack` of a single tensor.
Expected<WholeTensor> changeRank(const Step &step, const WholeTensor &tensor) {
  auto axis = wholeNumber(*step.of);
  if (!axis)
    return failWith(std::move(axis));
  JoinCut how;
  how.newAxis = *axis;
  if (step.name() == "stack")
    return join({tensor}, how);
  auto parts = cut(tensor, 1, how);
  if (!parts)
    return failWith(std::move(parts));
  return std::move(parts->front());
}

} // namespace

Expected<WholeTensor> reference::apply(const Step &step,
                                       const WholeTensor &tensor,
                                       const Circumstances &circumstances) {
  const std::string &name = step.name();
  if (name == "permute")
    return permuteAsWritten(step, tensor);
  if (name == "reshape")
    return circumstances.isPaddle
               ? reshapeBlocks(step, tensor, circumstances.wanted)
               : reshape(step, tensor);
  if (name == "rearrange") {
    auto pattern = textOf(*step.of);
    if (!pattern)
      return failWith(std::move(pattern));
    return rearrange(tensor, *pattern, step.factors);
  }
  if (name == "slice")
    return slice(step, tensor);
  if (name == "pad")
    return pad(step, tensor, circumstances.areStates);
  if (name == "repeat")
    return repeat(step, tensor);
  if (name == "dedup")
    return dedup(step, tensor);
  if (name == "scale" || name == "plus")
    return compute(step, tensor);
  if (name == "stack" || name == "unstack")
    return changeRank(step, tensor);
  if (circumstances.areStates)
    return tensor;
  auto dtype = dtypeOf(*step.of);
  if (!dtype)
    return failWith(std::move(dtype));
  return castTensor(tensor, *dtype);
}
