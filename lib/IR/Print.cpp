//===- Print.cpp - The program as text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All that a program is, an element a line; lib/IRText reads it back. First the
// tensors of the source that it uses, each with its shards where they are
// known: a box of the full tensor by its offsets in tensor and shard, any other
// block as strided views of the two.
//
//   aoir 1
//   source s0 : F32 [2, 2]
//   source s1 : F32 [2, 2] {
//     shard 0 on ranks {0..1} [1, 2] scale 4 {
//       box [1, 2] full [0, 0] shard [0, 0]
//     }
//     shard 1 on ranks {2} [2] {
//       block [2] full{2 : 1} shard{0 : 1}
//     }
//   }
//
// The operations: one number a value, in the order of the program; behind `as`
// the names that the script gives. Removed tensors are `remove %0`. One type
// stands for all results, or one for each.
//
//   graph {
//     %0 = source s0 : F32 [2, 2]
//     %1 = source s1 : F32 [2, 2]
//     %2 = merge %0, %1 axis=1 : F32 [2, 4] as s
//     %3 = cast %2 : F64 [2, 4] as s
//     %4 = transpose %3 perm=[1, 0] : F64 [4, 2] as d
//     %5, %6 = split %4 axis=1 : F64 [4, 1] as d0, d1
//   }
//   result d1 = %6
//
// From the stage of pieces on, a result holds the blocks of source tensors that
// it is made of, as strided views of the whole tensors, what their elements go
// through, and the operation that put them there, if there is one:
//
//   result d1 = %6 : F64 [4, 1] {
//     piece [2] s0{2 : 1} d1{0 : 1} cast F32 -> F64 by %2
//     piece [2] s1{2 : 1} d1{2 : 1} cast F32 -> F64 by %2
//   }
//
// Who shall hold what, once results are placed, and what fills the rest:
//
//   layout d1 pad 0.5 {
//     shard 0 on ranks {0} [3, 1] {
//       box [2, 1] full [0, 0] shard [0, 0]
//     }
//     …
//
// At the stage of transfers each shard of the target holds the blocks of source
// shards that it is made of; `name@k` is the k-th shard of a tensor. Results of
// one layout class are printed one by one.
//
//   transfer d1 = F64 [4, 1] {
//     shard 1 on ranks {2..3} [2, 1] {
//       piece [2] s1@0{2 : 1} d1@1{0 : 1} ops F32 -> /4 -> F64
//     }
//   }
//
// Pieces of what a `fill` makes read its value, one element by the number of
// the value: `piece [4] %3{0 : 0} d{0 : 1}`. From the stage of pieces on, the
// operands of comparisons stand behind the results, numbered, two and two; all
// of each is on rank 0, which no layout says:
//
//   compare 0 a = %4 : F32 [2] {
//     …
//   compare 1 b = %7 : F32 [2] {
//   …
//   transfer compare 0 a = F32 [2] {
//===----------------------------------------------------------------------===//
#include "aoa/Affine/Holders.h"
#include "aoa/IR/Attributes.h"
#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <charconv>

using namespace aoa;
using namespace aoa::ir;

namespace {

class Printer {
public:
  Printer(llvm::raw_ostream &os, const Program &program, Stage stage)
      : os(os), program(program), stage(stage) {}

  void run();

private:
  void source(const Tensor &tensor);
  void shardHead(const Shard &shard, size_t index);
  void shardBlocks(const Shard &shard);
  void op(const Op &op);
  void types(llvm::ArrayRef<ValueId> results);
  void attributes(const Op &op);
  void attribute(const Op &op, Attribute attribute);
  void results();
  void result(const Result &result);
  void pieces(const Result &result);
  void layout(const Result &result);
  void transfer(const Result &result);
  void transferShard(const Result &result, size_t index);

  void type(DType dtype, llvm::ArrayRef<int64_t> shape) {
    os << nameOf(dtype) << ' ' << formatShape(shape);
  }
  void values(llvm::ArrayRef<ValueId> ids) {
    llvm::interleaveComma(ids, os,
                          [&](ValueId id) { os << '%' << id.index(); });
  }
  static void number(llvm::raw_ostream &to, double number);
  void number(double number) { Printer::number(os, number); }
  void value(const std::variant<int64_t, double> &value);
  /// What pieces read, as they name it.
  std::string placeOf(ValueId stored) const;
  void elementOps(ElementOpsId id);

