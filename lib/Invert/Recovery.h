//===- Recovery.h - Which values come back, and from what -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value comes back where it is a result itself, or where a statement that
// reads it can be undone: its operations have inverses, and what it makes comes
// back. Decided from the last statement to the first. A value that comes back
// in several ways does so exactly if one of them is exact; those that round are
// left out then, all others are compared.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_RECOVERY_H
#define AOA_LIB_INVERT_RECOVERY_H

#include "ForwardStatement.h"
#include "InvertStep.h"

#include <optional>

namespace aoa::invert {

/// What the way back is made of.
struct Forward {
  const ir::Program &program;
  ast::Dialect dialect;
  std::vector<ForwardStatement> statements;
  /// Whether tensors of the source have optimizer states.
  bool hasStates = false;
  /// By ValueId: whether it is made of such a tensor, and of one of which the
  /// source has the states only.
  std::vector<bool> haveStates = {}, areMissing = {};
};

/// Left name `occurrence` of a statement, which undoing it gives back.
struct Use {
  size_t statement;
  unsigned occurrence;
  friend bool operator==(const Use &, const Use &) = default;
};

struct RecoveredValue {
  /// The name under which it is a result; none otherwise.
  const std::string *resultName = nullptr;
  /// From the last statement to the first.
  llvm::SmallVector<Use, 1> uses = {};
  bool isExact = false;
  /// Whether a tensor of the source is made of it on the way back.
  bool isNeeded = false;
  bool comesBack() const { return resultName || !uses.empty(); }
};

struct Recovery {
  std::vector<RecoveredValue> values; ///< By ValueId.
  /// Steps of each statement inverted, last first; empty where `loss` has why
  /// not.
  struct Inverse {
    std::vector<InverseStep> steps;
    std::optional<std::pair<const Step *, Loss>> loss = {};
    bool isUsed = false;
  };
  std::vector<Inverse> statements;

  const RecoveredValue &operator[](ir::ValueId id) const {
    return values[id.index()];
  }
  /// Whether undoing `use` gives its value back, and that is wanted.
  bool isWanted(const Forward &forward, const Use &use) const;
};

/// Requires a program without errors whose results are chosen.
Recovery findRecovery(const Forward &forward);

/// What states of optimizers keep a statement from being undone; empty if
/// nothing does.
std::string lossOfStates(const Forward &forward,
                         const ForwardStatement &statement);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_RECOVERY_H
