//===- ProveIdentity.h - There and back is the identity ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Composes the pieces of a conversion with those of its way back. Every tensor
// of the source must be there again, each element made of itself, or of one
// that the conversion has compared with it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_PROVEIDENTITY_H
#define AOA_LIB_INVERT_PROVEIDENTITY_H

#include "aoa/IR/Program.h"

#include <optional>

namespace aoa::invert {

struct IdentityFault {
  std::string tensor; ///< Of the source, or one that it does not have.
  std::string what;
};

/// Returns a tensor that does not come back as it was, if there is one.
/// Requires both programs as pieces; what `back` reads are results of `there`.
std::optional<IdentityFault> proveIdentity(const ir::Program &there,
                                           const ir::Program &back);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_PROVEIDENTITY_H
