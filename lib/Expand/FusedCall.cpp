//===- FusedCall.cpp - A statement with a tag, taken apart ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FusedCall.h"

#include "NameChain.h"
#include "OptimizerStates.h"
#include "Temporaries.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

FusedCall::FusedCall(Expander &expander, size_t index,
                     const ast::Statement &statement, Statements &out)
    : expander(expander), index(index), statement(statement),
      tag(statement.tags.front()), out(out),
      expansion(expander.result.addExpansion(
          {statement.expansion, tag.text, tag.range, ""})) {}

void FusedCall::error(const DiagnosticKind &kind, SourceRange range,
                      std::string message) {
  expander.report(kind, statement, range, std::move(message));
}

std::optional<int64_t> FusedCall::wholeNumber(const ast::Attribute &attribute) {
  if (const auto *number = std::get_if<int64_t>(&attribute.value.data))
    return *number;
  error(diag::MacroAttribute, attribute.value.range,
        quoted(attribute.name) + " is " + ast::printValue(attribute.value) +
            ", expected a whole number");
  return std::nullopt;
}

bool FusedCall::readAttributes(bool hasHeads) {
  llvm::SmallVector<llvm::StringRef, 3> seen;
  for (const ast::Attribute &attribute : statement.attributes) {
    llvm::StringRef name = attribute.name;
    bool isHeads = name == "num_heads" || name == "num_key_value_groups";
    // Upstream reads no heads for fused_ffn and takes no notice of them.
    if (isHeads && !hasHeads && expander.isPaddle())
      continue;
    if (name != "axis" && !(isHeads && hasHeads)) {
      error(diag::MacroAttribute, attribute.range,
            quoted(name) + " cannot stand with " + macro() +
                "; write it as a statement of its own");
      return false;
    }
    if (llvm::is_contained(seen, name)) {
      error(diag::MacroAttribute, attribute.range,
            quoted(name) + " stands twice");
      return false;
    }
    seen.push_back(name);
    std::optional<int64_t> value = wholeNumber(attribute);
    if (!value)
      return false;
    if (isHeads && *value <= 0) {
      error(diag::MacroAttribute, attribute.value.range,
            quoted(name) + " is " + std::to_string(*value) +
                ", expected at least 1");
      return false;
    }
    (name == "axis"        ? axis
     : name == "num_heads" ? numHeads
                           : numGroups) = *value;
  }
  for (llvm::StringRef name : {"num_heads", "num_key_value_groups"})
    if (hasHeads && !llvm::is_contained(seen, name)) {
      error(diag::MacroAttribute, tag.range,
            macro() + " needs " + quoted(name));
      return false;
    }
  if (hasHeads && numHeads % numGroups != 0) {
    error(diag::MacroAttribute, tag.range,
          std::to_string(numHeads) + " heads do not divide into " +
              std::to_string(numGroups) + " key/value groups");
    return false;
  }
  for (const ast::Name &name :
       llvm::concat<const ast::Name>(statement.left, statement.right)) {
    if (expander.isPaddle() && modelName(name.text) != name.text) {
      error(diag::OptimizerStateInMacro, name.range,
            quoted(name.text) +
                " names an optimizer state, which follow "
                "their tensor by themselves: write " +
                quoted(modelName(name.text)));
      return false;
    }
  }
  if (statement.copies) {
    error(diag::MacroAttribute, tag.range,
          "`copy` cannot stand with " + macro() +
              "; write it as a statement of its own");
    return false;
  }
  bool discards = llvm::any_of(
      statement.left, [&](const auto &name) { return isDiscarded(name); });
  if (discards || (statement.right.size() == 1 && isDiscarded(right(0)))) {
    error(diag::MacroArity, tag.range, macro() + " cannot act on `_`");
    return false;
  }
  return true;
}

void FusedCall::reportArity(llvm::StringRef forms) {
  WordHint hint = wordHint(statement, expander.result.dialect);
  expander.report(diag::MacroArity, statement, tag.range,
                  macro() + " is given " +
                      std::to_string(statement.left.size()) + " to " +
                      std::to_string(statement.right.size()) +
                      " names, expected " + forms.str() + hint.text,
                  {}, hint.fixIts);
}

std::optional<FusedCall::Parts> FusedCall::makeParts(const llvm::Twine &base,
                                                     int64_t count,
                                                     const ast::Name &origin) {
  if (!expander.takeNames(statement, count))
    return std::nullopt;
  if (isDiscarded(origin))
    return Parts(count, origin);
  Parts parts;
  parts.reserve(count);
  std::string text = base.str();
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(expander.temporaries->make(
        statement, text + std::to_string(i), origin));
  return parts;
}

ast::Name FusedCall::makeTemporary(std::string base) {
  return expander.temporaries->make(statement, std::move(base), left(0));
}

void FusedCall::emit(Parts leftNames, Parts rightNames) {
  ast::Statement &made = out.emplace_back(makeStatement(statement, expansion));
  made.left.assign(std::make_move_iterator(leftNames.begin()),
                   std::make_move_iterator(leftNames.end()));
  made.right.assign(std::make_move_iterator(rightNames.begin()),
                    std::make_move_iterator(rightNames.end()));
  // A single part is the whole: a rename. Upstream writes the axis all the
  // same.
  if (made.left.size() == 1 && made.right.size() == 1 && !expander.isPaddle())
    return;
  const ast::Attribute *given = statement.find("axis");
  made.attributes.push_back(
      given ? *given : ast::Attribute{"axis", tag.range, {axis, tag.range}});
}

void FusedCall::split(const ast::Name &whole, Parts parts) {
  emit({whole}, std::move(parts));
}

void FusedCall::merge(Parts parts, const ast::Name &whole) {
  if (!isDiscarded(whole))
    emit(std::move(parts), {whole});
}

ast::Name FusedCall::tie(Parts copies) {
  if (isDiscarded(copies.front()))
    return copies.front();
  ast::Name tied = expander.temporaries->make(
      statement, copies.front().text + "_tied", copies.front());
  ast::Statement &made = out.emplace_back(makeStatement(statement, expansion));
  made.left.assign(std::make_move_iterator(copies.begin()),
                   std::make_move_iterator(copies.end()));
  made.right.push_back(tied);
  made.attributes.push_back(
      {"tie", tag.range, {ast::Word{"verify"}, tag.range}});
  // The states of copies are copies as well.
  made.attributes.push_back(
      {"states", tag.range, {ast::Word{"copy"}, tag.range}});
  return tied;
}

std::optional<int64_t> FusedCall::sourceDegree() const {
  return expand::sourceDegree(question());
}

std::optional<int64_t> FusedCall::targetDegree() const {
  return expand::targetDegree(question());
}

void FusedCall::setArranged(int64_t degree) {
  expander.chain->setDegree(index, degree);
}

} // namespace aoa::expand
