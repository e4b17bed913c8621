//===- LeaveOut.cpp - `name?`, `optional`, lists of one ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "LeaveOut.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

bool checkMaybe(Expander &expander, const ast::Statement &statement) {
  auto error = [&](const ast::Name &name, const char *why) {
    expander.report(diag::MisplacedMaybe, statement, name.range,
                    "`?` on " + quoted(name.text) + ", " + why);
    return false;
  };
  for (const ast::Name &name : statement.right)
    if (name.maybe)
      return error(name, "which is bound here: it belongs on a left name");
  for (const ast::Name &name : statement.left)
    if (name.maybe && name.isDiscard())
      return error(name, "which is no tensor");
  return true;
}

void leaveOutMissing(Expander &expander, ast::Statement statement,
                     Statements &out) {
  auto isMissing = [&](const ast::Name &name) {
    return !name.isDiscard() && !expander.exists(name.text);
  };
  bool hadNames = !statement.left.empty();
  std::string missing;
  auto *end = llvm::remove_if(statement.left, [&](const ast::Name &name) {
    bool isLeftOut = name.maybe && isMissing(name);
    if (isLeftOut && missing.empty())
      missing = name.text;
    return isLeftOut;
  });
  statement.left.erase(end, statement.left.end());
  for (ast::Name &name : statement.left)
    name.maybe = false;
  if (statement.isOptional &&
      (statement.left.empty() || llvm::any_of(statement.left, isMissing)))
    return;
  statement.isOptional = false;
  if (statement.left.empty()) {
    expander.report(diag::NothingLeft, statement, statement.range,
                    (hadNames ? quoted(missing) +
                                    " exists nowhere, nor does another left "
                                    "name"
                              : std::string("no left name exists")) +
                        ", so nothing is left of the statement; `optional` "
                        "skips it");
    return;
  }
  out.push_back(std::move(statement));
}

static bool hasStar(const ast::Name &name) {
  if (name.quoted)
    return false;
  if (!name.interpolation)
    return llvm::StringRef(name.text).contains('*');
  return llvm::any_of(name.interpolation->operands, [](const Expr &piece) {
    return piece.kind == Expr::Kind::Literal &&
           llvm::StringRef(piece.text).contains('*');
  });
}

static bool isList(llvm::ArrayRef<ast::Name> side) {
  return side.size() > 1 || llvm::any_of(side, [](const ast::Name &name) {
           return name.array || name.maybe || hasStar(name);
         });
}

bool hasList(const ast::Statement &statement) {
  return isList(statement.left) || isList(statement.right);
}

void simplifyListOfOne(ast::Statement &statement) {
  if (statement.left.size() != 1 || statement.right.size() != 1 ||
      !statement.tags.empty())
    return;
  // An `axis` behind `repeat` or `dedup` is theirs.
  unsigned numWithoutAxis = 0;
  llvm::erase_if(statement.attributes, [&](const ast::Attribute &attribute) {
    if (attribute.name == "repeat" || attribute.name == "dedup")
      ++numWithoutAxis;
    if (attribute.name == "axis" && numWithoutAxis > 0) {
      --numWithoutAxis;
      return false;
    }
    return attribute.name == "axis" || attribute.name == "sizes" ||
           attribute.name == "groups" || attribute.name == "tie";
  });
}

} // namespace aoa::expand
