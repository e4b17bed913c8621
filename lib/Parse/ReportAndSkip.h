//===- ReportAndSkip.h - What the parser does about a fault -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_REPORTANDSKIP_H
#define AOA_PARSE_REPORTANDSKIP_H

#include "AoaParser.h"
#include "TokenList.h"

namespace aoa::parse {

/// Returns what reports a fault in our words and goes on behind the item that
/// has it. The rules within an item pass their faults on to it. A broken head
/// goes on at its `{`; without one, the block is read as if it were there.
/// Cost: linear in the tokens, once, and in those that are skipped.
std::shared_ptr<antlr4::ANTLRErrorStrategy>
makeReportAndSkip(const TokenList &list, DiagnosticSink &sink);

} // namespace aoa::parse

#endif // AOA_PARSE_REPORTANDSKIP_H
