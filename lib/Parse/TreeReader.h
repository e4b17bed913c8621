//===- TreeReader.h - ANTLR's tree with the texts it stands for -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_TREEREADER_H
#define AOA_PARSE_TREEREADER_H

#include "AoaParser.h"
#include "CanonicalText.h"
#include "TokenList.h"

namespace aoa::parse {

/// What all parts of the tree builder have: access to ANTLR's nodes, and a note
/// that the item at hand has a fault.
class TreeReader {
public:
  TreeReader(const TokenList &list, DiagnosticSink &sink)
      : list(list), sink(sink) {}

protected:
  using Node = antlr4::ParserRuleContext;

  bool isPaddle() const { return list.dialect == ast::Dialect::Paddle; }

  // A child is a token or a rule; which one it is is known by its kind, so no
  // cast needs a run-time check.
  static Node *rule(antlr4::tree::ParseTree *node) {
    return antlrcpp::is<antlr4::tree::TerminalNode *>(node)
               ? nullptr
               : static_cast<Node *>(node);
  }
  static Node *rule(antlr4::tree::ParseTree *node, size_t index) {
    Node *found = rule(node);
    return found && found->getRuleIndex() == index ? found : nullptr;
  }
  /// The token of a node that is one, else null.
  const Token *token(antlr4::tree::ParseTree *node) const {
    auto *terminal = dynamic_cast<antlr4::tree::TerminalNode *>(node);
    return terminal ? &list.tokens[terminal->getSymbol()->getTokenIndex()]
                    : nullptr;
  }
  SourceRange rangeOf(const Node &node) const {
    const Token &first = list.tokens[node.start->getTokenIndex()];
    const Token &last = list.tokens[node.stop->getTokenIndex()];
    return {list.file, first.begin, last.end};
  }
  std::string textOf(const Node &node) const {
    return canonicalText(list, node.start->getTokenIndex(),
                         node.stop->getTokenIndex() + 1);
  }

  llvm::StringRef textOf(SourceRange range) const {
    return list.text.slice(range.begin, range.end);
  }

  void fault(Diagnostic report) {
    hasFault = true;
    sink.report(std::move(report));
  }
  void fault(const DiagnosticKind &kind, SourceRange range, std::string message,
             std::vector<FixIt> fixIts = {}) {
    fault({.kind = &kind,
           .range = range,
           .message = std::move(message),
           .fixIts = std::move(fixIts)});
  }

  const TokenList &list;
  DiagnosticSink &sink;
  bool hasFault = false; ///< In the item at hand.
};

} // namespace aoa::parse

#endif // AOA_PARSE_TREEREADER_H
