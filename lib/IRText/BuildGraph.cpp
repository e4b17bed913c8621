//===- BuildGraph.cpp - The operations of IR text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What fits what (arities, shapes, dtypes) is left to ir::findViolation; here
// only what a text can get wrong that a program cannot.
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"

#include "aoa/IRText/IRTextDiagnostics.h"
#include "aoa/Support/NearestName.h"

using aoa::ir::OpKind;

namespace aoa::irtext {

namespace {
constexpr OpKind allKinds[] = {
    OpKind::Source,
#define AOA_PRIMITIVE(NAME, KEYWORD, FORM, SUMMARY) OpKind::NAME,
#include "aoa/Primitives/Primitives.def"
};

/// The attribute that a kind of operation has, if any.
llvm::StringRef attributeOf(OpKind kind) {
  switch (kind) {
  case OpKind::Merge:
  case OpKind::Split:
    return "axis";
  case OpKind::Transpose:
    return "perm";
  case OpKind::Source:
  case OpKind::Rename:
  case OpKind::Cast:
  case OpKind::Stack:
  case OpKind::Unstack:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Pad:
  case OpKind::Repeat:
  case OpKind::Dedup:
  case OpKind::Scale:
  case OpKind::Plus:
  case OpKind::Fill:
  case OpKind::Compare:
  case OpKind::Remove:
  case OpKind::Add:
    return "";
  }
  llvm_unreachable("all kinds are listed");
}
} // namespace

void ProgramBuilder::op(AoirParser::OpContext &node) {
  if (!expectIn(Section::Graph, false, node))
    return;
  ir::Op op;
  auto kind = kindOf(node);
  if (!kind)
    return;
  op.kind = *kind;
  op.range = reader.rangeOf(node);
  if (!readOperands(node, op) || !readAttributes(node, op) ||
      !defineResults(node, op))
    return;
  for (ir::ValueId id : op.operands)
    ++program().values[id.index()].numUses;
  program().ops.push_back(std::move(op));
}

std::optional<OpKind> ProgramBuilder::kindOf(AoirParser::OpContext &node) {
  SourceRange range =
      node.kind ? reader.rangeOf(*node.kind) : reader.rangeOf(*node.NAME());
  llvm::StringRef word =
      node.kind ? reader.word(*node.kind) : reader.word(node);
  NearestName nearest(word.str());
  for (OpKind kind : allKinds) {
    if (ir::keyword(kind) == word)
      return kind;
    nearest.consider(ir::keyword(kind));
  }
  return reader.fault(diag::IRSyntax, range,
                      "unknown operation `" + word.str() + "`" +
                          nearest.hint());
}

std::optional<ir::ValueId>
ProgramBuilder::value(antlr4::tree::TerminalNode &node) {
  auto number = reader.valueNumber(node);
  if (!number)
    return std::nullopt;
  auto found = values.find(*number);
  if (found != values.end())
    return found->second;
  return reader.fault(diag::IRName, reader.rangeOf(node),
                      "`%" + std::to_string(*number) +
                          "` is not defined before this line");
}

bool ProgramBuilder::readOperands(AoirParser::OpContext &node, ir::Op &op) {
  if (!node.operands)
    return true;
  for (antlr4::tree::TerminalNode *each : node.operands->VALUE()) {
    auto operand = value(*each);
    if (!operand)
      return false;
    op.operands.push_back(*operand);
  }
  return true;
}

bool ProgramBuilder::readAttributes(AoirParser::OpContext &node, ir::Op &op) {
  llvm::StringRef wanted = attributeOf(op.kind);
  std::vector<AoirParser::AttributeContext *> attributes = node.attribute();
  bool fits =
      attributes.size() == (wanted.empty() ? 0 : 1) &&
      (wanted.empty() || reader.word(*attributes.front()->word()) == wanted) &&
      (wanted.empty() ||
       (attributes.front()->INT() != nullptr) == (wanted == "axis"));
  if (!fits) {
    reader.fault(diag::IRSyntax, reader.rangeOf(node),
                 "`" + ir::keyword(op.kind).str() + "` takes " +
                     (wanted.empty()     ? std::string("no attribute")
                      : wanted == "axis" ? std::string("one `axis=0`")
                                         : std::string("one `perm=[1, 0]`")));
    return false;
  }
  if (wanted == "axis") {
    auto axis = reader.smallInteger(*attributes.front()->INT());
    op.axis = axis.value_or(0);
    return axis.has_value();
  }
  if (wanted == "perm")
    for (antlr4::tree::TerminalNode *each :
         attributes.front()->extents()->INT()) {
      auto axis = reader.smallInteger(*each);
      if (!axis)
        return false;
      op.perm.push_back(*axis);
    }
  return true;
}

bool ProgramBuilder::defineResults(AoirParser::OpContext &node, ir::Op &op) {
  auto refuse = [&](const DiagnosticKind &kind, std::string message) {
    reader.fault(kind, reader.rangeOf(node), std::move(message));
    return false;
  };
  std::vector<antlr4::tree::TerminalNode *> numbers;
  if (node.results)
    numbers = node.results->VALUE();
  if (numbers.empty() != (node.type() == nullptr))
    return refuse(diag::IRSyntax,
                  "results and their type go together: `%1 = … : F32 [2, 3]`");
  std::vector<std::string> names;
  if (AoirParser::NamesContext *list = node.names())
    for (AoirParser::NameContext *name : list->name())
      names.push_back(reader.name(*name));
  bool isSource = op.kind == OpKind::Source;
  if (isSource != (node.name() != nullptr))
    return refuse(diag::IRSyntax, isSource
                                      ? "`source` wants the name of its tensor"
                                      : "only `source` takes a name");
  if (isSource && names.empty())
    names.push_back(reader.name(*node.name()));
  else if (isSource)
    return refuse(diag::IRSyntax, "a source's value has the tensor's name");
  if (names.size() != numbers.size())
    return refuse(diag::IRName, std::to_string(numbers.size()) +
                                    " results have " +
                                    std::to_string(names.size()) +
                                    " names; they stand behind `as`");
  if (numbers.empty())
    return true;
  auto type = reader.type(*node.type());
  if (!type)
    return false;
  if (isSource && !tensorIndex.contains(names.front())) {
    reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                 "there is no source `" + names.front() + "` above");
    return false;
  }
  op.dtype = op.kind == OpKind::Cast ? type->dtype : op.dtype;
  ir::OpId id(program().ops.size());
  for (size_t i = 0; i != numbers.size(); ++i) {
    auto number = reader.valueNumber(*numbers[i]);
    if (!number)
      return false;
    ir::ValueId value(program().values.size());
    if (!values.try_emplace(*number, value).second) {
      reader.fault(diag::IRName, reader.rangeOf(*numbers[i]),
                   "`%" + std::to_string(*number) + "` is defined twice");
      return false;
    }
    if (isSource && !sourceValues.try_emplace(names[i], value).second)
      return refuse(diag::IRName, "a second `source " + names[i] + "`");
    program().values.push_back(
        {std::move(names[i]), type->dtype,
         affine::Extents(type->shape.begin(), type->shape.end()), id});
    op.results.push_back(value);
  }
  return true;
}

} // namespace aoa::irtext
