//===- BlockReshape.cpp - Upstream's reshape --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// With --std=paddle `reshape="[d0, d1, *rest]"` goes between that shape, of
// three axes or more, and its rows [d0*d1, prod(rest)], in the direction that
// the operand and the destination's shape say; without one it makes the shape
// as written. Upstream reads each part of a tensor by itself: a part that ends
// inside a block of d1 rows is refused, as it does, and so is what it would
// read wrongly or not at all (a permute or cast before, a merge or split
// behind). --std=aoa has a reshape without such limits.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::sema;
using affine::Extents;
using ir::OpKind;
using ir::ValueId;

namespace {

/// A limit on the parts that are looked at, which merges can multiply.
constexpr int64_t maxParts = 1'000'000;

struct Cut {
  unsigned axis;
  int64_t at;
};

/// Finds where the parts of a value meet that come from several tensors, in its
/// own indexes. Stops at the first cut that `accept` refuses.
class CutFinder {
public:
  CutFinder(const ir::Program &program, llvm::function_ref<bool(Cut)> accept)
      : program(program), accept(accept) {}

  /// Returns whether all cuts were accepted, or nothing if there are too many
  /// parts.
  std::optional<bool> run(ValueId id);

private:
  /// A box of a value, and where its axes are in the value that was asked for.
  struct Part {
    ValueId value;
    Extents begin, end;
    llvm::SmallVector<unsigned, 4> axis; ///< Of the asked value.
    Extents offset;                      ///< Index there minus index here.
  };

  bool merge(const Part &part, const ir::Op &op);
  void split(Part part, const ir::Op &op);
  void transpose(const Part &part, const ir::Op &op);

  const ir::Program &program;
  llvm::function_ref<bool(Cut)> accept;
  std::vector<Part> open;
};

bool CutFinder::merge(const Part &part, const ir::Op &op) {
  unsigned k = op.axis;
  int64_t start = 0;
  for (ValueId id : op.operands) {
    int64_t extent = program.value(id).shape[k];
    Part next = part;
    next.value = id;
    next.begin[k] = std::max(part.begin[k], start) - start;
    next.end[k] = std::min(part.end[k], start + extent) - start;
    next.offset[k] += start;
    if (next.begin[k] < next.end[k]) {
      if (start > part.begin[k] &&
          !accept({part.axis[k], start + part.offset[k]}))
        return false;
      open.push_back(std::move(next));
    }
    start += extent;
  }
  return true;
}

void CutFinder::split(Part part, const ir::Op &op) {
  int64_t start = 0;
  for (ValueId id : op.results) {
    if (id == part.value)
      break;
    start += program.value(id).shape[op.axis];
  }
  part.value = op.operands.front();
  part.begin[op.axis] += start;
  part.end[op.axis] += start;
  part.offset[op.axis] -= start;
  open.push_back(std::move(part));
}

void CutFinder::transpose(const Part &part, const ir::Op &op) {
  Part next = part;
  next.value = op.operands.front();
  for (unsigned i = 0; i != op.perm.size(); ++i) {
    next.begin[op.perm[i]] = part.begin[i];
    next.end[op.perm[i]] = part.end[i];
    next.axis[op.perm[i]] = part.axis[i];
    next.offset[op.perm[i]] = part.offset[i];
  }
  open.push_back(std::move(next));
}

std::optional<bool> CutFinder::run(ValueId id) {
  const Extents &shape = program.value(id).shape;
  Part whole{id, Extents(shape.size(), 0), shape, {}, Extents(shape.size(), 0)};
  for (unsigned axis = 0; axis != shape.size(); ++axis)
    whole.axis.push_back(axis);
  open.push_back(std::move(whole));
  int64_t partsLeft = maxParts;
  while (!open.empty()) {
    Part part = std::move(open.back());
    open.pop_back();
    const ir::Op &op = program.definition(part.value);
    // A merge looks at all its operands.
    partsLeft -= 1 + static_cast<int64_t>(op.operands.size());
    if (op.kind == OpKind::Split)
      partsLeft -= static_cast<int64_t>(op.results.size());
    if (partsLeft < 0)
      return std::nullopt;
    switch (op.kind) {
    case OpKind::Merge:
      if (!merge(part, op))
        return false;
      break;
    case OpKind::Split:
      split(std::move(part), op);
      break;
    case OpKind::Transpose:
      transpose(part, op);
      break;
    case OpKind::Rename:
    case OpKind::Cast:
      part.value = op.operands.front();
      open.push_back(std::move(part));
      break;
    default: // Upstream has no other operations on the way to a source.
      break;
    }
  }
  return true;
}

/// The rows that `canonical` flattens to; nothing where they overflow.
std::optional<Extents> rowsOf(llvm::ArrayRef<int64_t> canonical) {
  Extents rows = {1, 1};
  for (size_t axis = 0; axis != canonical.size(); ++axis) {
    auto product = checkedMul(rows[axis < 2 ? 0 : 1], canonical[axis]);
    if (!product)
      return std::nullopt;
    rows[axis < 2 ? 0 : 1] = *product;
  }
  return rows;
}

} // namespace

