//===- BuildTree.h - From ANTLR's tree to ours ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_BUILDTREE_H
#define AOA_PARSE_BUILDTREE_H

#include "AoaParser.h"
#include "TokenList.h"

namespace aoa::parse {

/// Makes the statements of a script and reports what the grammar leaves open:
/// numbers too large, suffixes out of place, what a dialect does not have,
/// statements without a separator. A statement with a fault is left out.
ast::Script buildTree(grammar::AoaParser::ProgramContext &program,
                      const TokenList &list, DiagnosticSink &sink);

} // namespace aoa::parse

#endif // AOA_PARSE_BUILDTREE_H
