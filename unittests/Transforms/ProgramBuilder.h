//===- ProgramBuilder.h - Programs for tests and their meaning --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds a program operation by operation and keeps for each value where each
// element comes from, worked out element by element.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_TRANSFORMS_PROGRAMBUILDER_H
#define AOA_UNITTESTS_TRANSFORMS_PROGRAMBUILDER_H

#include "aoa/IR/Program.h"

namespace aoa::test {

using affine::Extents;

/// Source tensor (index in the catalog) and row-major element in it.
using Origin = std::pair<size_t, int64_t>;

inline int64_t numElements(llvm::ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

inline Extents unravel(int64_t element, llvm::ArrayRef<int64_t> shape) {
  Extents index;
  for (int64_t stride : affine::rowMajorStrides(shape)) {
    index.push_back(element / stride);
    element %= stride;
  }
  return index;
}

inline int64_t ravel(llvm::ArrayRef<int64_t> index,
                     llvm::ArrayRef<int64_t> shape) {
  int64_t element = 0;
  for (size_t i = 0; i < index.size(); ++i)
    element = element * shape[i] + index[i];
  return element;
}

class ProgramBuilder {
public:
  explicit ProgramBuilder(const Catalog &catalog) { program.source = &catalog; }

  ir::ValueId source(size_t tensor) {
    const Tensor &from = program.source->tensors[tensor];
    ir::ValueId value = add(
        {.kind = ir::OpKind::Source, .operands = {}, .results = {}}, from.dtype,
        Extents(from.shape.begin(), from.shape.end()), from.name);
    for (int64_t i = 0; i < numElements(from.shape); ++i)
      origins.back().emplace_back(tensor, i);
    return value;
  }

  ir::ValueId rename(ir::ValueId from) {
    ir::ValueId value =
        add({.kind = ir::OpKind::Rename, .operands = {from}, .results = {}},
            program.value(from).dtype, program.value(from).shape);
    origins.back() = origins[from.index()];
    return value;
  }

  ir::ValueId cast(ir::ValueId from, DType to) {
    ir::ValueId value = add({.kind = ir::OpKind::Cast,
                             .operands = {from},
                             .results = {},
                             .dtype = to},
                            to, program.value(from).shape);
    origins.back() = origins[from.index()];
    return value;
  }

  ir::ValueId transpose(ir::ValueId from, llvm::ArrayRef<unsigned> perm) {
    Extents shape, fromShape = program.value(from).shape;
    for (unsigned axis : perm)
      shape.push_back(fromShape[axis]);
    ir::ValueId value = add({.kind = ir::OpKind::Transpose,
                             .operands = {from},
                             .results = {},
                             .perm = {perm.begin(), perm.end()}},
                            program.value(from).dtype, shape);
    for (int64_t i = 0; i < numElements(shape); ++i) {
      Extents index = unravel(i, shape), fromIndex(index.size());
      for (unsigned axis = 0; axis < perm.size(); ++axis)
        fromIndex[perm[axis]] = index[axis];
      origins.back().push_back(
          origins[from.index()][ravel(fromIndex, fromShape)]);
    }
    return value;
  }

  llvm::SmallVector<ir::ValueId, 2> split(ir::ValueId from, unsigned axis,
                                          unsigned numParts) {
    Extents fromShape = program.value(from).shape, shape = fromShape;
    shape[axis] /= numParts;
    ir::Op op{.kind = ir::OpKind::Split,
              .operands = {from},
              .results = {},
              .axis = axis};
    ir::OpId id(program.ops.size());
    ++program.values[from.index()].numUses;
    for (unsigned part = 0; part < numParts; ++part) {
      op.results.push_back(addValue(program.value(from).dtype, shape, id));
      for (int64_t i = 0; i < numElements(shape); ++i) {
        Extents index = unravel(i, shape);
        index[axis] += part * shape[axis];
        origins.back().push_back(
            origins[from.index()][ravel(index, fromShape)]);
      }
    }
    program.ops.push_back(op);
    return op.results;
  }

  ir::ValueId merge(llvm::ArrayRef<ir::ValueId> parts, unsigned axis) {
    Extents shape = program.value(parts[0]).shape;
    shape[axis] = 0;
    for (ir::ValueId part : parts)
      shape[axis] += program.value(part).shape[axis];
    ir::ValueId value = add({.kind = ir::OpKind::Merge,
                             .operands = {parts.begin(), parts.end()},
                             .results = {},
                             .axis = axis},
                            program.value(parts[0]).dtype, shape);
    for (int64_t i = 0; i < numElements(shape); ++i) {
      Extents index = unravel(i, shape);
      size_t part = 0;
      while (index[axis] >= program.value(parts[part]).shape[axis])
        index[axis] -= program.value(parts[part++]).shape[axis];
      origins.back().push_back(origins[parts[part].index()][ravel(
          index, program.value(parts[part]).shape)]);
    }
    return value;
  }

  ir::ValueId reshape(ir::ValueId from, Extents shape) {
    ir::ValueId value =
        add({.kind = ir::OpKind::Reshape, .operands = {from}, .results = {}},
            program.value(from).dtype, std::move(shape));
    origins.back() = origins[from.index()];
    return value;
  }

  /// Joins the parts block by block: the joined axis is `groups` blocks, each
  /// of which holds a piece of every part in order.
  ir::ValueId mergeGroups(llvm::ArrayRef<ir::ValueId> parts, unsigned axis,
                          int64_t groups) {
    Extents shape = program.value(parts[0]).shape;
    shape[axis] = 0;
    // The axis index by index: which part, and which index of it.
    std::vector<std::pair<ir::ValueId, int64_t>> axisOf;
    for (int64_t group = 0; group < groups; ++group)
      for (ir::ValueId part : parts) {
        int64_t size = program.value(part).shape[axis] / groups;
        for (int64_t i = 0; i < size; ++i)
          axisOf.emplace_back(part, group * size + i);
      }
    shape[axis] = static_cast<int64_t>(axisOf.size());
    return make({.kind = ir::OpKind::Merge,
                 .operands = {parts.begin(), parts.end()},
                 .results = {},
                 .axis = axis,
                 .groups = groups},
                shape, [&](Extents index) {
                  auto [part, at] = axisOf[index[axis]];
                  index[axis] = at;
                  return originOf(part, index);
                });
  }

  ir::ValueId stack(llvm::ArrayRef<ir::ValueId> parts, unsigned axis) {
    Extents shape = program.value(parts[0]).shape;
    shape.insert(shape.begin() + axis, static_cast<int64_t>(parts.size()));
    return make({.kind = ir::OpKind::Stack,
                 .operands = {parts.begin(), parts.end()},
                 .results = {},
                 .axis = axis},
                shape, [&](Extents index) {
                  ir::ValueId part = parts[index[axis]];
                  index.erase(index.begin() + axis);
                  return originOf(part, index);
                });
  }

  /// Splits by sizes within each of `groups` blocks; unstacks without sizes.
  llvm::SmallVector<ir::ValueId, 2> cut(ir::ValueId from, unsigned axis,
                                        int64_t groups,
                                        llvm::ArrayRef<int64_t> sizes) {
    bool isUnstack = sizes.empty();
    Extents fromShape = program.value(from).shape;
    Extents ones(isUnstack ? fromShape[axis] : 0, 1);
    if (isUnstack)
      sizes = ones;
    ir::Op op{.kind = isUnstack ? ir::OpKind::Unstack : ir::OpKind::Split,
              .operands = {from},
              .results = {},
              .axis = axis,
              .groups = groups};
    ir::OpId id(program.ops.size());
    ++program.values[from.index()].numUses;
    int64_t begin = 0, ofGroup = fromShape[axis] / groups;
    for (int64_t size : sizes) {
      Extents shape = fromShape;
      shape[axis] = size * groups;
      Extents valueShape = shape;
      if (isUnstack)
        valueShape.erase(valueShape.begin() + axis);
      op.results.push_back(addValue(program.value(from).dtype, valueShape, id));
      for (int64_t i = 0; i < numElements(shape); ++i) {
        Extents index = unravel(i, shape);
        index[axis] = index[axis] / size * ofGroup + begin + index[axis] % size;
        origins.back().push_back(originOf(from, index));
      }
      begin += size;
    }
    program.ops.push_back(op);
    return op.results;
  }

  /// `split`: the axes in factors; `result`: those permuted, joined.
  ir::ValueId rearrange(ir::ValueId from, Extents split,
                        llvm::ArrayRef<unsigned> perm, Extents result) {
    Extents permuted;
    for (unsigned factor : perm)
      permuted.push_back(split[factor]);
    return make({.kind = ir::OpKind::Rearrange,
                 .operands = {from},
                 .results = {},
                 .perm = {perm.begin(), perm.end()},
                 .shape = split},
                result, [&](const Extents &index) {
                  Extents at = unravel(ravel(index, result), permuted);
                  Extents inOperand(split.size());
                  for (unsigned i = 0; i < perm.size(); ++i)
                    inOperand[perm[i]] = at[i];
                  return origins[from.index()][ravel(inOperand, split)];
                });
  }

  ir::ValueId slice(ir::ValueId from, Extents begin, Extents extent) {
    return make({.kind = ir::OpKind::Slice,
                 .operands = {from},
                 .results = {},
                 .begin = begin},
                extent, [&](Extents index) {
                  for (unsigned d = 0; d < index.size(); ++d)
                    index[d] += begin[d];
                  return originOf(from, index);
                });
  }

  ir::ValueId pad(ir::ValueId from, ir::ValueId value, Extents begin,
                  Extents shape) {
    return make({.kind = ir::OpKind::Pad,
                 .operands = {from, value},
                 .results = {},
                 .begin = begin},
                shape, [&](Extents index) {
                  for (unsigned d = 0; d < index.size(); ++d) {
                    index[d] -= begin[d];
                    if (index[d] < 0 ||
                        index[d] >= program.value(from).shape[d])
                      return origins[value.index()][0];
                  }
                  return originOf(from, index);
                });
  }

  ir::ValueId repeat(ir::ValueId from, unsigned axis, int64_t count,
                     int64_t block) {
    Extents shape = program.value(from).shape;
    shape[axis] *= count;
    return make({.kind = ir::OpKind::Repeat,
                 .operands = {from},
                 .results = {},
                 .axis = axis,
                 .count = count,
                 .block = block},
                shape, [&](Extents index) {
                  index[axis] = index[axis] / (count * block) * block +
                                index[axis] % block;
                  return originOf(from, index);
                });
  }

  ir::ValueId dedup(ir::ValueId from, unsigned axis, int64_t count,
                    int64_t block) {
    Extents shape = program.value(from).shape;
    shape[axis] /= count;
    return make({.kind = ir::OpKind::Dedup,
                 .operands = {from},
                 .results = {},
                 .axis = axis,
                 .count = count,
                 .block = block},
                shape, [&](Extents index) {
                  index[axis] = index[axis] / block * (count * block) +
                                index[axis] % block;
                  return originOf(from, index);
                });
  }

  /// A tensor of one value, whose elements are element 0 of a source of its
  /// own.
  ir::ValueId constant(DType dtype, Extents shape) {
    size_t number = firstConstant + program.values.size();
    ir::ValueId value = add({.kind = ir::OpKind::Fill,
                             .operands = {},
                             .results = {},
                             .value = int64_t(1)},
                            dtype, shape);
    origins.back().assign(numElements(shape), Origin(number, 0));
    return value;
  }

  void compare(ir::ValueId a, ir::ValueId b) {
    for (ir::ValueId operand : {a, b})
      ++program.values[operand.index()].numUses;
    program.ops.push_back(
        {.kind = ir::OpKind::Compare, .operands = {a, b}, .results = {}});
  }

  static constexpr size_t firstConstant = 1000;

  ir::ValueId fill(DType dtype, Extents shape) {
    return add({.kind = ir::OpKind::Add, .operands = {}, .results = {}}, dtype,
               std::move(shape));
  }

  /// Makes what nothing reads the results.
  ir::Program &finish() {
    for (size_t i = 0; i < program.values.size(); ++i) {
      const ir::Value &value = program.values[i];
      if (value.numUses == 0)
        program.results.push_back(
            {.name = value.name,
             .value = ir::ValueId(i),
             .leftToCaller =
                 program.op(value.definition).kind == ir::OpKind::Add});
    }
    llvm::sort(program.results, [](const ir::Result &a, const ir::Result &b) {
      return a.name < b.name;
    });
    return program;
  }

  ir::Program program;
  std::vector<std::vector<Origin>> origins; ///< By value, by element.

private:
  Origin originOf(ir::ValueId value, const Extents &index) const {
    return origins[value.index()][ravel(index, program.value(value).shape)];
  }

  /// Adds an operation of the first operand's dtype; `origin` says where the
  /// element at an index of the result comes from.
  template <typename OriginAt>
  ir::ValueId make(ir::Op op, const Extents &shape, OriginAt origin) {
    DType dtype = program.value(op.operands[0]).dtype;
    std::vector<Origin> made;
    for (int64_t i = 0; i < numElements(shape); ++i)
      made.push_back(origin(unravel(i, shape)));
    ir::ValueId value = add(std::move(op), dtype, shape);
    origins.back() = std::move(made);
    return value;
  }

  ir::ValueId addValue(DType dtype, Extents shape, ir::OpId definition,
                       std::string name = {}) {
    ir::ValueId id(program.values.size());
    if (name.empty())
      name = "v" + std::to_string(id.index());
    program.values.push_back({.name = std::move(name),
                              .dtype = dtype,
                              .shape = std::move(shape),
                              .definition = definition});
    origins.emplace_back();
    return id;
  }

  ir::ValueId add(ir::Op op, DType dtype, Extents shape,
                  std::string name = {}) {
    for (ir::ValueId operand : op.operands)
      ++program.values[operand.index()].numUses;
    ir::OpId id(program.ops.size());
    ir::ValueId value = addValue(dtype, std::move(shape), id, std::move(name));
    op.results = {value};
    op.range = {FileId(0), static_cast<uint32_t>(id.index()),
                static_cast<uint32_t>(id.index() + 1)};
    if (op.kind == ir::OpKind::Source)
      op.range = {};
    program.ops.push_back(std::move(op));
    return value;
  }
};

} // namespace aoa::test

#endif // AOA_UNITTESTS_TRANSFORMS_PROGRAMBUILDER_H