/// The shape of the destination's tensor `name`, or of its states; nothing
/// where it has none of them. Reports states of several shapes.
std::optional<Extents>
Analyzer::destinationShape(const ast::Statement &statement, SourceRange range,
                           llvm::StringRef name, bool &isAmbiguous) {
  isAmbiguous = false;
  const Catalog *list = ends.wholeTarget.list;
  if (!list)
    return std::nullopt;
  auto shapeOf = [](const Tensor &tensor) {
    return Extents(tensor.shape.begin(), tensor.shape.end());
  };
  if (const Tensor *tensor = list->find(name))
    return shapeOf(*tensor);
  const Tensor *first = nullptr;
  for (const StateSuffix &suffix : stateSuffixes(target.states)) {
    const Tensor *state =
        hasShapeOfTensor(suffix)
            ? list->find(name.str() + std::string(suffix.text))
            : nullptr;
    if (!state)
      continue;
    if (first && first->shape != state->shape) {
      isAmbiguous = true;
      reporter.report(diag::WrongReshape, statement, range,
                      "the target lists " + quote(first->name) + " as " +
                          formatShape(first->shape) + " and " +
                          quote(state->name) + " as " +
                          formatShape(state->shape) +
                          ": which of them `reshape` is to make is not said");
      return std::nullopt;
    }
    first = first ? first : state;
  }
  return first ? std::optional(shapeOf(*first)) : std::nullopt;
}

std::optional<ValueId> Analyzer::blockReshape(const ast::Statement &statement,
                                              const OneToOne &operation,
                                              ValueId operand,
                                              llvm::StringRef name) {
  auto fail = [&](std::string message) {
    reporter.report(diag::WrongReshape, statement, operation.range,
                    std::move(message));
    return std::nullopt;
  };
  Extents canonical(operation.entries.begin(), operation.entries.end());
  std::string written = formatShape(canonical);
  if (canonical.size() < 3)
    return fail("`reshape` is " + written +
                ", expected three axes or more with --std=paddle");
  if (llvm::any_of(canonical, [](int64_t extent) { return extent < 0; }))
    return fail("`reshape` is " + written + ", expected no negative extent");
  auto rows = rowsOf(canonical);
  if (!rows)
    return fail("`reshape` is " + written + ", which is too large");
  bool isAmbiguous = false;
  Extents wanted =
      destinationShape(statement, operation.range, name, isAmbiguous)
          .value_or(canonical);
  if (isAmbiguous)
    return std::nullopt;
  primitives::Operand from = operandOf(operand);
  Extents shape(from.shape);
  if (shape == wanted)
    return operand;
  bool isForward = shape == *rows && wanted == canonical;
  if (!isForward && !(shape == canonical && wanted == *rows))
    return fail(quote(from.name) + " has shape " + formatShape(shape) +
                " and is to have " + formatShape(wanted) +
                ", expected to go between " + formatShape(*rows) + " and " +
                written + " with --std=paddle");
  if (upstreamSteps[operand.index()] != 0)
    return fail(quote(from.name) +
                " is permuted, cast or reshaped before: upstream reshapes "
                "first or not at all; --std=aoa does it");
  // Rows: whole ones, in whole blocks. Blocks: whole ones.
  std::optional<Cut> refused;
  auto accept = [&](Cut cut) {
    bool fits = cut.axis == 0 && (!isForward || cut.at % canonical[1] == 0);
    if (!fits)
      refused = cut;
    return fits;
  };
  auto fits = CutFinder(program, accept).run(operand);
  if (!fits)
    return fail(quote(from.name) + " is made of more than " +
                std::to_string(maxParts) + " parts, too many to look at");
  if (!*fits)
    return fail("a part of " + quote(from.name) + " ends at " +
                std::to_string(refused->at) + " of axis " +
                std::to_string(refused->axis) + ", inside a block of " +
                std::to_string(canonical[1]) +
                " rows; --std=aoa reshapes it all the same");
  addOp(OpKind::Reshape, {operand}, &statement);
  return addResult(name, {from.dtype, std::move(wanted)});
}

