//===- RoundTrip.cpp - A program as text and back ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IRText/IRText.h"

#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::ir;

static std::string textOf(const Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, program, program.stage);
  return text;
}

/// Where two texts differ first.
static std::string firstDifference(llvm::StringRef before,
                                   llvm::StringRef after) {
  while (true) {
    auto [line, rest] = before.split('\n');
    auto [lineAfter, restAfter] = after.split('\n');
    if (line != lineAfter)
      return "`" + line.str() + "` comes back as `" + lineAfter.str() + "`";
    before = rest;
    after = restAfter;
  }
}

/// What the text does not show: how results are divided among classes.
static std::optional<std::string> compareClasses(const Program &before,
                                                 const Program &after) {
  auto refuse = [](const std::string &what) { return what + " differ"; };
  if (before.classes.size() != after.classes.size())
    return refuse("the numbers of classes");
  for (size_t i = 0; i != before.results.size(); ++i) {
    const Result &result = before.results[i], &other = after.results[i];
    if (result.layoutClass != other.layoutClass)
      return refuse("the classes of `" + result.name + "`");
    if (result.slots != other.slots)
      return refuse("the slots of `" + result.name + "`");
  }
  for (size_t i = 0; i != before.classes.size(); ++i)
    if (before.classes[i].numResults != after.classes[i].numResults)
      return refuse("the sizes of class " + std::to_string(i));
  return std::nullopt;
}

/// Takes over what text does not carry.
static void graft(const Program &from, Program &to) {
  to.source = from.source;
  for (size_t i = 0; i != from.ops.size(); ++i) {
    to.ops[i].range = from.ops[i].range;
    to.ops[i].expansion = from.ops[i].expansion;
  }
}

std::optional<std::string> aoa::roundTrip(Program &program) {
  SourceManager sources;
  FileId file = sources.add("<ir>", textOf(program));
  DiagnosticList sink;
  auto parsed = parseProgram(sources, file, sink);
  if (!parsed) {
    const Diagnostic &first = sink.list.front();
    auto position = sources.position(file, first.range.begin);
    return "`" + position.lineText.trim().str() + "`: " + first.message;
  }
  Program &made = parsed->program;
  std::string again = textOf(made);
  if (again != sources.text(file))
    return firstDifference(sources.text(file), again);
  if (auto difference = compareClasses(program, made))
    return difference;
  // Without results the text does not say how far the program has come.
  if (program.results.empty())
    made.stage = program.stage;
  graft(program, made);
  program = std::move(made);
  return std::nullopt;
}
