//===- WeightFiles.h - Which files are weights ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_WEIGHTFILES_H
#define AOA_LIB_FORMATS_WEIGHTFILES_H

#include <string_view>

namespace aoa {

/// Whether a file's name says that it holds weights in some form, or is the
/// index of such files (`pytorch_model.bin.index.json`).
bool isWeightFile(std::string_view name);

/// Whether `name` is the index of safetensors files.
bool isSafetensorsIndex(std::string_view name);

} // namespace aoa

#endif // AOA_LIB_FORMATS_WEIGHTFILES_H
