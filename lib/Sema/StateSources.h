//===- StateSources.h - What each value is made of --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each value the tensors (Source, Fill and Add operations) that its
// elements come from, in the order of their operations. What a pad puts around
// a tensor is none of them. Values made of the same tensors share a set, so the
// parts that a macro cuts a tensor in cost nothing.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_STATESOURCES_H
#define AOA_LIB_SEMA_STATESOURCES_H

#include "aoa/AST/Script.h"
#include "aoa/IR/Program.h"

namespace aoa::sema {

class StateSources {
public:
  /// Which set of tensors.
  using SetId = TypedId<struct SourceSetTag>;

  /// The sets of all values of `program`. `ties` has the statement of each
  /// operation that is part of a tie whose tensors all count, and null for
  /// others; empty: a tie counts as the tensor that it takes. Cost: linear, and
  /// the sizes of the sets that joins make; nothing where these are more than
  /// 50 million.
  static std::optional<StateSources>
  of(const ir::Program &program,
     llvm::ArrayRef<const ast::Statement *> ties = {});

  SetId setOf(ir::ValueId id) const { return setOfValue[id.index()]; }
  size_t numSets() const { return sets.size(); }
  llvm::ArrayRef<ir::ValueId> tensors(SetId id) const {
    return sets[id.index()];
  }

private:
  bool join(llvm::ArrayRef<ir::ValueId> operands, SetId &result);

  std::vector<SetId> setOfValue;
  std::vector<std::vector<ir::ValueId>> sets;
  size_t numElements = 0;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_STATESOURCES_H
