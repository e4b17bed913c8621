//===- TraceText.cpp - What text and JSON of a trace share ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TraceText.h"

#include <charconv>

using namespace aoa;
using namespace aoa::driver;

/// Leaves out the middle of a long text, between whole characters.
static std::string shorten(std::string text, size_t maxLength) {
  if (text.size() <= maxLength)
    return text;
  auto isInside = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t begin = maxLength / 2, end = text.size() - maxLength / 2;
  while (begin > 0 && isInside(begin))
    --begin;
  while (end < text.size() && isInside(end))
    ++end;
  return text.substr(0, begin) + " … " + text.substr(end);
}

std::string driver::statementOf(const Compilation &compilation,
                                const trace::Step &step, size_t maxLength) {
  if (step.statement.isNone())
    return "";
  const ast::Script &script = compilation.expanded;
  return shorten(ast::printStatement(script.statements[step.statement.index()],
                                     script.dialect),
                 maxLength);
}

static std::string placeOf(const Compilation &compilation, SourceRange range) {
  const SourceManager &sources = compilation.sources;
  range = sources.resolve(range);
  if (!range.isKnown())
    return "";
  SourceManager::Position at = sources.position(range.file, range.begin);
  return sources.name(range.file).str() + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

std::string driver::locationOf(const Compilation &compilation,
                               const trace::Step &step) {
  if (step.statement.isNone())
    return "";
  return placeOf(compilation, compilation.program.op(step.op).range);
}

std::string driver::reasonOf(const trace::Step &step) {
  switch (step.reason) {
  case trace::StepReason::Statement:
    return "a statement";
  case trace::StepReason::DType:
    return "--dtype";
  case trace::StepReason::StateName:
    return "the name of the state's tensor";
  case trace::StepReason::TargetScale:
    return "the scale of the target's layout";
  case trace::StepReason::SourceScale:
    return "the scale of the source's layout";
  }
  llvm_unreachable("all reasons are listed");
}

std::vector<std::string> driver::expansionsOf(const Compilation &compilation,
                                              const trace::Step &step) {
  std::vector<std::string> texts;
  if (step.statement.isNone())
    return texts;
  const ir::Op &op = compilation.program.op(step.op);
  for (const Note &note :
       ast::expansionNotes(compilation.expanded, op.expansion)) {
    std::string place = placeOf(compilation, note.range);
    texts.push_back(note.message + (place.empty() ? "" : " at " + place));
  }
  return texts;
}

std::vector<std::string> driver::operationsOf(const ElementOps &ops) {
  std::vector<std::string> texts;
  DType reached = ops.from;
  for (const ElementOp &step : ops.steps) {
    std::string text = format(ElementOps{reached, {step}});
    // A cast is shown with both ends, arithmetic alone.
    if (step.kind != ElementOp::Kind::Cast)
      text = text.substr(text.find(" -> ") + 4);
    texts.push_back(std::move(text));
    reached = step.to;
  }
  return texts;
}

std::string driver::constantOf(const ir::Op &fill) {
  char text[32];
  char *end = std::visit(
      [&](auto number) {
        return std::to_chars(text, text + sizeof text, number).ptr;
      },
      fill.value);
  return std::string(text, end);
}
