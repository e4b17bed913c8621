//===- TellTagsApart.cpp - Right names that are words -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser takes every bare word of the right side for a name. A word that is
// a macro's tag, behind at least one name, becomes a tag: anywhere in the aoa
// dialect, only directly behind the names in the paddle dialect. aoa has the
// words `copy` and `optional` in the same places.
//===----------------------------------------------------------------------===//

#include "Expander.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

WordHint wordHint(const Expander &expander, const ast::Statement &statement) {
  WordHint hint;
  if (statement.right.empty() || !expander.givesHints())
    return hint;
  llvm::SmallVector<llvm::StringRef, 8> words(expander.macros.tags().begin(),
                                              expander.macros.tags().end());
  if (!expander.isPaddle())
    words.append({"copy", "optional"});
  for (const ast::Name &name : llvm::drop_begin(statement.right)) {
    if (name.quoted || name.array || name.transposed)
      continue;
    std::optional<std::string> word = nearestName(name.text, words).best();
    if (!word)
      continue;
    // `fused_q, fused_k, fused_v` are names.
    if (!hint.text.empty())
      return {};
    hint.text = "; did you mean the " +
                std::string(expander.macros.isTag(*word) ? "tag " : "word ") +
                quoted(*word) + " by " + quoted(name.text) + "?";
    if (statement.expansion.isNone())
      hint.fixIts = {{name.range, *word}};
  }
  return hint;
}

/// `q, k, v -> fused_qkv, num_heads=8` forgets the name.
static bool isFirstNameATag(const Expander &expander,
                            const ast::Statement &statement) {
  return !statement.right.empty() && !statement.right.front().quoted &&
         expander.macros.isTag(statement.right.front().text);
}

/// Reports what only makes sense with a tag in a statement without one.
static bool checkUntagged(Expander &expander, const ast::Statement &statement) {
  if (!statement.tags.empty())
    return true;
  for (llvm::StringRef name : {"num_heads", "num_key_value_groups"})
    if (const ast::Attribute *attribute = statement.find(name)) {
      WordHint hint = wordHint(expander, statement);
      bool isFirst = isFirstNameATag(expander, statement);
      expander.report(diag::MacroAttribute, statement, attribute->range,
                      quoted(name) +
                          " belongs to `fused_qkv` and "
                          "`fused_qkv_old`, and the statement "
                          "carries neither" +
                          (isFirst
                               ? "; " + quoted(statement.right.front().text) +
                                     " is its first right name, a tag stands "
                                     "behind the names"
                               : hint.text),
                      {}, isFirst ? std::vector<FixIt>() : hint.fixIts);
      return false;
    }
  // Cuts that say where, and copies, have several right names by themselves.
  bool isCut = statement.copies ||
               llvm::any_of(statement.attributes, [](const auto &attribute) {
                 return attribute.name == "axis" || attribute.name == "unstack";
               });
  if (isCut)
    return true;
  WordHint hint = wordHint(expander, statement);
  if (hint.text.empty())
    return true;
  expander.report(diag::MisspeltTag, statement, statement.right.back().range,
                  "split of " + quoted(statement.left.front().text) + " in " +
                      std::to_string(statement.right.size()) +
                      " names without `axis`" + hint.text,
                  {}, hint.fixIts);
  return false;
}

bool tellTagsApart(Expander &expander, ast::Statement &statement) {
  auto report = [&](const DiagnosticKind &kind, SourceRange range,
                    std::string message) {
    expander.report(kind, statement, range, std::move(message));
    return false;
  };
  llvm::SmallVector<ast::Name, 2> names;
  unsigned firstLate = ~0u;
  for (size_t i = 0; i < statement.right.size(); ++i) {
    ast::Name &name = statement.right[i];
    bool isLate = i >= statement.firstLateName;
    bool couldBeTag =
        !name.quoted && !name.array && !name.transposed && !names.empty();
    bool isFlag = name.text == "copy" || name.text == "optional";
    if (couldBeTag && isFlag && !name.maybe && !expander.isPaddle()) {
      bool &flag =
          name.text == "copy" ? statement.copies : statement.isOptional;
      if (flag)
        return report(diag::RepeatedWord, name.range,
                      quoted(name.text) +
                          " stands twice; a tensor of that name is written in "
                          "quotes");
      flag = true;
      continue;
    }
    if (couldBeTag && !expander.isPaddle())
      if (auto later = expander.laterMacros.find(name.text);
          later != expander.laterMacros.end()) {
        expander.report(diag::MacroBeforeDefinition, statement, name.range,
                        "the macro " + quoted(name.text) +
                            " is used before it is defined",
                        {{later->second, "defined here"}});
        return false;
      }
    if (!couldBeTag || !expander.macros.isTag(name.text)) {
      if (expander.isPaddle() && isLate)
        return report(diag::MisplacedTag, name.range,
                      quoted(name.text) +
                          " stands behind an attribute; in the paddle dialect "
                          "names come before attributes");
      if (expander.isPaddle() && !statement.tags.empty())
        return report(
            diag::MisplacedTag, name.range,
            quoted(name.text) + " stands behind the tag " +
                quoted(statement.tags.front().text) +
                "; in the paddle dialect a tag follows the last name");
      if (isLate && firstLate == ~0u)
        firstLate = names.size();
      names.push_back(std::move(name));
      continue;
    }
    if (expander.isPaddle() && isLate)
      return report(diag::MisplacedTag, name.range,
                    "the tag " + quoted(name.text) +
                        " stands behind an attribute; in the paddle dialect it "
                        "directly follows the names");
    if (!statement.tags.empty())
      return report(diag::SeveralMacros, name.range,
                    "the statement carries both " +
                        quoted(statement.tags.front().text) + " and " +
                        quoted(name.text));
    statement.tags.push_back({name.text, name.range});
  }
  statement.right = std::move(names);
  statement.firstLateName = firstLate;
  return checkUntagged(expander, statement);
}

} // namespace aoa::expand
