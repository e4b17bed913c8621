//===- JoinOrCut.cpp - What joins the left names, or cuts -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "JoinOrCut.h"

using namespace aoa;
using namespace aoa::sema;
using Kind = JoinOrCut::Kind;

bool JoinOrCutReader::isSaidBy(llvm::StringRef name) const {
  if (name == "sizes" || name == "groups" || name == "tie")
    return true;
  return (name == "stack" || name == "unstack") && (joins() || cuts());
}

bool JoinOrCutReader::say(Kind kind, const ast::Attribute &attribute,
                          size_t numBefore) {
  if (found.kind != Kind::None)
    return attribute.name == word
               ? fail(diag::DuplicateAttribute, attribute.range,
                      quote(word) + " stands twice in one statement")
               : fail(diag::OneOperation, attribute.range,
                      quote(attribute.name) + " and " + quote(word) +
                          " in one statement: one operation joins or cuts");
  found.kind = kind;
  found.range = attribute.range;
  word = attribute.name;
  wordBehind = numBefore;
  return true;
}

bool JoinOrCutReader::read(const ast::Attribute &attribute, size_t numBefore) {
  llvm::StringRef name = attribute.name;
  if (name == "tie") {
    static constexpr llvm::StringLiteral words[] = {"verify", "first"};
    auto index = values.word(attribute, words);
    if (!index || !say(Kind::Tie, attribute, numBefore))
      return false;
    found.verifies = *index == 0;
    return true;
  }
  if (name == "stack" || name == "unstack") {
    auto axis = values.wholeNumber(attribute);
    if (!axis || !say(name == "stack" ? Kind::Stack : Kind::Unstack, attribute,
                      numBefore))
      return false;
    found.axis = PlacedNumber{*axis, attribute.value.range};
    return true;
  }
  for (const ast::Attribute *other : ofMerge)
    if (other->name == name)
      return fail(diag::DuplicateAttribute, attribute.range,
                  quote(name) + " stands twice in one statement");
  ofMerge.push_back(&attribute);
  if (name == "groups") {
    auto groups = values.count(attribute);
    if (groups)
      found.groups = PlacedNumber{*groups, attribute.value.range};
    return groups.has_value();
  }
  auto sizes = values.entries(attribute, "extents", "[3, 1, 2]");
  found.sizesRange = attribute.value.range;
  if (sizes)
    found.sizes = std::move(*sizes);
  return sizes.has_value();
}

bool JoinOrCutReader::takeAxis(const ast::Attribute &attribute,
                               PlacedNumber axis) {
  for (const ast::Attribute *other : ofMerge)
    if (other->name == "axis")
      return fail(diag::DuplicateAttribute, attribute.range,
                  "`axis` stands twice, and no operation but the " +
                      std::string(cuts() ? "split" : "merge") + " takes one");
  ofMerge.push_back(&attribute);
  // `stack` and `unstack` say their axis themselves; finish refuses both.
  if (found.kind == Kind::None || found.kind == Kind::Tie)
    found.axis = axis;
  return true;
}

/// Whether what is said has several names on its side.
bool JoinOrCutReader::checkSide() {
  auto failSide = [&](const char *expected) {
    return fail(diag::OneOperation, found.range,
                quote(word) + " with " + std::to_string(statement.left.size()) +
                    " left and " + std::to_string(statement.right.size()) +
                    " right names, expected " + expected);
  };
  switch (found.kind) {
  case Kind::Stack:
    return !cuts() || failSide("one right name; `unstack` cuts");
  case Kind::Unstack:
    return !joins() || failSide("one left name; `stack` joins");
  case Kind::Tie:
    return !cuts() || failSide("one right name; `copy` makes several");
  case Kind::Copy:
    return !joins() || failSide("one left name");
  case Kind::None:
  case Kind::Merge:
  case Kind::Split:
    return true;
  }
  llvm_unreachable("all kinds are listed");
}

/// A join in the middle would read as if what stands before it acted on its
/// operands.
bool JoinOrCutReader::checkOrder(llvm::ArrayRef<OneToOne> oneToOne) {
  bool isJoin = found.kind == Kind::Stack || found.kind == Kind::Tie;
  if (isJoin && wordBehind != 0)
    return fail(diag::OneOperation, oneToOne.front().nameRange,
                "an operation before " + quote(word) +
                    ": a join comes first, and what follows acts on its "
                    "result");
  if (found.kind == Kind::Unstack && wordBehind != oneToOne.size())
    return fail(diag::OneOperation, oneToOne[wordBehind].nameRange,
                "an operation after `unstack`: a cut comes last, and what "
                "stands before acts on its operand");
  return true;
}

bool JoinOrCutReader::checkNothingElse() {
  if (ofMerge.empty())
    return true;
  const ast::Attribute &other = *ofMerge.front();
  return fail(diag::UnknownAttribute, other.range,
              quote(other.name) + " belongs to no operation: " + quote(word) +
                  (joins()  ? " joins"
                   : cuts() ? " cuts"
                            : " acts") +
                  " without one");
}

std::optional<JoinOrCut>
JoinOrCutReader::finish(llvm::ArrayRef<OneToOne> oneToOne) {
  if (statement.copies) {
    if (found.kind != Kind::None) {
      fail(diag::OneOperation, found.range,
           quote(word) + " and `copy` in one statement: one operation joins "
                         "or cuts");
      return std::nullopt;
    }
    found.kind = Kind::Copy;
    word = "copy";
  }
  if (!checkSide() || !checkOrder(oneToOne))
    return std::nullopt;
  if (found.kind != Kind::None) {
    if (!checkNothingElse())
      return std::nullopt;
  } else if (joins() || cuts() || !ofMerge.empty()) {
    found.kind = cuts() ? Kind::Split : Kind::Merge;
  }
  return std::move(found);
}
