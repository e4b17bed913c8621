//===- ProgramBuilder.h - From lines to a program ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Knows what is open (a section, a shard in it) and adds to it, line by line.
// Everything is defined before it is used. What stands in a section or shard
// whose head was refused is skipped. BuildEnds.cpp, BuildGraph.cpp and
// BuildPieces.cpp hold what is done with each kind of line.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_IRTEXT_PROGRAMBUILDER_H
#define AOA_LIB_IRTEXT_PROGRAMBUILDER_H

#include "LineReader.h"
#include "aoa/IR/Attributes.h"
#include "aoa/IRText/IRText.h"
#include "llvm/ADT/StringMap.h"

namespace aoa::irtext {

class ProgramBuilder {
public:
  ProgramBuilder(FileId file, llvm::StringRef text, DiagnosticSink &sink)
      : file(file), text(text), sink(sink), reader(file, sink) {
    parsed.source = std::make_unique<Catalog>();
    parsed.program.source = parsed.source.get();
  }

  std::optional<ParsedProgram> build();

private:
  enum class Section { None, Source, Graph, Result, Layout, Transfer };

  // ---- Lines and what is open
  void addLine(AoirParser::LineContext &line);
  /// Skips a line of a section or shard that was refused.
  void skipLine(llvm::StringRef line);
  static bool opensBlock(llvm::StringRef line);
  void version(AoirParser::VersionContext &node);
  void graph(AoirParser::GraphContext &node);
  void close(SourceRange range);
  void finish();
  /// Whether `section` is open and no shard in it, or says what is wrong.
  bool expectIn(Section section, bool inShard,
                const antlr4::ParserRuleContext &node);
  bool expectOutside(const antlr4::ParserRuleContext &node);
  void open(Section section, const antlr4::ParserRuleContext &node) {
    this->section = section;
    openedAt = reader.rangeOf(node);
  }

  // ---- Sources and layouts
  void source(AoirParser::SourceContext &node);
  void layout(AoirParser::LayoutContext &node);
  /// The head of a shard of a source, a layout or a transfer.
  void shard(AoirParser::ShardContext &node);
  void box(AoirParser::BoxContext &node);
  void block(AoirParser::BlockContext &node);
  void closeSource();

  // ---- The graph
  void op(AoirParser::OpContext &node);
  std::optional<ir::OpKind> kindOf(AoirParser::OpContext &node);
  bool readOperands(AoirParser::OpContext &node, ir::Op &op);
  bool readAttributes(AoirParser::OpContext &node, ir::Op &op);
  bool readAttribute(ir::Attribute attribute,
                     AoirParser::AttributeContext &node, ir::Op &op);
  bool defineResults(AoirParser::OpContext &node, ir::Op &op);
  std::optional<ir::ValueId> value(antlr4::tree::TerminalNode &node);

  // ---- Results and transfers
  void result(AoirParser::ResultContext &node);
  void compared(AoirParser::ComparedContext &node);
  /// Adds a result, which is what is at hand then.
  void addResult(ir::Result result, AoirParser::TypeContext *type);
  void transfer(AoirParser::TransferContext &node);
  void transferShard(AoirParser::ShardContext &node,
                     std::vector<uint32_t> ranks, Shape shape);
  void closeTransfer(SourceRange range);
  void piece(AoirParser::PieceContext &node);
  void resultPiece(AoirParser::PieceContext &node);
  void transferPiece(AoirParser::PieceContext &node);
  std::optional<affine::Piece> geometry(AoirParser::PieceContext &node);
  /// What a piece reads.
  std::optional<ir::ValueId> sourceOf(AoirParser::PlaceContext &node);
  /// Whether the right place of a piece is the result at hand.
  bool expectTarget(AoirParser::PlaceContext &node);
  /// Finds a result that has no `what` yet.
  std::optional<size_t> findResult(AoirParser::NameContext &node);
  std::optional<size_t> findCompared(AoirParser::TransferContext &node);
  bool expectType(AoirParser::TypeContext &node, const ir::Value &value);
  void findClasses();

  ir::Program &program() { return parsed.program; }
  ir::Result &resultAtHand() { return program().results[atHand]; }

  FileId file;
  llvm::StringRef text;
  DiagnosticSink &sink;
  LineReader reader;
  ParsedProgram parsed;

  bool sawVersion = false, sawGraph = false;
  Section section = Section::None;
  bool inShard = false;
  unsigned skipped = 0; ///< Blocks that are open and of no interest.
  SourceRange openedAt;

  // The source or layout at hand.
  ShardLists lists;
  Tensor tensor;
  std::vector<Shard> shards;
  DType shardDType = DType::F32;
  Shape shardsOfShape;

  llvm::StringMap<size_t> tensorIndex;          ///< In the catalog.
  llvm::DenseMap<uint32_t, ir::ValueId> values; ///< By their number.
  llvm::StringMap<ir::ValueId> sourceValues;
  llvm::StringMap<size_t> resultIndex;
  std::vector<size_t> comparedIndex; ///< Results by the number of `compare`.

  size_t atHand = 0; ///< The result, layout or transfer that is open.
  std::vector<bool> hasLayout;
  /// What was read of each result's transfers, if anything.
  std::vector<std::optional<ir::LayoutClass>> transfers;
  std::map<ir::StorageOrigin, uint32_t> storageOrigins; ///< Of that at hand.
};

} // namespace aoa::irtext

#endif // AOA_LIB_IRTEXT_PROGRAMBUILDER_H