  llvm::raw_ostream &os;
  const Program &program;
  Stage stage;
  unsigned numCompared = 0, numComparedTransfers = 0; ///< So far.
};

void Printer::run() {
  os << "aoir 1\n";
  std::vector<const Tensor *> used;
  for (const Op &op : program.ops)
    if (op.kind == OpKind::Source)
      used.push_back(&program.sourceTensor(op.results.front()));
  // The order of the catalog is that of the names.
  llvm::sort(used);
  used.erase(llvm::unique(used), used.end());
  for (const Tensor *tensor : used)
    source(*tensor);
  os << "graph {\n";
  for (const Op &each : program.ops)
    op(each);
  os << "}\n";
  results();
  for (const Result &each : program.results)
    if (!each.isCompared) // Whole on rank 0.
      layout(each);
  if (stage == Stage::Transfers)
    for (const Result &each : program.results)
      transfer(each);
}

void Printer::results() {
  for (const Result &each : program.results) {
    if (each.isCompared && stage == Stage::Graph)
      return; // The operations say it.
    result(each);
  }
}

void Printer::source(const Tensor &tensor) {
  os << "source " << printName(tensor.name) << " : ";
  type(tensor.dtype, tensor.shape);
  if (tensor.shards.empty()) {
    os << '\n';
    return;
  }
  os << " {\n";
  for (size_t i = 0; i != tensor.shards.size(); ++i) {
    shardHead(tensor.shards[i], i);
    shardBlocks(tensor.shards[i]);
  }
  os << "}\n";
}

void Printer::shardHead(const Shard &shard, size_t index) {
  os << "  shard " << index << " on ranks ";
  affine::printRanks(os, shard.ranks);
  os << ' ' << formatShape(shard.localShape);
  if (shard.scale != 1) {
    os << " scale ";
    number(shard.scale);
  }
  os << " {\n";
}

void Printer::shardBlocks(const Shard &shard) {
  for (const Block &block : shard.blocks)
    os << "    box " << formatShape(block.shape) << " full "
       << formatShape(block.fullOffset) << " shard "
       << formatShape(block.localOffset) << '\n';
  for (const StridedBlock &block : shard.strided) {
    os << "    block " << formatShape(block.shape) << " full";
    affine::print(os, block.fullOffset, block.fullStrides);
    os << " shard";
    affine::print(os, block.shardOffset, block.shardStrides);
    os << '\n';
  }
  os << "  }\n";
}

void Printer::number(llvm::raw_ostream &to, double number) {
  char text[32]; // The shortest that reads back to the same number.
  to.write(text, std::to_chars(text, std::end(text), number).ptr - text);
}

void Printer::op(const Op &op) {
  os << "  ";
  if (!op.results.empty()) {
    values(op.results);
    os << " = ";
  }
  os << keyword(op.kind);
  if (!op.operands.empty()) {
    os << ' ';
    values(op.operands);
  }
  attributes(op);
  if (!op.results.empty()) {
    os << " : ";
    types(op.results);
    if (op.kind != OpKind::Source) {
      os << " as ";
      llvm::interleaveComma(op.results, os, [&](ValueId id) {
        os << printName(program.value(id).name);
      });
    }
  }
  os << '\n';
}

void Printer::types(llvm::ArrayRef<ValueId> results) {
  const Value &first = program.value(results.front());
  bool allAlike = llvm::all_of(results, [&](ValueId id) {
    return program.value(id).dtype == first.dtype &&
           program.value(id).shape == first.shape;
  });
  llvm::interleaveComma(
      allAlike ? results.take_front() : results, os, [&](ValueId id) {
        type(program.value(id).dtype, program.value(id).shape);
      });
}

void Printer::attributes(const Op &op) {
  for (Attribute each : attributesOf(op.kind))
    attribute(op, each);
  if (op.kind == OpKind::Source)
    os << ' ' << printName(program.value(op.results.front()).name);
}

void Printer::attribute(const Op &op, Attribute attribute) {
  if (attribute == Attribute::Groups && op.groups == 1)
    return;
  auto list = [&](auto &&numbers) {
    os << '[';
    llvm::interleaveComma(numbers, os);
    os << ']';
  };
  os << ' ' << keyword(attribute) << '=';
  switch (attribute) {
  case Attribute::Axis:
    os << op.axis;
    return;
  case Attribute::Groups:
    os << op.groups;
    return;
  case Attribute::Perm:
    return list(op.perm);
  case Attribute::Shape:
    return list(op.shape);
  case Attribute::Begin:
    return list(op.begin);
  case Attribute::Count:
    os << op.count;
    return;
  case Attribute::Block:
    os << op.block;
    return;
  case Attribute::Number:
    return number(op.number);
  case Attribute::Value:
    return value(op.value);
  }
}

void Printer::value(const std::variant<int64_t, double> &value) {
  if (auto *whole = std::get_if<int64_t>(&value)) {
    os << *whole;
    return;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  number(stream, std::get<double>(value));
  // A fraction, an exponent or a letter tells it from a whole number.
  if (llvm::StringRef(text).find_first_of(".en") == llvm::StringRef::npos)
    text += ".0";
  os << text;
}

void Printer::result(const Result &result) {
  if (result.isCompared)
    os << "compare " << numCompared++ << ' ';
  else
    os << "result ";
  os << printName(result.name) << " = %" << result.value.index();
  if (stage == Stage::Graph ||
      (stage == Stage::Transfers && result.pieces.empty() &&
       !result.leftToCaller)) {
    os << '\n';
    return;
  }
  const Value &value = program.value(result.value);
  os << " : ";
  type(value.dtype, value.shape);
  if (result.leftToCaller) {
    os << " left to the caller\n";
    return;
  }
  os << " {\n";
  pieces(result);
  os << "}\n";
}

std::string Printer::placeOf(ValueId stored) const {
  return program.isFill(stored) ? "%" + std::to_string(stored.index())
                                : printName(program.value(stored).name);
}

void Printer::pieces(const Result &result) {
  for (size_t i = 0; i != result.pieces.size(); ++i) {
    const affine::PieceRef piece = result.pieces[i];
    const Origin &origin = program.origins[piece.tag];
    os << "  ";
    affine::print(os, piece.piece(), placeOf(origin.source),
                  printName(result.name));
    elementOps(origin.ops);
    if (origin.op != program.value(origin.source).definition)
      os << " by %" << program.op(origin.op).results.front().index();
    os << '\n';
  }
}

void Printer::elementOps(ElementOpsId id) {
  if (id.isNone())
    return;
  const ElementOps &ops = program.elementOps[id.index()];
  bool onlyCasts = llvm::all_of(ops.steps, [](const ElementOp &step) {
    return step.kind == ElementOp::Kind::Cast;
  });
  os << (onlyCasts ? " cast " : " ops ") << format(ops);
}

void Printer::layout(const Result &result) {
  bool isPadded = std::bit_cast<uint64_t>(result.padValue) != 0;
  if (result.shards.empty() && !isPadded)
    return;
  os << "layout " << printName(result.name);
  if (isPadded) {
    os << " pad ";
    number(result.padValue);
  }
  os << " {\n";
  for (size_t i = 0; i != result.shards.size(); ++i) {
    shardHead(result.shards[i], i);
    shardBlocks(result.shards[i]);
  }
  os << "}\n";
}

void Printer::transfer(const Result &result) {
  unsigned number = result.isCompared ? numComparedTransfers++ : 0;
  if (!result.leftToCaller && result.layoutClass.isNone())
    return; // An error kept it from being composed.
  const Value &value = program.value(result.value);
  os << "transfer ";
  if (result.isCompared)
    os << "compare " << number << ' ';
  os << printName(result.name) << " = ";
  type(value.dtype, value.shape);
  if (result.leftToCaller) {
    os << " left to the caller\n";
    return;
  }
  os << " {\n";
  for (size_t i = 0; i != result.shards.size(); ++i)
    transferShard(result, i);
  os << "}\n";
}

void Printer::transferShard(const Result &result, size_t index) {
  const Shard &shard = result.shards[index];
  os << "  shard " << index << " on ranks ";
  affine::printRanks(os, shard.ranks);
  os << ' ' << formatShape(shard.localShape) << " {\n";
  std::string target = printName(result.name) + "@" + std::to_string(index);
  const LayoutClass &layoutClass = program.classes[result.layoutClass.index()];
  const affine::PieceSet &pieces = layoutClass.shards[index];
  for (size_t i = 0; i != pieces.size(); ++i) {
    const affine::PieceRef piece = pieces[i];
    const StorageOrigin &origin = layoutClass.origins[piece.tag];
    os << "    ";
    affine::print(os, piece.piece(),
                  placeOf(result.slots[origin.slot]) + "@" +
                      std::to_string(origin.sourceShard),
                  target);
    elementOps(origin.ops);
    os << '\n';
  }
  os << "  }\n";
}

} // namespace

void ir::print(llvm::raw_ostream &os, const Program &program, Stage stage) {
  Printer(os, program, stage).run();
}
