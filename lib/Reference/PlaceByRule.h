//===- PlaceByRule.h - What a rank holds of one tensor ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_PLACEBYRULE_H
#define AOA_LIB_REFERENCE_PLACEBYRULE_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Reference/Evaluate.h"

#include <optional>

namespace aoa::reference {

/// The shard of a rank by all that `rule` says but `flatten`; nothing where it
/// does not hold the tensor.
Expected<std::optional<WholeTensor>>
localShard(const Layout &layout, const LayoutRule &rule,
           const std::string &name, const WholeTensor &tensor, int64_t rank);

/// The name that a rank's file has for a tensor.
Expected<std::string> nameInFile(const Layout &layout, const LayoutRule &rule,
                                 const std::string &name, int64_t rank);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_PLACEBYRULE_H
