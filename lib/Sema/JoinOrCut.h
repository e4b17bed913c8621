//===- JoinOrCut.h - What joins the left names, or cuts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// With several names on one side exactly one operation joins them or cuts for
// them: `stack`, `unstack`, `tie`, the word `copy`, or merge and split, which
// have no word of their own. A join comes first and a cut last, so that reading
// from left to right is what happens.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_JOINORCUT_H
#define AOA_LIB_SEMA_JOINORCUT_H

#include "AttributeValues.h"
#include "Operations.h"

namespace aoa::sema {

class JoinOrCutReader {
public:
  JoinOrCutReader(const ast::Statement &statement, AttributeValues &values,
                  Reporter &reporter)
      : statement(statement), values(values), reporter(reporter) {}

  /// Whether the attribute `name` says how the statement joins or cuts. Of one
  /// name a side, `stack` and `unstack` make another tensor.
  bool isSaidBy(llvm::StringRef name) const;
  /// Reads such an attribute, which has `numBefore` operations on its left.
  bool read(const ast::Attribute &attribute, size_t numBefore);
  /// Takes an axis that no operation takes.
  bool takeAxis(const ast::Attribute &attribute, PlacedNumber axis);

  /// Returns what joins or cuts; nothing after a report.
  std::optional<JoinOrCut> finish(llvm::ArrayRef<OneToOne> oneToOne);

private:
  bool joins() const { return statement.left.size() > 1; }
  bool cuts() const { return statement.right.size() > 1; }
  bool say(JoinOrCut::Kind kind, const ast::Attribute &attribute,
           size_t numBefore);
  bool checkSide();
  bool checkOrder(llvm::ArrayRef<OneToOne> oneToOne);
  bool checkNothingElse();
  bool fail(const DiagnosticKind &kind, SourceRange range,
            std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    return false;
  }

  const ast::Statement &statement;
  AttributeValues &values;
  Reporter &reporter;
  JoinOrCut found;
  llvm::StringRef word;  ///< The attribute or word that says `found.kind`.
  size_t wordBehind = 0; ///< How many operations stand on its left.
  /// The attributes of merge and split, as they stand.
  llvm::SmallVector<const ast::Attribute *, 3> ofMerge;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_JOINORCUT_H
