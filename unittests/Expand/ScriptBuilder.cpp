//===- ScriptBuilder.cpp - Syntax trees for tests ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "ScriptBuilder.h"

#include "aoa/AST/ASTDiagnostics.h"
#include <gtest/gtest.h>

#include "llvm/ADT/StringExtras.h"

#include <stdexcept>

namespace aoa::expand::test {
namespace {

/// Reads one statement from left to right.
class Reader {
public:
  Reader(llvm::StringRef text, uint32_t base, bool bareArrays)
      : text(text), base(base), bareArrays(bareArrays) {}

  ast::Statement statement() {
    ast::Statement made;
    do
      made.left.push_back(name());
    while (take(","));
    uint32_t arrow = at;
    if (!take("->"))
      throw std::runtime_error("no arrow in " + text.str());
    made.arrow = range(arrow);
    bool attributes = false;
    do {
      ast::Name next = name();
      if (std::optional<ast::Clause> clause = clauseOf(next)) {
        made.clauses.push_back(std::move(*clause));
        continue;
      }
      if (take("=")) {
        attributes = true;
        made.attributes.push_back({next.text, next.range, value()});
        continue;
      }
      if (attributes && made.firstLateName == ~0u)
        made.firstLateName = made.right.size();
      made.right.push_back(std::move(next));
    } while (take(","));
    if (at != text.size())
      throw std::runtime_error("what is left of " + text.str());
    made.range = range(0);
    return made;
  }

private:
  void skipBlanks() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool take(llvm::StringRef token) {
    skipBlanks();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    skipBlanks();
    return true;
  }
  SourceRange range(uint32_t begin) const {
    return {FileId(0), base + begin, base + at};
  }
  std::string quoted(char quote) {
    size_t end = text.find(quote, at);
    std::string inside = text.slice(at, end).str();
    at = end + 1;
    return inside;
  }
  int64_t number() {
    llvm::StringRef digits = text.substr(at);
    int64_t value = 0;
    if (digits.consumeInteger(10, value))
      throw std::runtime_error("no number in " + text.str());
    at = text.size() - digits.size();
    return value;
  }

  ast::Name name() {
    skipBlanks();
    uint32_t begin = at;
    ast::Name made;
    if (text[at] == '"') {
      ++at;
      made.quoted = true;
      made.text = quoted('"');
    } else {
      llvm::StringRef rest = text.substr(at);
      size_t end = rest.find_first_of(
          " ,=[", rest.starts_with("${") ? rest.find('}') : 0);
      size_t arrow = rest.find("->");
      made.text = rest.take_front(std::min(end, arrow)).str();
      at += made.text.size();
    }
    if (bareArrays && at < text.size() && text[at] == '[') {
      uint32_t open = at++;
      int64_t first = number();
      take(":");
      int64_t last = number();
      take("]");
      made.array = std::make_shared<const ast::ArrayRange>(
          ast::ArrayRange{first, last, range(open)});
    }
    if (hasInterpolation(made.text)) {
      ExprResult<Expr> parsed = parseText(made.text, FileId(0), base + begin);
      if (!parsed)
        throw std::runtime_error(parsed.error().message);
      made.interpolation = std::make_shared<const Expr>(std::move(*parsed));
    }
    if (made.quoted || made.array)
      made.transposed = take("^T");
    else if (llvm::StringRef(made.text).ends_with("^T")) {
      made.text.resize(made.text.size() - 2);
      made.transposed = true;
    }
    made.maybe = take("?");
    if (!made.quoted && llvm::StringRef(made.text).ends_with("?")) {
      made.text.pop_back();
      made.maybe = true;
    }
    made.range = range(begin);
    return made;
  }

  /// `$X in 0..3`, `$X not in {a, b}`, `$X shortest`, of which `name` is read.
  std::optional<ast::Clause> clauseOf(const ast::Name &name) {
    ast::Clause clause;
    clause.placeholder = name.text;
    clause.range = name.range;
    using Kind = ast::Clause::Kind;
    if (take("shortest") || take("longest")) {
      clause.kind = text[at - 2] == 's' && text.substr(at - 8, 8) == "shortest"
                        ? Kind::Shortest
                        : Kind::Longest;
      return clause;
    }
    if (take("not "))
      clause.kind = Kind::NotIn;
    if (!take("in "))
      return std::nullopt;
    if (take("{")) {
      while (!take("}")) {
        size_t end = text.find_first_of(",}", at);
        clause.set.push_back(text.slice(at, end).trim().str());
        at = end;
        take(",");
      }
      return clause;
    }
    clause.first = value();
    take("..");
    clause.last = value();
    return clause;
  }

  ast::Value value() {
    skipBlanks();
    uint32_t begin = at;
    char c = text[at];
    ast::Value made;
    if (c == '"' || c == '\'') {
      ++at;
      made.data = ast::Text{quoted(c)};
    } else if (c == '[') {
      ++at;
      ast::List list;
      while (!take("]")) {
        list.push_back(value());
        take(",");
      }
      made.data = std::move(list);
    } else if (text.substr(at).starts_with("${")) {
      size_t end = text.find('}', at) + 1;
      ExprResult<Expr> parsed =
          parseExpression(text.slice(at, end), FileId(0), base + at);
      if (!parsed)
        throw std::runtime_error(parsed.error().message);
      made.data = std::make_shared<const Expr>(std::move(*parsed));
      at = end;
    } else if (llvm::isDigit(c) || c == '-') {
      made.data = number();
    } else {
      made.data = ast::Word{name().text};
    }
    made.range = range(begin);
    return made;
  }

