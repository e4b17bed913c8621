//===- TraceCommand.cpp - aoac trace --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the script that the plan carries as far as its operations and
// follows single elements through them. Of the source the headers are read, no
// tensor data; which bytes a run moves is what the plan says.
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "PlanOperand.h"
#include "PrintTrace.h"
#include "aoa/Support/NearestName.h"
#include "aoa/Trace/Selection.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

class Tracer {
public:
  Tracer(Invocation &invocation, const TransferPlan &plan)
      : invocation(invocation), plan(plan),
        compilation(invocation.diagnosticOptions()) {}

  /// Makes the operations of the plan's script; what kept it from that has been
  /// printed.
  bool compile();
  /// Both print on standard output.
  Expected<void> traceTarget(llvm::StringRef tensor,
                             const trace::Selection &at);
  Expected<void> traceSource(llvm::StringRef tensor,
                             const trace::Selection &at);
  int failure() const { return compilation.failure(); }

private:
  Expected<uint32_t> findResult(llvm::StringRef tensor) const;

  Invocation &invocation;
  const TransferPlan &plan;
  Compilation compilation;
};

/// Follows elements of some results back.
class ResultTracer {
public:
  ResultTracer(const Compilation &compilation, const TransferPlan &plan,
               llvm::ArrayRef<uint32_t> results)
      : program(compilation.program),
        places(program, compilation.target(), plan, results), steps(program) {}

  Expected<std::vector<TracedElement>> trace(uint32_t result,
                                             llvm::ArrayRef<int64_t> elements);

private:
  const ir::Program &program;
  trace::PlaceFinder places;
  trace::StepFinder steps;
};

bool Tracer::compile() {
  if (!compilation.open(plan.origin, plan.origin.sourcePath)) {
    invocation.report(Error(
        ErrorKind::Mismatch,
        "tracing reads the headers of the plan's source, `" +
            plan.origin.sourcePath +
            "`, for names, shapes and shards; --source says where it is now"));
    return false;
  }
  if (auto same = trace::checkSource(plan, compilation.source); !same)
    return compilation.report(same.error());
  return compilation.parse() && compilation.expand() && compilation.analyze() &&
         compilation.runPasses(passesBetween("place-results", "place-results"));
}

Expected<uint32_t> Tracer::findResult(llvm::StringRef tensor) const {
  const std::vector<ir::Result> &results = compilation.program.results;
  for (uint32_t i = 0; i != results.size(); ++i)
    if (results[i].name == tensor) {
      // No such plan is made; one that says so was tampered with.
      if (results[i].leftToCaller)
        return fail(ErrorKind::Mismatch,
                    "the plan's script leaves `" + tensor.str() +
                        "` to the caller: no file holds it");
      return i;
    }
  std::string hint;
  NearestName nearest(tensor.str());
  for (const ir::Result &result : results)
    nearest.consider(result.name);
  if (compilation.source.find(tensor))
    hint = "; it is a tensor of the source, which --reverse --source-tensor "
           "follows to the target";
  else
    hint = nearest.hint();
  return fail(ErrorKind::Mismatch,
              "the plan makes no tensor `" + tensor.str() + "`" + hint);
}

Expected<std::vector<TracedElement>>
ResultTracer::trace(uint32_t result, llvm::ArrayRef<int64_t> elements) {
  auto ways = trace::walkBack(program, program.results[result].value, elements);
  if (!ways)
    return failWith(std::move(ways));
  auto found = places.find(result, *ways);
  if (!found)
    return failWith(std::move(found));
  std::vector<TracedElement> traced;
  for (auto [way, at] : llvm::zip(*ways, *found)) {
    std::vector<trace::Step> chain =
        steps.stepsOf(way, at.empty() ? nullptr : &at.front());
    traced.push_back({result, std::move(way), std::move(chain), std::move(at)});
  }
  return traced;
}

