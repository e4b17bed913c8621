//===- ShapesSoFar.h - What names are while a script goes on ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Expansion asks it, the analysis (Sema/FollowShapes.h) answers: the one does
// not know the other.
//===----------------------------------------------------------------------===//
#ifndef AOA_AST_SHAPESSOFAR_H
#define AOA_AST_SHAPESSOFAR_H

#include "aoa/AST/Script.h"
#include "aoa/Support/DType.h"

#include <expected>

namespace aoa {

class ShapesSoFar {
public:
  virtual ~ShapesSoFar() = default;
  /// Takes note of the next statement: names without placeholders, lists and
  /// values to put in, no tags; `^T` on left names is read. What is wrong with
  /// it is kept for `find`.
  virtual void take(const ast::Statement &statement) = 0;

  struct Found {
    DType dtype;
    std::vector<int64_t> shape;
  };
  /// Returns what a left name, with its `^T`, would read now, or a text that
  /// says why nothing is known of it.
  virtual std::expected<Found, std::string> find(const ast::Name &name) = 0;
};

} // namespace aoa

#endif // AOA_AST_SHAPESSOFAR_H
