//===- InvertStep.cpp - What undoes one operation -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "InvertStep.h"

#include "aoa/Support/ElementOps.h"
#include "aoa/Support/FormatShape.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace aoa;
using namespace aoa::invert;
using ir::OpKind;

ast::Attribute invert::attribute(llvm::StringRef name,
                                 decltype(ast::Value::data) value) {
  return {name.str(), {}, {std::move(value), {}}};
}

namespace {

ast::List listOf(llvm::ArrayRef<int64_t> numbers) {
  ast::List list;
  for (int64_t number : numbers)
    list.push_back({number, {}});
  return list;
}

ast::Word wordOf(DType dtype) { return {std::string(pythonNameOf(dtype))}; }

int64_t product(llvm::ArrayRef<int64_t> numbers) {
  int64_t result = 1;
  for (int64_t number : numbers)
    result *= number;
  return result;
}

Attributes transposed(const ir::Op &op) {
  llvm::SmallVector<int64_t, 4> inverse(op.perm.size());
  for (size_t i = 0; i != op.perm.size(); ++i)
    inverse[op.perm[i]] = static_cast<int64_t>(i);
  bool isIdentity = true, reverses = true;
  for (size_t i = 0; i != inverse.size(); ++i) {
    isIdentity &= inverse[i] == static_cast<int64_t>(i);
    reverses &= inverse[i] == static_cast<int64_t>(inverse.size() - 1 - i);
  }
  if (isIdentity)
    return {};
  return {attribute("permute",
                    listOf(reverses ? llvm::ArrayRef<int64_t>()
                                    : llvm::ArrayRef<int64_t>(inverse)))};
}

Attributes reshaped(llvm::ArrayRef<int64_t> shape) {
  return {attribute("reshape", listOf(shape))};
}

/// One side of a pattern: `factors`, in this order, as the axes of `shape`.
/// Requires that no extent is 0.
std::string patternSide(llvm::ArrayRef<std::string> names,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> shape,
                        std::vector<llvm::SmallVector<size_t, 4>> &axes) {
  std::string text;
  size_t factor = 0;
  for (size_t axis = 0; axis != shape.size(); ++axis) {
    llvm::SmallVector<size_t, 4> &own = axes.emplace_back();
    for (int64_t extent = 1; extent != shape[axis]; ++factor) {
      extent *= sizes[factor];
      own.push_back(factor);
    }
    // Factors of 1 behind the last axis belong to it.
    while (axis + 1 == shape.size() && factor != sizes.size())
      own.push_back(factor++);
    std::string part;
    for (size_t each : own)
      part += (part.empty() ? "" : " ") + names[each];
    text +=
        (text.empty() ? "" : " ") + (own.size() == 1 ? part : "(" + part + ")");
  }
  return text;
}

/// A pattern with the sides of the forward one changed, and the sizes that its
/// left side does not give.
Attributes rearranged(const ir::Program &program, const ir::Op &op) {
  const affine::Extents &from = program.value(op.operands.front()).shape;
  const affine::Extents &to = program.value(op.results.front()).shape;
  if (product(from) == 0 || from.empty() || to.empty())
    return from == to ? Attributes() : reshaped(from);
  llvm::SmallVector<std::string, 4> names(op.shape.size());
  llvm::SmallVector<std::string, 4> resultNames;
  affine::Extents resultSizes;
  for (size_t i = 0; i != op.shape.size(); ++i)
    names[i] = i < 26 ? std::string(1, static_cast<char>('a' + i))
                      : "f" + std::to_string(i);
  for (unsigned factor : op.perm) {
    resultNames.push_back(names[factor]);
    resultSizes.push_back(op.shape[factor]);
  }
  std::vector<llvm::SmallVector<size_t, 4>> axes, unused;
  std::string pattern = patternSide(resultNames, resultSizes, to, axes);
  pattern += " -> " + patternSide(names, op.shape, from, unused);
  Attributes attributes = {attribute("rearrange", ast::Text{pattern})};
  // The last factor of an axis follows from the others and the extent.
  llvm::SmallVector<std::pair<std::string, int64_t>, 4> sizes;
  for (llvm::ArrayRef<size_t> own : axes)
    for (size_t factor : own.empty() ? own : own.drop_back())
      sizes.emplace_back(resultNames[factor], resultSizes[factor]);
  for (const auto &[name, size] : sizes)
    attributes.push_back(attribute(name, size));
  return attributes;
}

/// The box that a pad put its operand into.
Attributes sliced(const ir::Program &program, const Step &step) {
  const ir::Op &op = program.op(step.op);
  llvm::ArrayRef<int64_t> inner = program.value(step.from).shape;
  llvm::ArrayRef<int64_t> outer = program.value(step.to).shape;
  std::string text;
  size_t numAxes = inner.size();
  while (numAxes > 1 && inner[numAxes - 1] == outer[numAxes - 1])
    --numAxes;
  for (size_t axis = 0; axis != numAxes; ++axis) {
    int64_t begin = op.kind == OpKind::Pad ? op.begin[axis] : 0;
    text += axis == 0 ? "" : ", ";
    text +=
        inner[axis] == outer[axis]
            ? ":"
            : std::to_string(begin) + ":" + std::to_string(begin + inner[axis]);
  }
  return {attribute("slice", ast::Text{text})};
}

Attributes blocks(llvm::StringRef name, const ir::Op &op) {
  return {attribute(name, op.count),
          attribute("axis", static_cast<int64_t>(op.axis)),
          attribute("block", op.block)};
}

/// How many elements of `step` have no place in its result.
std::string lostElements(const ir::Program &program, const Step &step) {
  int64_t all = product(program.value(step.from).shape);
  int64_t kept = product(program.value(step.to).shape);
  return std::to_string(all - kept) + " of " + std::to_string(all) +
         " elements";
}

std::expected<InverseStep, Loss> scaled(const ir::Program &program,
                                        const Step &step) {
  const ir::Op &op = program.op(step.op);
  DType dtype = program.value(step.from).dtype;
  double number = 1 / op.number;
  double used = arithmeticNumber(dtype, number);
  if (!std::isfinite(used) || used == 0)
    return std::unexpected(
        Loss{"scale", "1 divided by its factor is no number of " +
                          std::string(nameOf(
                              dtype == DType::F64 ? DType::F64 : DType::F32))});
  int exponent;
  bool isPowerOfTwo = std::abs(std::frexp(op.number, &exponent)) == 0.5;
  return InverseStep{{attribute("scale", number)}, isPowerOfTwo ? "" : "scale"};
}

} // namespace

