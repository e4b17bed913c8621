//===- IRText.h - Programs from text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads what ir::print writes; the grammar is grammar/Aoir*.g4. Printing what
// was read gives the same bytes. What a program has and its text lacks: the
// statements behind operations (their places are lines of the text), storages
// of the source, tensors of it that no operation reads.
//===----------------------------------------------------------------------===//
#ifndef AOA_IRTEXT_IRTEXT_H
#define AOA_IRTEXT_IRTEXT_H

#include "aoa/Basic/SourceManager.h"
#include "aoa/IR/Program.h"

#include <memory>

namespace aoa {

struct ParsedProgram {
  std::unique_ptr<Catalog> source; ///< What `program` refers to.
  ir::Program program;
};

/// Parses the text of `file`. Reports all independent errors, a hundred at
/// most, and returns nothing then. A program that is returned passes
/// ir::verify; its pieces are sound, but may overlap, leave holes or reach
/// outside of a tensor: that is for passes to say. Cost: linear; memory for a
/// line at a time beside the program.
std::optional<ParsedProgram> parseProgram(const SourceManager &sources,
                                          FileId file, DiagnosticSink &sink);

/// Prints `program`, parses the text and puts what was parsed in its place,
/// with what the text lacks taken over. Returns what did not come back as it
/// was: a bug of printer or parser.
std::optional<std::string> roundTrip(ir::Program &program);

} // namespace aoa

#endif // AOA_IRTEXT_IRTEXT_H
