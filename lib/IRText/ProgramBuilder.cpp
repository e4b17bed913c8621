//===- ProgramBuilder.cpp - From lines to a program -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ProgramBuilder.h"

#include "LineParser.h"
#include "aoa/IRText/IRTextDiagnostics.h"

namespace aoa::irtext {

/// Each error takes memory: a text of nothing but errors is given up.
constexpr unsigned mostErrors = 100;

std::optional<ParsedProgram> ProgramBuilder::build() {
  unsigned errorsBefore = sink.numErrors();
  LineParser parser(file);
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    llvm::StringRef line = text.slice(begin, end);
    auto at = static_cast<uint32_t>(begin);
    begin = end + 1;
    if (line.trim().empty())
      continue;
    if (skipped != 0) {
      skipLine(line);
      continue;
    }
    reader.setLine(line, at);
    unsigned errors = sink.numErrors();
    if (AoirParser::LineContext *tree = parser.parse(line, at, sink))
      addLine(*tree);
    if (sink.numErrors() == errors)
      continue;
    if (!sawVersion || sink.numErrors() - errorsBefore >= mostErrors)
      return std::nullopt;
    if (opensBlock(line))
      skipped = 1;
  }
  if (sink.numErrors() == errorsBefore)
    finish();
  if (sink.numErrors() != errorsBefore)
    return std::nullopt;
  return std::move(parsed);
}

/// Whether a line ends in `{`, a comment behind it apart. A `{` in a name does
/// not count: the name's quote stands behind it.
bool ProgramBuilder::opensBlock(llvm::StringRef line) {
  if (line.rtrim().ends_with("{"))
    return true;
  return line.split("//").first.rtrim().ends_with("{") ||
         line.split(';').first.rtrim().ends_with("{");
}

void ProgramBuilder::skipLine(llvm::StringRef line) {
  if (line.trim() == "}")
    --skipped;
  else if (opensBlock(line))
    ++skipped;
}

void ProgramBuilder::addLine(AoirParser::LineContext &line) {
  if (line.children.size() == 1) // Only the end of the line: a comment.
    return;
  if (AoirParser::VersionContext *node = line.version())
    return version(*node);
  if (!sawVersion)
    return sink.report({&diag::IRStructure,
                        {file, 0, 0},
                        "the text does not begin with its version, expected "
                        "`aoir 1`"});
  if (AoirParser::SourceContext *node = line.source())
    return source(*node);
  if (AoirParser::GraphContext *node = line.graph())
    return graph(*node);
  if (AoirParser::OpContext *node = line.op())
    return op(*node);
  if (AoirParser::ResultContext *node = line.result())
    return result(*node);
  if (AoirParser::ComparedContext *node = line.compared())
    return compared(*node);
  if (AoirParser::LayoutContext *node = line.layout())
    return layout(*node);
  if (AoirParser::TransferContext *node = line.transfer())
    return transfer(*node);
  if (AoirParser::ShardContext *node = line.shard())
    return shard(*node);
  if (AoirParser::BoxContext *node = line.box())
    return box(*node);
  if (AoirParser::BlockContext *node = line.block())
    return block(*node);
  if (AoirParser::PieceContext *node = line.piece())
    return piece(*node);
  close(reader.rangeOf(*line.RBRACE()));
}

void ProgramBuilder::version(AoirParser::VersionContext &node) {
  auto number = reader.integer(*node.INT());
  if (!number)
    return;
  if (*number != 1)
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "IR text of version " + std::to_string(*number) +
                     ", expected 1");
  else if (std::exchange(sawVersion, true))
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a second version line, expected one");
}

bool ProgramBuilder::expectOutside(const antlr4::ParserRuleContext &node) {
  if (section == Section::None)
    return true;
  sink.report({.kind = &diag::IRStructure,
               .range = reader.rangeOf(node),
               .message = "`" + reader.word(node).str() +
                          "` begins before what is open was closed by `}`",
               .notes = {{openedAt, "this is open"}}});
  return false;
}

bool ProgramBuilder::expectIn(Section wanted, bool wantsShard,
                              const antlr4::ParserRuleContext &node) {
  if (section == wanted && inShard == wantsShard)
    return true;
  reader.fault(diag::IRStructure, reader.rangeOf(node),
               "`" + reader.word(node).str() + "` cannot stand here");
  return false;
}

void ProgramBuilder::graph(AoirParser::GraphContext &node) {
  if (!expectOutside(node))
    return;
  if (std::exchange(sawGraph, true))
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a second graph, expected one");
  else
    open(Section::Graph, node);
  // From here on they are looked up.
  if (auto twice = sortByName(parsed.source->tensors))
    llvm_unreachable("names were checked");
}

void ProgramBuilder::close(SourceRange range) {
  if (std::exchange(inShard, false))
    return;
  switch (std::exchange(section, Section::None)) {
  case Section::None:
    reader.fault(diag::IRStructure, range, "`}` closes nothing");
    return;
  case Section::Source:
    return closeSource();
  case Section::Layout:
    resultAtHand().shards = lists.intern(std::exchange(shards, {}));
    return;
  case Section::Transfer:
    return closeTransfer(range);
  case Section::Graph:
  case Section::Result:
    return;
  }
}

void ProgramBuilder::finish() {
  auto end = static_cast<uint32_t>(text.size());
  if (!sawVersion)
    return sink.report({&diag::IRStructure,
                        {file, 0, 0},
                        "the text is empty, expected `aoir 1`"});
  if (section != Section::None)
    return sink.report({.kind = &diag::IRStructure,
                        .range = {file, end, end},
                        .message = "the text ends before what is open was "
                                   "closed by `}`",
                        .notes = {{openedAt, "this is open"}}});
  if (!sawGraph)
    return sink.report(
        {&diag::IRStructure, {file, end, end}, "the text has no graph"});
  if (program().stage == ir::Stage::Graph && !comparedIndex.empty())
    return sink.report({&diag::IRStructure,
                        {file, end, end},
                        "`compare` stands behind a graph whose results have no "
                        "pieces; lower-to-pieces makes them"});
  if (program().stage == ir::Stage::Transfers)
    for (size_t i = 0; i != transfers.size(); ++i)
      if (!transfers[i] && !program().results[i].leftToCaller)
        return sink.report({&diag::IRStructure,
                            {file, end, end},
                            "result `" + program().results[i].name +
                                "` has no transfer, others have one"});
  findClasses();
  if (std::optional<ir::Violation> found = ir::findViolation(program()))
    sink.report({&diag::IRType,
                 found->op.isNone() ? SourceRange{file, 0, 0}
                                    : program().op(found->op).range,
                 std::move(found->message)});
}

} // namespace aoa::irtext

std::optional<aoa::ParsedProgram>
aoa::parseProgram(const SourceManager &sources, FileId file,
                  DiagnosticSink &sink) {
  return irtext::ProgramBuilder(file, sources.text(file), sink).build();
}
