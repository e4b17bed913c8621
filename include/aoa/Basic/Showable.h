//===- Showable.h - Text of others on a terminal ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_BASIC_SHOWABLE_H
#define AOA_BASIC_SHOWABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace aoa {

/// Text for a terminal: control characters and bytes that are no UTF-8 become
/// `<1B>`.
std::string showable(llvm::StringRef text);

} // namespace aoa

#endif // AOA_BASIC_SHOWABLE_H
