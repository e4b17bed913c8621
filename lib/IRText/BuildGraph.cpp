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

/// Whether an attribute is a list of numbers, and no number.
bool isList(ir::Attribute attribute) {
  return attribute == ir::Attribute::Perm ||
         attribute == ir::Attribute::Shape || attribute == ir::Attribute::Begin;
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
      node.kind ? reader.rangeOf(*node.kind) : reader.rangeOf(*node.verb());
  llvm::StringRef word =
      node.kind ? reader.word(*node.kind) : reader.word(*node.verb());
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

/// Says what attributes a kind of operation takes.
static std::string describeAttributes(OpKind kind) {
  std::string required, optional;
  for (ir::Attribute attribute : ir::attributesOf(kind)) {
    bool isOptional = attribute == ir::Attribute::Groups;
    (isOptional ? optional : required) += " " + ir::exampleOf(attribute).str();
  }
  std::string text = "`" + ir::keyword(kind).str() + "` takes ";
  if (required.empty())
    return text + "no attribute";
  return text + "`" + required.substr(1) +
         (optional.empty() ? "`"
                           : "` and perhaps `" + optional.substr(1) + "`");
}

bool ProgramBuilder::readAttributes(AoirParser::OpContext &node, ir::Op &op) {
  llvm::ArrayRef<ir::Attribute> wanted = ir::attributesOf(op.kind);
  auto refuse = [&](const antlr4::ParserRuleContext &where) {
    reader.fault(diag::IRSyntax, reader.rangeOf(where),
                 describeAttributes(op.kind));
    return false;
  };
  llvm::SmallVector<ir::Attribute, 4> seen;
  for (AoirParser::AttributeContext *each : node.attribute()) {
    llvm::StringRef word = reader.word(*each->word());
    auto *known = llvm::find_if(wanted, [&](ir::Attribute attribute) {
      return ir::keyword(attribute) == word;
    });
    if (known == wanted.end() || llvm::is_contained(seen, *known) ||
        (each->extents() != nullptr) != isList(*known))
      return refuse(*each);
    seen.push_back(*known);
    if (!readAttribute(*known, *each, op))
      return false;
  }
  for (ir::Attribute attribute : wanted)
    if (attribute != ir::Attribute::Groups &&
        !llvm::is_contained(seen, attribute))
      return refuse(node);
  return true;
}

bool ProgramBuilder::readAttribute(ir::Attribute attribute,
                                   AoirParser::AttributeContext &node,
                                   ir::Op &op) {
  auto takeNumber = [&](auto &field) {
    auto number = reader.count(*node.number());
    if (number)
      field = *number;
    return number.has_value();
  };
  auto takeExtents = [&](affine::Extents &field) {
    auto extents = reader.extents(*node.extents());
    if (extents)
      field.assign(extents->begin(), extents->end());
    return extents.has_value();
  };
  switch (attribute) {
  case ir::Attribute::Axis: {
    if (!reader.count(*node.number()))
      return false;
    auto axis = reader.smallInteger(*node.number()->INT());
    op.axis = axis.value_or(0);
    return axis.has_value();
  }
  case ir::Attribute::Groups:
    return takeNumber(op.groups);
  case ir::Attribute::Count:
    return takeNumber(op.count);
  case ir::Attribute::Block:
    return takeNumber(op.block);
  case ir::Attribute::Shape:
    return takeExtents(op.shape);
  case ir::Attribute::Begin:
    return takeExtents(op.begin);
  case ir::Attribute::Perm:
    for (antlr4::tree::TerminalNode *each : node.extents()->INT()) {
      auto axis = reader.smallInteger(*each);
      if (!axis)
        return false;
      op.perm.push_back(*axis);
    }
    return true;
  case ir::Attribute::Number: {
    auto number = reader.number(*node.number());
    op.number = number.value_or(0);
    return number.has_value();
  }
  case ir::Attribute::Value: {
    auto value = reader.wholeOrFraction(*node.number());
    op.value = value.value_or(0);
    return value.has_value();
  }
  }
  llvm_unreachable("all attributes are listed");
}

bool ProgramBuilder::defineResults(AoirParser::OpContext &node, ir::Op &op) {
  auto refuse = [&](const DiagnosticKind &kind, std::string message) {
    reader.fault(kind, reader.rangeOf(node), std::move(message));
    return false;
  };
  std::vector<antlr4::tree::TerminalNode *> numbers;
  if (node.results)
    numbers = node.results->VALUE();
  if (numbers.empty() != (node.types() == nullptr))
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
  std::vector<Type> types;
  for (AoirParser::TypeContext *each : node.types()->type()) {
    auto type = reader.type(*each);
    if (!type)
      return false;
    types.push_back(std::move(*type));
  }
  if (types.size() != 1 && types.size() != numbers.size())
    return refuse(diag::IRSyntax,
                  std::to_string(numbers.size()) + " results have " +
                      std::to_string(types.size()) +
                      " types, expected one for all or one each");
  if (isSource && !tensorIndex.contains(names.front())) {
    reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                 "there is no source `" + names.front() + "` above");
    return false;
  }
  op.dtype = op.kind == OpKind::Cast ? types.front().dtype : op.dtype;
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
    const Type &type = types[types.size() == 1 ? 0 : i];
    program().values.push_back(
        {std::move(names[i]), type.dtype,
         affine::Extents(type.shape.begin(), type.shape.end()), id});
    op.results.push_back(value);
  }
  return true;
}

} // namespace aoa::irtext
