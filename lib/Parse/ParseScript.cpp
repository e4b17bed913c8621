//===- ParseScript.cpp - From text to syntax tree ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "BuildTree.h"
#include "ScriptParser.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

namespace aoa {

namespace {
/// Reports the first byte that is no UTF-8 and returns false.
bool checkUtf8(const SourceManager &sources, FileId file,
               DiagnosticSink &sink) {
  llvm::StringRef text = sources.text(file);
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  if (llvm::isLegalUTF8String(&at, end))
    return true;
  auto offset = static_cast<uint32_t>(
      at - reinterpret_cast<const llvm::UTF8 *>(text.begin()));
  sink.report({&diag::ScriptNotUtf8,
               {file, offset, offset + 1},
               "byte 0x" + llvm::toHex(text.substr(offset, 1)) + " at offset " +
                   std::to_string(offset) + " is not UTF-8 text"});
  return false;
}

/// Passes on what was found in the order of the text: the parser reports a
/// block that is not closed at the end, the tree what it finds behind all of
/// the parser's.
void reportInOrder(const DiagnosticList &found, DiagnosticSink &sink) {
  std::vector<std::pair<uint32_t, size_t>> order;
  for (const Diagnostic &report : found.list)
    order.push_back({report.range.begin, order.size()});
  llvm::sort(order);
  for (auto [begin, index] : order)
    sink.report(found.list[index]);
}
} // namespace

ast::Script parseScript(const SourceManager &sources, FileId file,
                        ast::Dialect dialect, DiagnosticSink &sink) {
  ast::Script script;
  script.file = file;
  script.dialect = dialect;
  if (!checkUtf8(sources, file, sink))
    return script;
  parse::TokenList list = parse::readTokens(sources, file, dialect);
  if (!parse::checkNesting(list, sink))
    return script;
  parse::ScriptParser parser(list);
  DiagnosticList found;
  script = parse::buildTree(*parser.parse(found), list, found);
  reportInOrder(found, sink);
  return script;
}

} // namespace aoa
