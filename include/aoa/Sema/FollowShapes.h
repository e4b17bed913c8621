//===- FollowShapes.h - Shapes of names, statement by statement -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The analysis for those that cannot wait for its end: after
//
//   q, k -> qk, axis=0
//
// has been taken, `qk` is found with its shape, and `q^T` with that of `q`
// turned round. The rules are those of `analyze`, which runs; only what it says
// at the end of a script is left out, and nothing is reported.
//===----------------------------------------------------------------------===//
#ifndef AOA_SEMA_FOLLOWSHAPES_H
#define AOA_SEMA_FOLLOWSHAPES_H

#include "aoa/AST/ShapesSoFar.h"
#include "aoa/Sema/Analyze.h"

#include <memory>

namespace aoa {

class FollowShapes final : public ShapesSoFar {
public:
  /// Begins at the tensors of `source`, or where nothing is known if that is
  /// null. Requires that source, layout and list outlive this unchanged.
  FollowShapes(ast::Dialect dialect, const Catalog *source,
               const Target &target);
  ~FollowShapes() override;
  FollowShapes(const FollowShapes &) = delete;

  /// Takes note of the next statement, which is a primitive with `^T` on left
  /// names only: what `analyze` takes. Cost: that of its analysis, and a copy.
  void take(const ast::Statement &statement) override;

  /// Returns what a left name, with its `^T`, would read now. Otherwise
  /// a text says why it would read nothing: the name is not bound, it has been
  /// removed, it is left to the caller, or what is wrong with the statement
  /// that binds it. Cost: a hash look-up; a search for the nearest name where
  /// there is none.
  std::expected<Found, std::string> find(const ast::Name &name) override;

private:
  struct State;
  std::unique_ptr<State> state; ///< Null: without a source.
};

} // namespace aoa

#endif // AOA_SEMA_FOLLOWSHAPES_H
