//===- IdGap.cpp - 0, 1, 3 --------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "IdGap.h"

#include "NameTemplate.h"

namespace aoa::expand {

std::optional<IdGap> findIdGap(llvm::ArrayRef<llvm::StringRef> ids) {
  std::optional<IdGap> gap;
  uint64_t last = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    llvm::StringRef digits = canonicalId(ids[i]);
    uint64_t id;
    if (digits.size() > 18 || digits.getAsInteger(10, id))
      break;
    if (i > 0 && id > last + 1) {
      if (!gap)
        gap = IdGap{last + 1, 0, i};
      gap->numMissing += id - last - 1;
    }
    last = id;
  }
  return gap;
}

} // namespace aoa::expand