/// Upstream takes indexes in the wrong unit where a reshaped tensor is joined
/// or cut.
bool Analyzer::checkNotReshaped(const ast::Statement &statement,
                                const Values &operands) {
  if (!isPaddle() ||
      (statement.left.size() == 1 && statement.right.size() == 1))
    return true;
  for (size_t i = 0; i != operands.size(); ++i) {
    if (!(upstreamSteps[operands[i].index()] & ReshapeStep))
      continue;
    reporter.report(diag::WrongReshape, statement, statement.left[i].range,
                    quote(statement.left[i].text) + " is reshaped, and " +
                        (statement.left.size() > 1 ? "joining" : "cutting") +
                        " it reads wrong elements upstream; --std=aoa does it "
                        "right");
    return false;
  }
  return true;
}

/// Upstream reads rows that a reshape made of blocks by whole blocks.
void Analyzer::checkBlockEdges(llvm::StringRef name, ValueId value,
                               const Meaning &meaning) {
  if (!isPaddle() || !(upstreamSteps[value.index()] & ReshapeStep))
    return;
  unsigned axis = 0;
  std::optional<unsigned> rowAxis;
  llvm::SmallVector<const ir::Op *, 4> behind;
  const ir::Op *op = &program.definition(value);
  for (; op->kind != OpKind::Reshape;
       op = &program.definition(op->operands.front()))
    behind.push_back(op);
  const Extents &from = program.value(op->operands.front()).shape;
  if (from.size() == 2)
    return;
  for (const ir::Op *each : llvm::reverse(behind))
    if (each->kind == OpKind::Transpose)
      axis = llvm::find(each->perm, axis) - each->perm.begin();
  rowAxis = axis;
  auto check = [&](const Tensor &listed) {
    for (const Shard &shard : listed.shards)
      for (const Block &block : shard.blocks) {
        if (*rowAxis >= block.shape.size() || from[1] == 0)
          continue;
        int64_t begin = block.fullOffset[*rowAxis];
        int64_t end = begin + block.shape[*rowAxis];
        if (begin % from[1] == 0 && end % from[1] == 0)
          continue;
        std::vector<Note> notes = {{listed.range, "listed here"}};
        std::string message =
            "the target cuts " + quote(listed.name) + " at " +
            std::to_string(begin % from[1] == 0 ? end : begin) + " of axis " +
            std::to_string(*rowAxis) + ", inside a block of " +
            std::to_string(from[1]) +
            " rows that `reshape` made; --std=aoa "
            "moves it all the same";
        if (meaning.statement)
          reporter.report(diag::WrongReshape, *meaning.statement, meaning.range,
                          std::move(message), std::move(notes));
        else
          reporter.report(diag::WrongReshape, listed.range, std::move(message));
        return;
      }
  };
  const Catalog &list = *ends.wholeTarget.list;
  if (const Tensor *tensor = list.find(name))
    check(*tensor);
  for (const StateSuffix &suffix : stateSuffixes(target.states))
    if (hasShapeOfTensor(suffix))
      if (const Tensor *state =
              list.find(name.str() + std::string(suffix.text)))
        check(*state);
}
