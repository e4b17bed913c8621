//===- ParserFuzzer.cpp - Any text through parser, printer, formatter -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Every text is read in both dialects. Reports point into it; a script without
// errors prints and formats to text that parses to the same tree, and
// formatting a second time changes nothing.
//===----------------------------------------------------------------------===//
#include "ParsedText.h"
#include "TreeOutline.h"

#include <cstdlib>

using namespace aoa;

namespace {

void require(bool holds, llvm::StringRef what, llvm::StringRef text) {
  if (holds)
    return;
  llvm::errs() << what << ":\n" << text << "\n";
  std::abort();
}

void checkReports(const ParsedText &parsed) {
  size_t size = parsed.sources.text(parsed.file).size();
  for (const Diagnostic &report : parsed.found.list) {
    require(report.range.begin <= report.range.end && report.range.end <= size,
            "a report points outside of the text", report.message);
    require(!report.message.empty(), "a report says nothing",
            report.kind->name);
  }
}

/// Requires that `text`, made of `original`, parses to the same tree.
void requireSameTree(const std::string &text, const ParsedText &original,
                     llvm::StringRef what) {
  ParsedText again(text, original.script.dialect);
  require(again.found.list.empty(), what, text);
  require(outline(again.script) == outline(original.script), what, text);
}

void checkFormatting(ParsedText &parsed) {
  ast::Dialect dialect = parsed.script.dialect;
  auto once = formatScript(parsed.sources, parsed.file, dialect, parsed.found);
  require(once.has_value(), "what parses does not format", parsed.printed());
  requireSameTree(*once, parsed, "formatting changes the tree");
  ParsedText second(*once, dialect);
  auto twice = formatScript(second.sources, second.file, dialect, second.found);
  require(twice == once, "formatting twice changes the text", *once);
}

void checkText(const std::string &text, ast::Dialect dialect) {
  ParsedText parsed(text, dialect);
  checkReports(parsed);
  std::string tokens;
  llvm::raw_string_ostream os(tokens);
  printTokens(parsed.sources, parsed.file, dialect, os);
  if (parsed.found.numErrors() != 0)
    return;
  requireSameTree(parsed.printed(), parsed, "printing changes the tree");
  checkFormatting(parsed);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  checkText(text, ast::Dialect::Aoa);
  checkText(text, ast::Dialect::Paddle);
  return 0;
}
