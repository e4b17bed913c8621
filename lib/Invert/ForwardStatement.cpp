//===- ForwardStatement.cpp - A statement as what it does, in turn --------===//
// SPDX-License-Identifier: Apache-2.0
#include "ForwardStatement.h"

using namespace aoa;
using namespace aoa::invert;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using Join = ForwardStatement::Join;
using Cut = ForwardStatement::Cut;

namespace {

bool isWord(const ast::Attribute *attribute, llvm::StringRef word) {
  if (!attribute)
    return false;
  if (const auto *bare = std::get_if<ast::Word>(&attribute->value.data))
    return bare->text == word;
  const auto *text = std::get_if<ast::Text>(&attribute->value.data);
  return text && text->text == word;
}

class Reader {
public:
  Reader(const ir::Program &program, const AnalyzedStatement &analyzed)
      : program(program), analyzed(analyzed) {
    for (size_t i = analyzed.firstOp; i != analyzed.endOp; ++i)
      if (program.ops[i].kind != OpKind::Source)
        ops.push_back(OpId(i));
  }

  ForwardStatement read() {
    statement.written = analyzed.statement;
    statement.operands = analyzed.operands;
    statement.results = analyzed.results;
    if (statement.operands.empty()) {
      for (OpId id : ops)
        if (program.op(id).kind == OpKind::Remove)
          statement.operands.push_back(program.op(id).operands.front());
        else
          llvm::append_range(statement.results, program.op(id).results);
      return std::move(statement);
    }
    current = statement.operands.front();
    if (statement.operands.size() > 1)
      readJoin();
    while (next != ops.size() && !readCut())
      readStep();
    return std::move(statement);
  }

private:
  const ir::Op &op(size_t i) const { return program.op(ops[i]); }
  bool follows(size_t ahead, OpKind kind) const {
    return next + ahead < ops.size() && op(next + ahead).kind == kind;
  }

  void readJoin() {
    if (follows(0, OpKind::Merge) || follows(0, OpKind::Stack)) {
      statement.join =
          op(next).kind == OpKind::Merge ? Join::Merge : Join::Stack;
      statement.joinOp = ops[next];
      current = op(next++).results.front();
      return;
    }
    statement.join = isWord(analyzed.statement->find("tie"), "verify")
                         ? Join::TieVerify
                         : Join::TieFirst;
    while (follows(0, OpKind::Compare))
      ++next;
  }

  /// Reads what makes the right names, if it comes next.
  bool readCut() {
    const ir::Op &first = op(next);
    bool cuts = statement.results.size() > 1;
    if (cuts &&
        (first.kind == OpKind::Split || first.kind == OpKind::Unstack)) {
      statement.cut = first.kind == OpKind::Split ? Cut::Split : Cut::Unstack;
      statement.cutOp = ops[next];
    } else if (cuts && first.kind == OpKind::Rename) {
      statement.cut = Cut::Copy;
    } else {
      return false;
    }
    next = ops.size();
    return true;
  }

  void readStep() {
    const ir::Op &first = op(next);
    size_t numOps = 1;
    Step step{first.kind, ops[next], current, first.results.front()};
    if (first.kind == OpKind::Fill) {
      step.kind = OpKind::Pad;
      step.op = ops[next + 1];
      numOps = 2;
    } else if (first.kind == OpKind::Slice && follows(1, OpKind::Repeat) &&
               follows(2, OpKind::Merge) &&
               op(next + 2).operands.front() == current) {
      step.kind = OpKind::Pad;
      numOps = 3;
    } else if (first.kind == OpKind::Dedup && first.count != 1) {
      numOps = 3;
    }
    if (numOps > 1 && first.kind != OpKind::Dedup)
      step.to = op(next + numOps - 1).results.front();
    next += numOps;
    current = step.to;
    if (step.kind != OpKind::Rename)
      statement.steps.push_back(step);
  }

  const ir::Program &program;
  const AnalyzedStatement &analyzed;
  llvm::SmallVector<OpId, 4> ops;
  ForwardStatement statement;
  size_t next = 0;
  ValueId current;
};

} // namespace

std::vector<ForwardStatement>
invert::readForward(const ir::Program &program,
                    llvm::ArrayRef<AnalyzedStatement> analyzed) {
  std::vector<ForwardStatement> statements;
  statements.reserve(analyzed.size());
  for (const AnalyzedStatement &each : analyzed)
    statements.push_back(Reader(program, each).read());
  return statements;
}
