//===- SemaTest.h - Scripts as text for tests of the analysis ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The analysis stands below the parser's library, so its tests make trees of a
// few plain words by themselves; diagnostics are compared as text:
//
//   unknown-name at `t`: `t` is neither …
//     note at `t`: bound here, by a later statement
//
// Places of other files, which the tests give to tensors, are shown as `1:40`:
// file 1, byte 40.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_SEMA_SEMATEST_H
#define AOA_UNITTESTS_SEMA_SEMATEST_H

#include "aoa/AST/ASTDiagnostics.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Sema/SemaDiagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

namespace aoa::test {

/// Reads statements (lines) of names, `^T`, quoted names, the word `copy`,
/// attributes with words, texts, numbers and lists.
class TinyParser {
public:
  TinyParser(llvm::StringRef text, ast::Dialect dialect) : text(text) {
    script.file = FileId(0);
    script.dialect = dialect;
  }

  ast::Script parse() {
    while (skipBlanks(" \n"), at < text.size())
      script.statements.push_back(statement());
    script.numWritten = script.statements.size();
    return std::move(script);
  }

private:
  void skipBlanks(llvm::StringRef blanks) {
    while (at < text.size() && blanks.contains(text[at]))
      ++at;
  }
  bool eat(llvm::StringRef token) {
    skipBlanks(" ");
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  SourceRange from(size_t begin) {
    return {FileId(0), uint32_t(begin), uint32_t(at)};
  }
  llvm::StringRef word() {
    skipBlanks(" ");
    size_t begin = at;
    while (at < text.size() &&
           (llvm::isAlnum(text[at]) ||
            llvm::StringRef("._%-/").contains(text[at])) &&
           !text.substr(at).starts_with("->"))
      ++at;
    return text.slice(begin, at);
  }
  std::string string(char quote) {
    size_t begin = at;
    at = text.find(quote, at) + 1;
    return text.slice(begin, at - 1).str();
  }
  ast::Value value() {
    skipBlanks(" ");
    size_t begin = at;
    ast::Value value;
    int64_t number;
    if (eat("'"))
      value.data = ast::Text{string('\'')};
    else if (eat("[")) {
      ast::List list;
      while (!eat("]")) {
        list.push_back(this->value());
        eat(",");
      }
      value.data = std::move(list);
    } else if (llvm::StringRef w = word(); !w.getAsInteger(10, number))
      value.data = number;
    else if (double real; !w.getAsDouble(real))
      value.data = real;
    else
      value.data = ast::Word{w.str()};
    value.range = from(begin);
    return value;
  }
  ast::Name name() {
    skipBlanks(" ");
    size_t begin = at;
    ast::Name name;
    if (eat("\"")) {
      name.text = string('"');
      name.quoted = true;
    } else
      name.text = word().str();
    name.range = from(begin);
    name.transposed = eat("^T");
    return name;
  }
  ast::Statement statement() {
    size_t begin = at;
    ast::Statement statement;
    do
      statement.left.push_back(name());
    while (eat(","));
    size_t arrow = at;
    eat("->");
    statement.arrow = from(arrow);
    do {
      size_t restart = at;
      ast::Name next = name();
      if (eat("=")) {
        at = restart;
        ast::Attribute attribute;
        skipBlanks(" ");
        size_t start = at;
        attribute.name = word().str();
        attribute.range = from(start);
        eat("=");
        attribute.value = value();
        statement.attributes.push_back(std::move(attribute));
        continue;
      }
      if (!statement.attributes.empty() && statement.firstLateName == ~0u)
        statement.firstLateName = statement.right.size();
      if (next.text == "copy" && !next.quoted)
        statement.copies = true;
      else
        statement.right.push_back(std::move(next));
    } while (eat(","));
    statement.range = from(begin);
    return statement;
  }

  llvm::StringRef text;
  size_t at = 0;
  ast::Script script;
};

/// `{"a", DType::F32, {2, 2}}`; sorted as catalogs are.
inline Catalog catalogOf(std::vector<Tensor> tensors) {
  Catalog catalog;
  catalog.tensors = std::move(tensors);
  std::sort(catalog.tensors.begin(), catalog.tensors.end(),
            [](const Tensor &a, const Tensor &b) { return a.name < b.name; });
  return catalog;
}

struct Analysis {
  std::string text;
  ast::Script script;
  Catalog source;
  DiagnosticList diagnostics;
  ir::Program program;

  std::string at(SourceRange range) const {
    if (!range.isKnown())
      return "";
    if (range.file != script.file)
      return " at " + std::to_string(range.file.index()) + ":" +
             std::to_string(range.begin);
    return " at `" + text.substr(range.begin, range.end - range.begin) + "`";
  }
  /// What a fix replaces, or the word that it stands behind.
  std::string fixPlace(SourceRange range) const {
    if (range.begin != range.end)
      return at(range);
    llvm::StringRef before = llvm::StringRef(text).take_front(range.begin);
    return " behind `" + before.substr(before.find_last_of(" \n") + 1).str() +
           "`";
  }
  /// What is reported, without the kind that is off by default.
  std::string report() const { return reportOf(diagnostics.list); }
  std::string portability() const {
    return reportOf(diagnostics.list, /*ofPortability=*/true);
  }
  std::string reportOf(const std::vector<Diagnostic> &list,
                       bool ofPortability = false) const {
    std::string out;
    for (const Diagnostic &d : list) {
      if ((d.kind == &diag::Portability) != ofPortability)
        continue;
      out += std::string(d.kind->name) + at(d.range) + ": " + d.message + "\n";
      for (const Note &note : d.notes)
        out += "  note" + at(note.range) + ": " + note.message + "\n";
      for (const FixIt &fix : d.fixIts)
        out += "  fix" + fixPlace(fix.range) + ": `" + fix.text + "`\n";
    }
    return out;
  }
  /// `name: F32 [2, 2]` a line.
  std::string results() const {
    std::string out;
    for (const ir::Result &result : program.results) {
      const ir::Value &value = program.value(result.value);
      out += result.name + ": " + std::string(nameOf(value.dtype)) + " " +
             formatShape(Shape(value.shape.begin(), value.shape.end())) +
             (result.leftToCaller ? " left to the caller" : "") + "\n";
    }
    return out;
  }
  std::string graph() const {
    std::string out;
    llvm::raw_string_ostream os(out);
    print(os, program, ir::Stage::Graph);
    return out.substr(out.find("graph {"));
  }
};

inline std::unique_ptr<Analysis> run(std::string text,
                                     std::vector<Tensor> source,
                                     Target target = {},
                                     ast::Dialect dialect = ast::Dialect::Aoa) {
  auto analysis = std::make_unique<Analysis>();
  analysis->text = std::move(text);
  analysis->script = TinyParser(analysis->text, dialect).parse();
  analysis->source = catalogOf(std::move(source));
  analysis->program = analyze(analysis->script, analysis->source, target,
                              analysis->diagnostics);
  if (analysis->diagnostics.numErrors() == 0) {
    EXPECT_EQ(ir::verify(analysis->program), std::nullopt);
  }
  return analysis;
}

} // namespace aoa::test

#endif // AOA_UNITTESTS_SEMA_SEMATEST_H
