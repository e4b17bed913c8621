//===- IdGap.h - 0, 1, 3 ----------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_EXPAND_IDGAP_H
#define AOA_LIB_EXPAND_IDGAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace aoa::expand {

/// The first number that is missing between ids that follow each other.
struct IdGap {
  uint64_t missing;
  uint64_t numMissing; ///< In all gaps of the sequence.
  size_t before;       ///< Number of the id that the gap lies before.
};

/// Looks at `ids`, texts of digits in ascending order of their numbers. A
/// sequence may begin anywhere. Numbers beyond 18 digits are not looked at.
std::optional<IdGap> findIdGap(llvm::ArrayRef<llvm::StringRef> ids);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_IDGAP_H
