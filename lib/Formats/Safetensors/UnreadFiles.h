//===- UnreadFiles.h - Files beside those of the ranks ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_SAFETENSORS_UNREADFILES_H
#define AOA_LIB_FORMATS_SAFETENSORS_UNREADFILES_H

#include "Safetensors/RankFiles.h"

namespace aoa::safetensors {

/// Warns of `.safetensors` files in the ranks' folders that no rank reads: a
/// mesh that is too small would read a part of the checkpoint as if it were
/// all.
void reportUnreadFiles(const std::string &folder, const RankFiles &files,
                       FileId layoutFile, DiagnosticSink &sink);

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_UNREADFILES_H
