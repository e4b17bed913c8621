//===- Temporaries.h - Names that only macros use ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Macros name their intermediate tensors as upstream does, with a number behind
// where that name is the source's, the target's or the user's. Each expansion
// binds and reads its temporaries in one run of statements, so different
// expansions may use the same ones.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_TEMPORARIES_H
#define AOA_LIB_EXPAND_TEMPORARIES_H

#include "Expander.h"
#include "Runner.h"
#include "llvm/ADT/StringSet.h"

namespace aoa::expand {

class Temporaries {
public:
  /// `groups` has the statements until they are in expander.statements, which
  /// `useStatements` says.
  Temporaries(Expander &expander, const std::vector<Group> &groups)
      : expander(expander), groups(&groups) {}
  void useStatements() { groups = nullptr; }

  /// Forgets the temporaries of the statement before.
  void beginStatement() { inUse.clear(); }

  /// Returns a name like `base` that clashes with nothing, also not with
  /// another temporary of this statement. It stands at `origin`'s place.
  ast::Name make(const ast::Statement &statement, std::string base,
                 const ast::Name &origin);

  /// Keeps the name of a temporary that later statements read too.
  void keep(const ast::Name &temporary) { userNames.insert(temporary.text); }

  /// Looks at all statements, unless that has been done. From then on they may
  /// go away.
  void noteUserNames();

private:
  void noteUserNames(const Statements &statements);
  bool isTaken(llvm::StringRef name);

  Expander &expander;
  const std::vector<Group> *groups;
  llvm::StringSet<> userNames;
  bool knowsUserNames = false;
  llvm::StringSet<> inUse;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_TEMPORARIES_H
