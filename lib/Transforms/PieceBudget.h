//===- PieceBudget.h - Refusing plans that would never end ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two cuts along different dimensions multiply: 65,536 row blocks against
// 65,536 column blocks are 4·10^9 pieces. Such a plan is refused before memory
// is taken for it, with the two cuts.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_TRANSFORMS_PIECEBUDGET_H
#define AOA_LIB_TRANSFORMS_PIECEBUDGET_H

#include "aoa/Transforms/Pass.h"

namespace aoa {

class PieceBudget {
public:
  PieceBudget(const ir::Program &program, const PassContext &context)
      : program(program), context(context) {}

  /// Counts what composing the pieces `toResult` of a result with the shards of
  /// its target will give; reports and returns false if that is more than is
  /// left.
  bool allowComposing(const ir::Result &result,
                      const affine::PieceSet &toResult,
                      const affine::PieceSet &targets);

  /// Takes off the pieces of a class.
  void spend(const ir::LayoutClass &layoutClass) {
    numPieces += layoutClass.numPieces();
  }

  /// Takes off the pieces of the class of `result`; reports and returns false
  /// if they are more than was left.
  bool allowInstance(const ir::Result &result);

private:
  bool refuse(const ir::Result &result);

  const ir::Program &program;
  const PassContext &context;
  int64_t numPieces = 0; ///< So far.
};

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_PIECEBUDGET_H
