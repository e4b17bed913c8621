//===- Portability.cpp - What --std=paddle makes of a statement -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// For -Wportability: where a statement of the aoa dialect means something else
// with --std=paddle, or is refused there. One report a statement that the user
// wrote, of the first reason found. What is gone after the expansion (clauses,
// `${…}`) is not seen here.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"
#include "AttributeNames.h"
#include "aoa/AST/ASTDiagnostics.h"

using namespace aoa;
using namespace aoa::sema;
using ast::Dialect;

namespace {

/// What is different, and where.
struct Difference {
  std::string message;
  SourceRange range;
};
using Found = std::optional<Difference>;

Found differenceOf(const ast::Name &name) {
  auto refused = [&](const std::string &why) {
    return Difference{quote(name.text) + " " + why, name.range};
  };
  if (name.quoted)
    return refused("is quoted, which --std=paddle refuses");
  if (NameTable::isTemporary(name.text))
    return refused("is a temporary, which --std=paddle does not have");
  if (!ast::isBareName(name.text, Dialect::Paddle))
    return refused("is no name with --std=paddle");
  return std::nullopt;
}

Found differenceOf(const ast::Attribute &attribute) {
  llvm::StringRef name = attribute.name;
  if (!isAttributeName(name, Dialect::Paddle))
    return Difference{quote(name) + ", which --std=paddle does not have",
                      attribute.range};
  if (name == "reshape")
    return Difference{"`reshape` is read literally; with --std=paddle it works "
                      "in both directions",
                      attribute.range};
  bool isList = std::holds_alternative<ast::List>(attribute.value.data);
  if (isList || std::holds_alternative<ast::Word>(attribute.value.data))
    return Difference{"the value of " + quote(name) +
                          " stands without quotes, which --std=paddle refuses",
                      attribute.value.range};
  if (const auto *number = std::get_if<int64_t>(&attribute.value.data))
    if (*number < 0)
      return Difference{"a negative " + quote(name) +
                            ", which --std=paddle refuses",
                        attribute.value.range};
  const auto *text = std::get_if<ast::Text>(&attribute.value.data);
  if (text && (name == "dtype" || name == "dst_dtype") &&
      text->text != "float16" && text->text != "bfloat16" &&
      text->text != "float32")
    return Difference{"a cast to " + quote(text->text) +
                          ", which --std=paddle refuses",
                      attribute.value.range};
  return std::nullopt;
}

bool isPair(llvm::ArrayRef<ast::Attribute> attributes) {
  return attributes.size() == 2 && attributes[0].name == "src_dtype" &&
         attributes[1].name == "dst_dtype";
}

/// What the words and numbers of names of the statement say.
Found differenceOfForm(const ast::Statement &statement) {
  const auto &left = statement.left, &right = statement.right;
  if (statement.copies || statement.isOptional)
    return Difference{std::string(statement.copies ? "`copy`" : "`optional`") +
                          ", which --std=paddle takes for a name",
                      statement.range};
  auto discarded = llvm::find_if(
      right, [](const ast::Name &name) { return name.isDiscard(); });
  if (discarded != right.end() && right.size() > 1)
    return Difference{"`_` leaves a part out; with --std=paddle it is a name "
                      "like others",
                      discarded->range};
  if (discarded != right.end() && left.size() > 1)
    return Difference{"a removal of several tensors, which --std=paddle does "
                      "not have",
                      statement.arrow};
  if (left.size() > 1 && statement.attributes.empty())
    return Difference{"a merge without `axis`, which --std=paddle refuses",
                      statement.arrow};
  if (statement.attributes.size() > 1 && !isPair(statement.attributes))
    return Difference{"several operations in one statement, which --std=paddle "
                      "refuses",
                      statement.attributes[1].range};
  return std::nullopt;
}

Found differenceOf(const ast::Statement &statement) {
  if (Found found = differenceOfForm(statement))
    return found;
  for (const auto *names : {&statement.left, &statement.right})
    for (const ast::Name &name : *names)
      if (Found found = differenceOf(name))
        return found;
  for (const ast::Attribute &attribute : statement.attributes)
    if (Found found = differenceOf(attribute))
      return found;
  return std::nullopt;
}

} // namespace

/// Upstream's templates and stars see names of the source only.
static Found differenceOfTemplate(const ast::Script &script,
                                  const ast::Statement &statement,
                                  NameTable &names) {
  if (statement.expansion.isNone())
    return std::nullopt;
  llvm::StringRef macro = script.expansions[statement.expansion.index()].macro;
  if (macro != "*" && !macro.starts_with("$"))
    return std::nullopt;
  if (macro != "*" && macro != "$LAYER_ID" && macro != "$EXPERT_ID" &&
      macro != "$LAYER_ID_OFFSET")
    return Difference{"placeholder " + quote(macro) +
                          ", which --std=paddle does not have",
                      statement.range};
  for (const ast::Name &name : statement.left) {
    const Meaning *bound = names.findBound(NameTable::keyOf(name));
    // What the statement itself binds are temporaries of its expansion.
    if (bound && bound->statement->range != statement.range &&
        !names.findSource(name.text))
      return Difference{"the template reads " + quote(name.text) +
                            ", which the script binds; with --std=paddle it "
                            "sees names of the source only",
                        name.range};
  }
  return std::nullopt;
}

void Analyzer::warnPortability(const ast::Statement &statement) {
  if (isPaddle() || statement.range == lastUnportable)
    return;
  Found found = differenceOf(statement);
  if (!found)
    found = differenceOfTemplate(script, statement, names);
  if (!found)
    return;
  lastUnportable = statement.range;
  reporter.report(diag::Portability, statement, found->range,
                  std::move(found->message));
}
