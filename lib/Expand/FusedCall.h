//===- FusedCall.h - A statement with a tag, being taken apart --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the fused macros share: their attributes, the parts a tensor is cut in,
// and the splits and merges between them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_FUSEDCALL_H
#define AOA_LIB_EXPAND_FUSEDCALL_H

#include "Degree.h"
#include "Expander.h"
#include "llvm/ADT/Twine.h"

namespace aoa::expand {

class FusedCall {
public:
  using Parts = std::vector<ast::Name>;

  FusedCall(Expander &expander, size_t index, const ast::Statement &statement,
            Statements &out);

  /// Reads `axis`, and the numbers of heads where `hasHeads`. Reports what is
  /// missing, out of range or not the macro's.
  bool readAttributes(bool hasHeads);

  bool hasForm(size_t numLeft, size_t numRight) const {
    return statement.left.size() == numLeft &&
           statement.right.size() == numRight;
  }
  void reportArity(llvm::StringRef forms);

  const ast::Name &left(size_t i) const { return statement.left[i]; }
  const ast::Name &right(size_t i) const { return statement.right[i]; }

  /// `count` parts named `base` with their number behind. In the aoa dialect
  /// parts of a right name `_` are `_` themselves: thrown away by the split.
  /// Nothing when that is over the limit.
  std::optional<Parts> makeParts(const llvm::Twine &base, int64_t count,
                                 const ast::Name &origin);
  ast::Name makeTemporary(std::string base);

  void split(const ast::Name &whole, Parts parts);
  /// Nothing comes of a merge into a right name `_` in the aoa dialect.
  void merge(Parts parts, const ast::Name &whole);

  /// One tensor for several that must be equal, which the conversion verifies.
  ast::Name tie(Parts copies);

  std::optional<int64_t> sourceDegree() const;
  std::optional<int64_t> targetDegree() const;
  /// Says for how many ranks the result is arranged.
  void setArranged(int64_t degree);

  void error(const DiagnosticKind &kind, SourceRange range,
             std::string message);

  bool isPaddle() const { return expander.isPaddle(); }
  std::string macro() const { return quoted(tag.text); }
  const SourceRange &range() const { return tag.range; }

  int64_t axis = 1;
  int64_t numHeads = 0, numGroups = 0;

private:
  std::optional<int64_t> wholeNumber(const ast::Attribute &attribute);
  bool isDiscarded(const ast::Name &name) const {
    return !expander.isPaddle() && name.isDiscard();
  }
  void emit(Parts left, Parts right);
  DegreeQuestion question() const {
    return {expander, index, statement, tag.text, axis};
  }

  Expander &expander;
  size_t index;
  const ast::Statement &statement;
  const ast::Tag &tag;
  Statements &out;
  ast::ExpansionId expansion;
};

/// The parts [begin, end) behind those of `list`.
inline void append(FusedCall::Parts &list, const FusedCall::Parts &parts,
                   int64_t begin, int64_t end) {
  list.insert(list.end(), parts.begin() + begin, parts.begin() + end);
}

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_FUSEDCALL_H
