//===- Steps.h - The statements on an element's way -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A statement is several operations (a transpose, a merge and a cast); what
// people want to read is one step a statement, from the target back:
//
//   a^T, b -> c, axis=0, dtype=BF16      step: c[0, 3], F32 -> BF16
//===----------------------------------------------------------------------===//
#ifndef AOA_TRACE_STEPS_H
#define AOA_TRACE_STEPS_H

#include "aoa/Trace/Places.h"

#include <map>

namespace aoa::trace {

/// An element of a tensor.
struct ElementRef {
  ir::ValueId value;
  int64_t address = 0;
  friend bool operator==(const ElementRef &, const ElementRef &) = default;
};

/// Who says that a step is done.
enum class StepReason : uint8_t {
  Statement,
  DType,       ///< No statement casts the result, and --dtype does.
  StateName,   ///< A state takes the name of its tensor.
  TargetScale, ///< The target's layout, whose shards hold a multiple.
  SourceScale,
};

/// What one statement does to an element. Steps of one statement by different
/// elements are equal but for their addresses.
struct Step {
  StepReason reason = StepReason::Statement;
  ir::StatementId statement; ///< None for other reasons.
  /// The last of its operations, which says where it stands; none for scales.
  ir::OpId op;
  ElementRef made; ///< The element behind the step; before it for SourceScale.
  ElementOps ops;  ///< What the element goes through here, in order.
  /// Elements that a run compares with the one that is taken here: what it is
  /// tied to, other copies of a repeated block. The first few.
  std::vector<ElementRef> compared = {};
  int64_t numMoreCompared = 0;
};

class StepFinder {
public:
  explicit StepFinder(const ir::Program &program);

  /// The steps of a way from `result`, from the target back. The last one makes
  /// the element where the way ends in a fill or a tensor that is left to the
  /// caller. Scales of layouts are steps where a run computes with them;
  /// `place` says which, null: none.
  std::vector<Step> stepsOf(const Way &way, const WrittenPlace *place) const;

private:
  std::vector<Step> stepsOfProgram(const Way &way) const;
  void addOps(Step &step, const ir::Op &op) const;
  void addCompared(Step &step, const Hop &hop, ElementRef taken) const;

  const ir::Program &program;
  std::map<ir::StatementId, std::vector<ir::OpId>> comparesOf;
};

} // namespace aoa::trace

#endif // AOA_TRACE_STEPS_H
