//===- Steps.cpp - The operations of a statement, in turn -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Steps.h"
#include "RearrangePattern.h"

#include <algorithm>
#include <ranges>

using namespace aoa;
using namespace aoa::reference;

static bool repeats(const Step &step) {
  return step.name() == "repeat" || step.name() == "dedup";
}

static bool isOperation(std::string_view name) {
  for (std::string_view one :
       {"permute", "dtype", "dst_dtype", "reshape", "rearrange", "slice", "pad",
        "repeat", "dedup", "scale", "plus", "stack", "unstack"})
    if (name == one)
      return true;
  return false;
}

namespace {

class Reading {
public:
  explicit Reading(const ast::Statement &statement) : statement(statement) {}

  Expected<Steps> run() {
    for (const ast::Attribute &attribute : statement.attributes) {
      if (isOperation(attribute.name))
        read.steps.push_back({&attribute});
      else if (auto done = give(attribute); !done)
        return failWith(std::move(done));
    }
    if (auto done = takeJoinCut(); !done)
      return failWith(std::move(done));
    return std::move(read);
  }

private:
  /// Gives a parameter to the nearest step on its left that takes it and has
  /// none yet, else to the join or cut.
  Expected<bool> give(const ast::Attribute &attribute);
  Expected<bool> giveFactor(const ast::Attribute &attribute);
  Expected<bool> takeJoinCut();

  template <typename Takes> Step *nearest(Takes takes) {
    for (Step &step : std::views::reverse(read.steps))
      if (takes(step))
        return &step;
    return nullptr;
  }

  const ast::Statement &statement;
  Steps read;
};

Expected<bool> Reading::give(const ast::Attribute &attribute) {
  const std::string &name = attribute.name;
  if (name == "src_dtype" || name == "states")
    return true;
  if (name == "value") {
    Step *pad = nearest(
        [](const Step &step) { return step.name() == "pad" && !step.value; });
    if (!pad)
      return unreadable("a `value` of nothing");
    pad->value = &attribute.value;
    return true;
  }
  if (name == "tie") {
    auto text = textOf(attribute);
    if (!text)
      return failWith(std::move(text));
    read.joinCut.tie = *text;
    return true;
  }
  if (name == "sizes") {
    auto sizes = wholeNumbers(attribute);
    if (!sizes)
      return failWith(std::move(sizes));
    read.joinCut.sizes = *sizes;
    return true;
  }
  if (name != "axis" && name != "block" && name != "groups")
    return giveFactor(attribute);
  auto number = wholeNumber(attribute);
  if (!number)
    return failWith(std::move(number));
  if (name == "groups") {
    read.joinCut.groups = *number;
    return true;
  }
  auto member = name == "axis" ? &Step::axis : &Step::block;
  Step *step = nearest(
      [&](const Step &each) { return repeats(each) && !(each.*member); });
  if (step)
    step->*member = *number;
  else if (name == "axis" && !read.joinCut.axis)
    read.joinCut.axis = *number;
  else
    return unreadable("one `" + name + "` too many");
  return true;
}

Expected<bool> Reading::giveFactor(const ast::Attribute &attribute) {
  auto number = wholeNumber(attribute);
  if (!number)
    return failWith(std::move(number));
  Step *step = nearest([&](const Step &each) {
    return each.name() == "rearrange" && textOf(each.of->value) &&
           namesFactor(*textOf(each.of->value), attribute.name) &&
           !each.factors.contains(attribute.name);
  });
  if (!step)
    return unreadable("attribute `" + attribute.name + "`");
  step->factors[attribute.name] = *number;
  return true;
}

Expected<bool> Reading::takeJoinCut() {
  auto &steps = read.steps;
  auto found = steps.end();
  if (statement.left.size() > 1) {
    found = std::ranges::find(steps, "stack", &Step::name);
  } else if (statement.right.size() > 1) {
    auto last =
        std::ranges::find(steps.rbegin(), steps.rend(), "unstack", &Step::name);
    if (last != steps.rend())
      found = std::prev(last.base());
  }
  if (found == steps.end())
    return true;
  auto axis = wholeNumber(*found->of);
  if (!axis)
    return failWith(std::move(axis));
  read.joinCut.newAxis = *axis;
  steps.erase(found);
  return true;
}

} // namespace

Expected<Steps> reference::readSteps(const ast::Statement &statement) {
  return Reading(statement).run();
}
