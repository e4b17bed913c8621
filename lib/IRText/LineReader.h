//===- LineReader.h - Numbers, names and types of a line --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// From the tokens of a line to values. What is wrong is reported, and nothing
// returned.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_IRTEXT_LINEREADER_H
#define AOA_LIB_IRTEXT_LINEREADER_H

#include "AoirParser.h"
#include "aoa/Catalog/Catalog.h"
#include "aoa/IR/Program.h"

namespace aoa::irtext {

using grammar::AoirParser;

/// More ranks than this, of all shards of a text, are refused:
/// `{0..4000000000}` is a few bytes.
inline constexpr uint64_t mostRanks = uint64_t(1) << 24;

struct Type {
  DType dtype;
  Shape shape;
};

class LineReader {
public:
  LineReader(FileId file, DiagnosticSink &sink) : file(file), sink(sink) {}

  /// Goes on to a line that begins at byte `begin` of the file.
  void setLine(llvm::StringRef text, uint32_t begin) {
    line = text;
    lineBegin = begin;
  }

  SourceRange rangeOf(const antlr4::ParserRuleContext &node) const {
    return rangeOf(*node.start, *node.stop);
  }
  SourceRange rangeOf(antlr4::tree::TerminalNode &node) const {
    return rangeOf(*node.getSymbol(), *node.getSymbol());
  }

  /// Reports an error. Returns nothing of whatever the caller wants.
  std::nullopt_t fault(const DiagnosticKind &kind, SourceRange range,
                       std::string message) {
    sink.report({&kind, range, std::move(message)});
    return std::nullopt;
  }

  std::optional<int64_t> integer(antlr4::tree::TerminalNode &node);
  /// The index behind `%`.
  std::optional<uint32_t> valueNumber(antlr4::tree::TerminalNode &node);
  /// A number that fits in 32 bits.
  std::optional<uint32_t> smallInteger(antlr4::tree::TerminalNode &node);
  std::optional<double> number(AoirParser::NumberContext &node);
  /// A whole number, not below 0.
  std::optional<int64_t> count(AoirParser::NumberContext &node);
  /// Digits alone, behind a sign or not, are a whole number.
  std::optional<std::variant<int64_t, double>>
  wholeOrFraction(AoirParser::NumberContext &node);
  /// A number that is finite and not 0.
  std::optional<double> factor(AoirParser::NumberContext &node);
  std::optional<Shape> extents(AoirParser::ExtentsContext &node);
  std::optional<affine::StridedView> view(AoirParser::ViewContext &node);
  std::string name(AoirParser::NameContext &node) const;
  llvm::StringRef word(const antlr4::ParserRuleContext &node) const {
    return textOf(*node.start);
  }
  std::optional<DType> dtype(AoirParser::WordContext &node);
  /// A dtype and a shape whose bytes can be counted.
  std::optional<Type> type(AoirParser::TypeContext &node);
  std::optional<std::vector<uint32_t>> ranks(AoirParser::ShardContext &node);
  /// The operations of a piece that starts at `from` and must end at `to`.
  std::optional<ElementOps> chain(AoirParser::ChainContext *node, DType from,
                                  DType to, SourceRange piece);

private:
  SourceRange rangeOf(const antlr4::Token &first,
                      const antlr4::Token &last) const {
    return {file, lineBegin + static_cast<uint32_t>(first.getStartIndex()),
            lineBegin + static_cast<uint32_t>(last.getStopIndex() + 1)};
  }
  llvm::StringRef textOf(const antlr4::Token &token) const {
    return line.slice(token.getStartIndex(), token.getStopIndex() + 1);
  }
  bool addStep(ElementOps &ops, AoirParser::StepContext &step);
  bool addArithmetic(ElementOps &ops, AoirParser::StepContext &step);
  std::optional<ElementOp::Kind> arithmetic(AoirParser::StepContext &step);

  FileId file;
  DiagnosticSink &sink;
  llvm::StringRef line;
  uint32_t lineBegin = 0;
  uint64_t ranksRead = 0;
};

} // namespace aoa::irtext

#endif // AOA_LIB_IRTEXT_LINEREADER_H
