//===- ModelEnds.h - The two ends without optimizer states ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Statements name tensors of the model, so the analysis sees the two ends
// without the states that their catalogs hold. A tensor of which a catalog has
// states only stands among those of the model with the shape of its first
// state. Without states both ends are what they are, and nothing is copied.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_MODELENDS_H
#define AOA_LIB_SEMA_MODELENDS_H

#include "aoa/Catalog/StateIndex.h"
#include "aoa/Sema/Analyze.h"

namespace aoa::sema {

class ModelEnds {
public:
  /// Requires that both outlive the ends unchanged.
  ModelEnds(const Catalog &source, const Target &target);
  ModelEnds(const ModelEnds &) = delete;

  const Catalog &source() const { return *sourceView; }
  const Target &target() const { return targetView; }

  const Catalog &wholeSource;
  const Target &wholeTarget;
  StateIndex sourceStates, targetStates;

private:
  Catalog ownSource, ownList;
  const Catalog *sourceView;
  Target targetView;
};

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_MODELENDS_H
