//===- SyntaxErrors.h - Wording of what the grammar refuses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_SYNTAXERRORS_H
#define AOA_PARSE_SYNTAXERRORS_H

#include "TokenList.h"

namespace aoa::parse {

/// Says why the token `index` cannot stand where it stands. `rule` is the rule
/// of AoaParser that refused it, `statementBegin` the first token of the
/// statement that holds it (its own index where a statement should begin).
Diagnostic wordSyntaxError(const TokenList &list, size_t index, size_t rule,
                           size_t statementBegin);

/// Whether the token is a reserved word where the rest reads as if it were a
/// name: `in -> x`.
bool isUsedAsName(const TokenList &list, size_t index);

/// Says that the `{` at `index` has no `}`, with a note at a block inside whose
/// braces are indented as if it were the one. Cost: linear.
Diagnostic wordUnclosedBlock(const TokenList &list, size_t index);

/// How a message shows a token: its text in backticks, "the end of the line".
std::string describeToken(const TokenList &list, size_t index);

} // namespace aoa::parse

#endif // AOA_PARSE_SYNTAXERRORS_H