  llvm::StringRef text;
  uint32_t base, at = 0;
  bool bareArrays;
};

void append(std::string &text, const ast::Value &value) {
  if (const auto *number = std::get_if<int64_t>(&value.data))
    text += std::to_string(*number);
  else if (const auto *word = std::get_if<ast::Word>(&value.data))
    text += word->text;
  else if (const auto *quoted = std::get_if<ast::Text>(&value.data))
    text += "\"" + quoted->text + "\"";
  else if (const auto *list = std::get_if<ast::List>(&value.data)) {
    text += "[";
    for (const ast::Value &entry : *list) {
      append(text, entry);
      text += ",";
    }
    if (text.back() == ',')
      text.pop_back();
    text += "]";
  }
}

PartitionInfo partitionOf(const TestTensor &tensor) {
  PartitionInfo partition;
  int64_t product = 1;
  for (size_t i = 0; i < tensor.parts.size(); ++i) {
    product *= tensor.parts[i];
    partition.dims.push_back(
        {tensor.parts[i], i < tensor.sizes.size() ? tensor.sizes[i] : Shape(),
         tensor.segmented && tensor.parts[i] > 1});
  }
  partition.numDistinctOffsets =
      tensor.numDistinctOffsets ? tensor.numDistinctOffsets : product;
  return partition;
}

} // namespace

ast::Script makeScript(const std::vector<std::string> &statements,
                       ast::Dialect dialect) {
  ast::Script script;
  script.file = FileId(0);
  script.dialect = dialect;
  uint32_t base = 0;
  for (const std::string &text : statements) {
    script.body.push_back({Reader(text, base, true).statement()});
    base += text.size() + 1;
  }
  script.numWritten = script.body.size();
  return script;
}

std::vector<std::string> textOf(const ast::Script &script) {
  std::vector<std::string> texts;
  for (const ast::Statement &statement : script.statements) {
    std::string text;
    auto names = [&](llvm::ArrayRef<ast::Name> list) {
      for (size_t i = 0; i < list.size(); ++i)
        text +=
            (i ? "," : "") + list[i].text + (list[i].transposed ? "^T" : "");
    };
    names(statement.left);
    text += "->";
    names(statement.right);
    for (const ast::Tag &tag : statement.tags)
      text += "," + tag.text;
    if (statement.copies)
      text += ",copy";
    for (const ast::Attribute &attribute : statement.attributes) {
      text += "," + attribute.name + "=";
      append(text, attribute.value);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

ExpandInputs TestEnds::inputs() const {
  ExpandInputs inputs;
  for (const auto &[name, tensor] : source)
    inputs.sourceNames.push_back(name);
  inputs.targetListsNames = targetLists;
  if (targetLists)
    for (const auto &[name, tensor] : target)
      inputs.targetNames.push_back(name);
  inputs.sourcePartition =
      [this](llvm::StringRef name) -> std::optional<PartitionInfo> {
    auto found = source.find(name.str());
    if (found == source.end())
      return std::nullopt;
    return partitionOf(found->second);
  };
  inputs.targetPartition = [this](llvm::StringRef name,
                                  unsigned) -> std::optional<PartitionInfo> {
    auto found = target.find(name.str());
    if (found == target.end())
      return std::nullopt;
    return partitionOf(found->second);
  };
  inputs.sourceRank = [this](llvm::StringRef name) -> std::optional<unsigned> {
    auto found = source.find(name.str());
    if (found == source.end())
      return std::nullopt;
    return found->second.parts.size();
  };
  inputs.maxStatements = maxStatements;
  inputs.maxNames = maxNames;
  inputs.maxValueBytes = maxValueBytes;
  inputs.maxExprSteps = maxExprSteps;
  inputs.parameters = &parameters;
  return inputs;
}

std::vector<std::string> Expanded::reports() const {
  std::vector<std::string> texts;
  for (const Diagnostic &diagnostic : diagnostics.list)
    if (diagnostic.kind != &diag::Portability) // Off by default.
      texts.push_back(std::string(diagnostic.kind->name) + ": " +
                      diagnostic.message);
  return texts;
}

Expanded expandTexts(const std::vector<std::string> &statements,
                     const TestEnds &ends, ast::Dialect dialect,
                     MacroSet enabled) {
  Expanded result;
  result.script = expandScript(makeScript(statements, dialect), ends.inputs(),
                               result.diagnostics, enabled);
  return result;
}

TestEnds source(const Texts &names) {
  TestEnds ends;
  for (const std::string &name : names)
    ends.source[name] = {};
  return ends;
}

void expectExpansion(const Texts &statements, const TestEnds &ends,
                     const Texts &expected, ast::Dialect dialect) {
  Expanded expanded = expandTexts(statements, ends, dialect);
  EXPECT_EQ(expanded.text(), expected);
  EXPECT_EQ(expanded.reports(), Texts());
}

void expectError(const Texts &statements, const TestEnds &ends,
                 const std::string &expected, ast::Dialect dialect) {
  Expanded expanded = expandTexts(statements, ends, dialect);
  EXPECT_EQ(expanded.reports(), Texts{expected});
  EXPECT_EQ(expanded.diagnostics.numErrors(), 1u);
}

} // namespace aoa::expand::test
