//===- Operations.h - What the attributes of a statement do -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations from one tensor to one in the order they act, each with the
// attributes that belong to it, and what joins the left names or cuts for the
// right ones:
//
//   a, b -> c, repeat=2, axis=1, block=3, axis=0
//
// is a merge along axis 0, then `repeat` with axis 1 and block 3. `axis`,
// `block`, `value` and the sizes of factors belong to the nearest operation on
// their left that takes them and has none yet; an `axis` left over is the
// join's or cut's. Types of values are checked here; what needs the operand's
// shape is not.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_OPERATIONS_H
#define AOA_LIB_SEMA_OPERATIONS_H

#include "Reporter.h"
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/DType.h"

namespace aoa::sema {

/// A whole number and where it stands.
struct PlacedNumber {
  int64_t number;
  SourceRange range;
};

struct OneToOne {
  enum class Kind : uint8_t {
    Transpose, ///< `permute`: entries; none reverses.
    Cast,      ///< `dtype`, or the pair: from, to.
    Reshape,   ///< entries
    Rearrange, ///< text, factors
    Slice,     ///< text
    Pad,       ///< around, value or repeatsLast
    Repeat,    ///< count, axis, block
    Dedup,     ///< count, axis, block
    Scale,     ///< number
    Plus,      ///< number
    Stack,     ///< axis: one of extent 1 comes.
    Unstack,   ///< axis: one of extent 1 goes.
  };
  Kind kind;
  SourceRange range = {};     ///< Of the value.
  SourceRange nameRange = {}; ///< Of the attribute's name.

  llvm::SmallVector<int64_t, 4> entries = {};
  DType to = DType::F32;
  std::optional<DType> from = {}; ///< What the operand must be.
  SourceRange fromRange = {};
  std::string text = {};
  /// Names that the pattern of a rearrange has, and sizes that are given.
  std::vector<std::string> factorNames = {};
  std::vector<std::pair<std::string, int64_t>> factors = {};
  std::vector<std::pair<int64_t, int64_t>> around = {};
  std::optional<primitives::Number> value = {};
  SourceRange valueRange = {};
  bool repeatsLast = false;
  int64_t count = 1;
  std::optional<PlacedNumber> axis = {}, block = {};
  double number = 0;
};

/// How several names on one side become one tensor, or the reverse.
struct JoinOrCut {
  enum class Kind : uint8_t {
    None,    ///< One name a side.
    Merge,   ///< axis, groups, sizes; so is what follows.
    Split,   ///< Also of one name into one, which is the identity.
    Stack,   ///< axis
    Unstack, ///< axis
    Tie,     ///< verifies
    Copy,
  };
  Kind kind = Kind::None;
  std::optional<PlacedNumber> axis = {}, groups = {};
  std::optional<llvm::SmallVector<int64_t, 4>> sizes = {};
  SourceRange sizesRange = {};
  bool verifies = false;
  SourceRange range = {}; ///< Of the attribute that says so, if one does.
};

inline int64_t groupsOf(const JoinOrCut &joinOrCut) {
  return joinOrCut.groups ? joinOrCut.groups->number : 1;
}
/// The sizes as written; none: equal ones.
inline llvm::ArrayRef<int64_t> sizesOf(const JoinOrCut &joinOrCut) {
  return joinOrCut.sizes ? llvm::ArrayRef(*joinOrCut.sizes)
                         : llvm::ArrayRef<int64_t>();
}

struct Operations {
  llvm::SmallVector<OneToOne, 1> oneToOne;
  JoinOrCut joinOrCut;
  /// `states=copy` or `states=fresh`: what becomes of optimizer states.
  enum class States : uint8_t { Unsaid, Copy, Fresh } states = States::Unsaid;
};

/// Reads the attributes of a statement that renames, joins or cuts. Reports
/// what is wrong with them; then nothing is returned.
std::optional<Operations> readOperations(const ast::Statement &statement,
                                         ast::Dialect dialect,
                                         Reporter &reporter);

/// Upstream's rule: one operation a statement, whose attribute stands alone.
/// Returns whether the statement keeps it; reports if not.
bool checkOneOperation(const ast::Statement &statement, Reporter &reporter);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_OPERATIONS_H