std::expected<InverseStep, Loss> invert::invertStep(const ir::Program &program,
                                                    const Step &step) {
  const ir::Op &op = program.op(step.op);
  DType from = program.value(step.from).dtype;
  switch (step.kind) {
  case OpKind::Transpose:
    return InverseStep{transposed(op)};
  case OpKind::Cast:
    if (!isLossless(from, op.dtype))
      return std::unexpected(
          Loss{"dtype", std::string(nameOf(op.dtype)) +
                            " does not hold every value of " +
                            std::string(nameOf(from))});
    if (!canCast(op.dtype, from))
      return std::unexpected(
          Loss{"dtype", "nothing casts " + std::string(nameOf(op.dtype)) +
                            " to " + std::string(nameOf(from))});
    return InverseStep{{attribute("src_dtype", wordOf(op.dtype)),
                        attribute("dst_dtype", wordOf(from))}};
  case OpKind::Reshape:
    if (program.value(step.from).shape == program.value(step.to).shape)
      return InverseStep{};
    return InverseStep{reshaped(program.value(step.from).shape)};
  case OpKind::Rearrange:
    return InverseStep{rearranged(program, op)};
  case OpKind::Pad:
    if (program.value(step.from).shape == program.value(step.to).shape)
      return InverseStep{};
    if (product(program.value(step.from).shape) == 0)
      return std::unexpected(Loss{"pad", "no slice is empty"});
    return InverseStep{sliced(program, step)};
  case OpKind::Repeat:
    if (op.count == 1)
      return InverseStep{};
    return InverseStep{blocks("dedup", op)};
  case OpKind::Scale:
    return scaled(program, step);
  case OpKind::Plus:
    return InverseStep{{attribute("plus", -op.number)}, "plus"};
  case OpKind::Stack:
    return InverseStep{{attribute("unstack", static_cast<int64_t>(op.axis))}};
  case OpKind::Unstack:
    return InverseStep{{attribute("stack", static_cast<int64_t>(op.axis))}};
  case OpKind::Slice:
    if (program.value(step.from).shape == program.value(step.to).shape)
      return InverseStep{};
    return std::unexpected(
        Loss{"slice", "it leaves " + lostElements(program, step) + " out"});
  case OpKind::Dedup:
    if (op.count == 1)
      return InverseStep{};
    return std::unexpected(Loss{
        "dedup", "it leaves " + lostElements(program, step) +
                     " out; `repeat=" + std::to_string(op.count) +
                     ", axis=" + std::to_string(op.axis) + ", block=" +
                     std::to_string(op.block) + "` makes them of the others"});
  case OpKind::Source:
  case OpKind::Rename:
  case OpKind::Merge:
  case OpKind::Split:
  case OpKind::Fill:
  case OpKind::Compare:
  case OpKind::Remove:
  case OpKind::Add:
    break;
  }
  llvm_unreachable("no operation from one tensor to one");
}

Attributes invert::cutAttributes(const ir::Program &program, const ir::Op &op,
                                 llvm::ArrayRef<ir::ValueId> parts) {
  if (op.kind == OpKind::Merge && parts.size() == 1)
    return {};
  if (op.kind == OpKind::Stack)
    return {attribute("unstack", static_cast<int64_t>(op.axis))};
  affine::Extents sizes;
  for (ir::ValueId part : parts)
    sizes.push_back(program.value(part).shape[op.axis] / op.groups);
  Attributes attributes = {attribute("axis", static_cast<int64_t>(op.axis))};
  if (op.groups != 1)
    attributes.push_back(attribute("groups", op.groups));
  if (!llvm::all_equal(sizes))
    attributes.push_back(attribute("sizes", listOf(sizes)));
  return attributes;
}

Attributes invert::joinAttributes(const ir::Op &op) {
  auto axis = static_cast<int64_t>(op.axis);
  if (op.kind == OpKind::Unstack)
    return {attribute("stack", axis)};
  Attributes attributes = {attribute("axis", axis)};
  if (op.groups != 1)
    attributes.push_back(attribute("groups", op.groups));
  return attributes;
}

Attributes invert::fillAttributes(const ir::Value &value) {
  return {attribute("shape", listOf(value.shape)),
          attribute("dtype", wordOf(value.dtype))};
}
