//===- Print.cpp - The program as text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   graph {
//     %0 = source s0 : F32 [2, 2]
//     %1 = source s1 : F32 [2, 2]
//     %2 = merge %0, %1 axis=1 : F32 [2, 4]  // s
//     %3 = cast %2 : F64 [2, 4]  // s
//     %4 = transpose %3 perm=[1, 0] : F64 [4, 2]  // d
//     %5, %6 = split %4 axis=1 : F64 [4, 1]  // d0, d1
//   }
//   result d1 = %6
//
// One number a value, in the order of the program; behind `//` the names that
// the script gives. Removed tensors are `remove %0`. At the stage of pieces a
// result holds the blocks of source tensors it is made of, as strided views of
// the whole tensors, and the casts on the way:
//
//   result d1 = F64 [4, 1] {
//     piece [2, 1] s0{2 : 1, 2} d1{0 : 1, 1} cast F32 -> F64
//     piece [2, 1] s1{2 : 1, 2} d1{2 : 1, 1} cast F32 -> F64
//   }
//
// At the stage of transfers each shard of the target does; `name@k` is the k-th
// shard of a tensor:
//
//   transfer d1 = F64 [4, 1] {
//     shard 1 on ranks {2..3} [2, 1] {
//       piece [2, 1] s1@0{2 : 1, 2} d1@1{0 : 1, 1} cast F32 -> F64
//     }
//   }
//===----------------------------------------------------------------------===//
#include "aoa/Affine/Holders.h"
#include "aoa/IR/Program.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::ir;

static bool isBare(llvm::StringRef name) {
  if (name.empty() || !(llvm::isAlpha(name.front()) || name.front() == '_') ||
      name.contains("->"))
    return false;
  return llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("._-/").contains(c);
  });
}

std::string ir::printName(llvm::StringRef name) {
  if (isBare(name))
    return name.str();
  std::string text = "\"";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (text += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      text += std::string("\\") + llvm::hexdigit(byte >> 4) +
              llvm::hexdigit(byte & 15);
    else
      text += c;
  }
  return text + "\"";
}

namespace {

class Printer {
public:
  Printer(llvm::raw_ostream &os, const Program &program)
      : os(os), program(program) {}

  void graph();
  void pieces();
  void transfers();

private:
  void op(const Op &op);
  void values(llvm::ArrayRef<ValueId> ids);
  void attributes(const Op &op);
  void resultNames(const Op &op);
  void type(DType dtype, llvm::ArrayRef<int64_t> shape) {
    os << nameOf(dtype) << ' ' << formatShape(shape);
  }
  void elementOps(ElementOpsId id);
  void piece(const affine::PieceRef &piece, const Result &result);
  void shard(const Result &result, size_t index);

  llvm::raw_ostream &os;
  const Program &program;
};

void Printer::values(llvm::ArrayRef<ValueId> ids) {
  llvm::interleaveComma(ids, os, [&](ValueId id) { os << '%' << id.index(); });
}

void Printer::attributes(const Op &op) {
  switch (op.kind) {
  case OpKind::Merge:
  case OpKind::Split:
    os << " axis=" << op.axis;
    return;
  case OpKind::Transpose:
    os << " perm=[";
    llvm::interleaveComma(op.perm, os);
    os << ']';
    return;
  case OpKind::Source:
    os << ' ' << printName(program.value(op.results.front()).name);
    return;
  case OpKind::Rename:
  case OpKind::Cast:
  case OpKind::Remove:
  case OpKind::Add:
    return;
  }
}

void Printer::resultNames(const Op &op) {
  os << "  // ";
  llvm::interleaveComma(op.results, os, [&](ValueId id) {
    os << printName(program.value(id).name);
  });
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
    const Value &first = program.value(op.results.front());
    os << " : ";
    type(first.dtype, first.shape);
    if (op.kind != OpKind::Source)
      resultNames(op);
  }
  os << '\n';
}

void Printer::graph() {
  os << "graph {\n";
  for (const Op &each : program.ops)
    op(each);
  os << "}\n";
  for (const Result &result : program.results)
    os << "result " << printName(result.name) << " = %" << result.value.index()
       << '\n';
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

void Printer::piece(const affine::PieceRef &piece, const Result &result) {
  const Origin &origin = program.origins[piece.tag];
  os << "  ";
  affine::print(os, piece.piece(), printName(program.value(origin.source).name),
                printName(result.name));
  elementOps(origin.ops);
  os << '\n';
}

void Printer::pieces() {
  for (const Result &result : program.results) {
    const Value &value = program.value(result.value);
    os << "result " << printName(result.name) << " = ";
    type(value.dtype, value.shape);
    if (result.leftToCaller) {
      os << " left to the caller\n";
      continue;
    }
    os << " {\n";
    for (size_t i = 0; i != result.pieces.size(); ++i)
      piece(result.pieces[i], result);
    os << "}\n";
  }
}

void Printer::shard(const Result &result, size_t index) {
  const Shard &shard = result.shards[index];
  os << "  shard " << index << " on ranks ";
  affine::printRanks(os, shard.ranks);
  os << ' ' << formatShape(shard.localShape) << " {\n";
  std::string target = printName(result.name) + "@" + std::to_string(index);
  const LayoutClass &layoutClass = program.classes[result.layoutClass.index()];
  const affine::PieceSet &pieces = layoutClass.shards[index];
  for (size_t i = 0; i != pieces.size(); ++i) {
    const StorageOrigin &origin = layoutClass.origins[pieces[i].tag];
    const Value &source = program.value(result.slots[origin.slot]);
    os << "    ";
    affine::print(os, pieces[i].piece(),
                  printName(source.name) + "@" +
                      std::to_string(origin.sourceShard),
                  target);
    elementOps(origin.ops);
    os << '\n';
  }
  os << "  }\n";
}

void Printer::transfers() {
  for (const Result &result : program.results) {
    const Value &value = program.value(result.value);
    os << "transfer " << printName(result.name) << " = ";
    type(value.dtype, value.shape);
    if (result.leftToCaller) {
      os << " left to the caller\n";
      continue;
    }
    os << " {\n";
    for (size_t i = 0; i != result.shards.size(); ++i)
      shard(result, i);
    os << "}\n";
  }
}

} // namespace

void ir::print(llvm::raw_ostream &os, const Program &program,
               PrintStage stage) {
  Printer printer(os, program);
  switch (stage) {
  case PrintStage::Graph:
    return printer.graph();
  case PrintStage::Pieces:
    return printer.pieces();
  case PrintStage::Transfers:
    return printer.transfers();
  }
}