Expected<void> Tracer::traceTarget(llvm::StringRef tensor,
                                   const trace::Selection &at) {
  Expected<uint32_t> result = findResult(tensor);
  if (!result)
    return failWith(std::move(result));
  const ir::Program &program = compilation.program;
  auto elements = at.elementsOf(
      tensor, program.value(program.results[*result].value).shape);
  if (!elements)
    return failWith(std::move(elements));
  auto traced =
      ResultTracer(compilation, plan, *result).trace(*result, *elements);
  if (!traced)
    return failWith(std::move(traced));
  if (invocation.has(OPT_json))
    printTraceJson(compilation, *traced, at.isOneElement(), llvm::outs());
  else
    printTrace(compilation, *traced, llvm::outs());
  return {};
}

Expected<void> Tracer::traceSource(llvm::StringRef tensor,
                                   const trace::Selection &at) {
  const Tensor *from = compilation.source.find(tensor);
  if (!from) {
    NearestName nearest(tensor.str());
    for (const Tensor &each : compilation.source.tensors)
      nearest.consider(each.name);
    return fail(ErrorKind::Mismatch, "the source has no tensor `" +
                                         tensor.str() + "`" + nearest.hint());
  }
  auto elements = at.elementsOf(tensor, from->shape);
  if (!elements)
    return failWith(std::move(elements));
  auto goals = trace::walkForward(compilation.program, tensor, *elements,
                                  trace::maxSelected);
  if (!goals)
    return failWith(std::move(goals));

  TracedSource source{tensor.str(),
                      affine::Extents(from->shape.begin(), from->shape.end()),
                      std::move(*elements),
                      {}};
  source.ends.resize(source.elements.size());
  std::map<uint32_t, std::vector<trace::Goal>> byResult;
  for (const trace::Goal &goal : *goals)
    byResult[goal.result].push_back(goal);
  ResultTracer tracer(compilation, plan,
                      llvm::to_vector(llvm::make_first_range(byResult)));
  for (const auto &[result, reached] : byResult) {
    std::vector<int64_t> addresses;
    for (const trace::Goal &goal : reached)
      addresses.push_back(goal.address);
    auto traced = tracer.trace(result, addresses);
    if (!traced)
      return failWith(std::move(traced));
    for (auto [goal, element] : llvm::zip(reached, *traced))
      source.ends[goal.number].push_back(std::move(element));
  }
  if (invocation.has(OPT_json))
    printTraceJson(compilation, source, at.isOneElement(), llvm::outs());
  else
    printTrace(compilation, source, llvm::outs());
  return {};
}

} // namespace

int driver::runTraceCommand(Invocation &invocation) {
  bool isReverse = invocation.has(OPT_reverse);
  std::string tensor =
      isReverse
          ? invocation.required(OPT_source_tensor,
                                "a tensor of the source: --source-tensor NAME")
          : invocation.required(OPT_tensor,
                                "a tensor of the target: --tensor NAME");
  if (invocation.has(isReverse ? OPT_tensor : OPT_source_tensor))
    invocation.usageError(isReverse
                              ? "--tensor is of the target; --reverse starts "
                                "at --source-tensor"
                              : "--source-tensor needs --reverse");
  if (!invocation.has(OPT_at))
    invocation.usageError("expected an element: --at 3,17");
  auto at = trace::Selection::parse(invocation.value(OPT_at));
  if (!at)
    invocation.usageError("--at: " + at.error().str());
  if (invocation.failed || !invocation.expectOperands(1, 1, "a plan"))
    return ExitUsage;
  auto plan = readPlanOperand(invocation);
  if (!plan)
    return invocation.report(plan.error());
  Tracer tracer(invocation, *plan);
  if (!tracer.compile())
    return tracer.failure();
  auto traced = isReverse ? tracer.traceSource(tensor, *at)
                          : tracer.traceTarget(tensor, *at);
  return traced ? int(ExitDone) : invocation.report(traced.error());
}
