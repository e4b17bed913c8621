//===- Error.cpp - What went wrong in the world ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Error.h"

using namespace aoa;

std::string Error::str() const {
  std::string text;
  for (auto doing = context.rbegin(); doing != context.rend(); ++doing)
    text += *doing + ": ";
  return text + message;
}
