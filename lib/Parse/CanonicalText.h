//===- CanonicalText.h - Tokens with the blanks they need -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_CANONICALTEXT_H
#define AOA_PARSE_CANONICALTEXT_H

#include "TokenList.h"

namespace aoa::parse {

/// Whether canonical text has a blank between the tokens `index - 1` and
/// `index`, both of one statement: behind `,`, around the words of a clause,
/// behind the words that begin a statement, and around the operators of an
/// expression where the user has one (`n+1` and `n + 1` stay as they are).
/// Everything else stands together.
bool hasBlankBefore(const TokenList &list, size_t index);

/// The text of the tokens [begin, end), on one line and without comments. It
/// reads back as the same tokens.
std::string canonicalText(const TokenList &list, size_t begin, size_t end);

/// Whether a value may end in a token of the kind.
bool endsOperand(unsigned kind);

} // namespace aoa::parse

#endif // AOA_PARSE_CANONICALTEXT_H
