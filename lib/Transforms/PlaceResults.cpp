//===- PlaceResults.cpp - Who holds what of each result ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PlaceResults.h"

#include "FaultPlace.h"
#include "SourceRegions.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Catalog/UnusedRules.h"
#include "aoa/Sema/SemaDiagnostics.h"
#include "aoa/Support/ExactValue.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

#include <charconv>
#include <map>

using namespace aoa;
using namespace aoa::ir;

namespace {
class Placer {
public:
  Placer(Program &program, const Target &target, const ast::Script &script,
         DiagnosticSink &sink)
      : program(program), target(target), script(script), sink(sink) {
    if (target.layout)
      isUsed.assign(target.layout->rules.size(), false);
  }

  void run();

private:
  void placeByLayout(Result &result, const Layout &layout);
  void placeByList(Result &result, const Catalog &list);
  bool isHeldWhole(const Result &result, const Tensor &tensor);
  bool isHeldOnceByRank(const Tensor &tensor);
  /// Whether the result is what the target says of it. `where` is the rule's
  /// range; nothing for lists.
  bool agrees(const Result &result, std::optional<DType> dtype,
              const Shape *shape, SourceRange where);
  bool paddingIsExact(const Result &result, const LayoutRule &rule);
  const Expected<Placement> &placement(const Layout &layout,
                                       const LayoutRule &rule,
                                       const std::string &name,
                                       const Shape &shape);

  const Value &valueOf(const Result &result) const {
    return program.value(result.value);
  }
  Shape shapeOf(const Result &result) const {
    const auto &shape = valueOf(result).shape;
    return Shape(shape.begin(), shape.end());
  }
  /// An error at a rule, with a note where the tensor was made.
  void reportAtRule(const DiagnosticKind &kind, const LayoutRule &rule,
                    const Result &result, std::string message);
  void noteStatement(Diagnostic &diagnostic, const Result &result) {
    addNoteAt(diagnostic, program.definition(result.value), script,
              "`" + result.name + "` is made here");
  }
  /// Remembers that a rule decides about `result`; returns the rule.
  const LayoutRule *markUsed(const Result &result);
  static void setShards(Result &result, llvm::ArrayRef<Shard> shards);

  Program &program;
  const Target &target;
  const ast::Script &script;
  DiagnosticSink &sink;
  std::vector<bool> isUsed; ///< Rules of the layout that some result reached.
  /// Tensors of one shape under one rule are placed once, unless the rule's
  /// `on` looks at the name.
  std::map<std::pair<const LayoutRule *, Shape>, Expected<Placement>> placed;
  std::optional<Expected<Placement>> lastPlaced;
};

void Placer::run() {
  std::vector<std::string_view> names;
  for (Result &result : program.results) {
    names.push_back(result.name);
    if (result.leftToCaller) {
      markUsed(result);
      continue;
    }
    if (target.layout)
      placeByLayout(result, *target.layout);
    else if (target.list)
      placeByList(result, *target.list);
    else
      setShards(result, wholeShard(shapeOf(result)));
  }
  if (target.layout)
    reportUnusedRules(*target.layout, isUsed, names, sink);
}

const LayoutRule *Placer::markUsed(const Result &result) {
  if (!target.layout)
    return nullptr;
  const LayoutRule *rule = target.layout->findRule(result.name);
  if (rule)
    isUsed[rule - target.layout->rules.data()] = true;
  return rule;
}

void Placer::setShards(Result &result, llvm::ArrayRef<Shard> shards) {
  result.shards.reserve(shards.size());
  for (const Shard &shard : shards)
    result.shards.push_back(
        {shard.ranks,
         affine::Extents(shard.localShape.begin(), shard.localShape.end()),
         shard.blocks,
         {}});
}

void Placer::placeByLayout(Result &result, const Layout &layout) {
  const LayoutRule *rule = markUsed(result);
  if (!rule) {
    Diagnostic diagnostic{&diag::UnplacedTensor,
                          {layout.file, 0, 0},
                          "no rule of the layout matches `" + result.name +
                              "`"};
    diagnostic.jsonPath = "rules";
    noteStatement(diagnostic, result);
    sink.report(std::move(diagnostic));
    return;
  }
  if (!agrees(result, rule->dtype, rule->shape ? &*rule->shape : nullptr,
              rule->range))
    return;
  Shape shape = shapeOf(result);
  const Expected<Placement> &where =
      placement(layout, *rule, result.name, shape);
  if (!where) {
    reportAtRule(diag::RefusedPlacement, *rule, result,
                 "`" + result.name + "` " + formatShape(shape) +
                     " cannot be placed: " + where.error().str());
    return;
  }
  result.padValue = rule->padValue;
  setShards(result, where->shards);
  if (!paddingIsExact(result, *rule))
    result.shards.clear();
}

void Placer::placeByList(Result &result, const Catalog &list) {
  const Tensor *tensor = list.find(result.name);
  if (!tensor) {
    sink.report(errorAt(diag::UnplacedTensor, program.definition(result.value),
                        script,
                        "the target does not list `" + result.name + "`"));
    return;
  }
  if (!agrees(result, tensor->dtype, &tensor->shape, {}))
    return;
  if (tensor->shards.empty())
    setShards(result, wholeShard(tensor->shape));
  else if (isHeldWhole(result, *tensor) && isHeldOnceByRank(*tensor))
    setShards(result, tensor->shards.all());
}

/// Whether the shards that a target lists hold every element between them.
/// Several may hold one, but no part of a result shall vanish. What reaches
/// outside of the tensor is left to checkTransfers.
bool Placer::isHeldWhole(const Result &result, const Tensor &tensor) {
  affine::Box whole = affine::wholeBox(tensor.shape);
  std::vector<affine::Box> held;
  SourceRegions(tensor).visit(whole, [&](const auto &, const affine::Box &box) {
    held.push_back(box);
  });
  affine::CoverResult cover = affine::checkCover(held, whole);
  if (cover.kind != affine::CoverResult::Kind::Hole)
    return true;
  sink.report(
      errorAt(diag::UnplacedTensor, program.definition(result.value), script,
              "by the target no rank holds element " +
                  formatShape(cover.index) + " of `" + result.name + "`"));
  return false;
}

/// Whether no rank of a listed target holds an element in two of its shards: it
/// would be written twice into the rank's file.
bool Placer::isHeldOnceByRank(const Tensor &tensor) {
  std::map<uint32_t, std::vector<const Shard *>> shardsOf;
  for (const Shard &shard : tensor.shards)
    for (uint32_t rank : shard.ranks)
      shardsOf[rank].push_back(&shard);
  for (const auto &[rank, shards] : shardsOf) {
    if (shards.size() == 1)
      continue; // Its blocks are checked against each other later.
    std::vector<affine::Box> boxes;
    for (const Shard *shard : shards)
      for (const Block &block : shard->blocks)
        boxes.push_back(fullBox(block));
    affine::CoverResult cover =
        affine::checkCover(boxes, affine::wholeBox(tensor.shape));
    if (cover.kind != affine::CoverResult::Kind::Overlap)
      continue;
    sink.report({&diag::OverlappingPieces, tensor.range,
                 "element " + formatShape(cover.index) + " of `" + tensor.name +
                     "` lies in two shards of rank " + std::to_string(rank)});
    return false;
  }
  return true;
}

bool Placer::agrees(const Result &result, std::optional<DType> dtype,
                    const Shape *shape, SourceRange where) {
  const Value &value = valueOf(result);
  bool same = true;
  auto refuse = [&](const DiagnosticKind &kind, const std::string &found,
                    const std::string &expected) {
    same = false;
    std::string subject = "`" + result.name + "` is " + found;
    const Op &op = program.definition(result.value);
    // The statement is at fault where there is one: it can be changed, or a
    // cast added, without touching the target.
    Diagnostic diagnostic =
        errorAt(kind, op, script, subject + ", the target says " + expected);
    if (!op.range.isKnown())
      diagnostic.range = where;
    else if (where.isKnown())
      diagnostic.notes.push_back({where, "the layout says so here"});
    sink.report(std::move(diagnostic));
  };
  if (dtype && *dtype != value.dtype)
    refuse(diag::DTypeMismatch, std::string(nameOf(value.dtype)),
           std::string(nameOf(*dtype)));
  if (shape && *shape != shapeOf(result))
    refuse(diag::ShapeMismatch, formatShape(value.shape), formatShape(*shape));
  return same;
}

bool Placer::paddingIsExact(const Result &result, const LayoutRule &rule) {
  DType dtype = valueOf(result).dtype;
  bool padded = llvm::any_of(result.shards, [](const TargetShard &shard) {
    return numPaddedElements(shard) != 0;
  });
  if (!padded || encodeExactly(rule.padValue, dtype))
    return true;
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, rule.padValue).ptr;
  reportAtRule(diag::InexactPadding, rule, result,
               "padding of `" + result.name + "` with " +
                   std::string(text, end) + ", which is no value of " +
                   std::string(nameOf(dtype)));
  return false;
}

const Expected<Placement> &Placer::placement(const Layout &layout,
                                             const LayoutRule &rule,
                                             const std::string &name,
                                             const Shape &shape) {
  bool looksAtName = llvm::any_of(rule.on, [](const auto &entry) {
    return std::holds_alternative<CoordinateExpr>(entry.second);
  });
  if (looksAtName)
    return lastPlaced.emplace(placeTensor(layout, rule, name, shape));
  auto found = placed.find({&rule, shape});
  if (found == placed.end())
    found = placed
                .emplace(std::pair(&rule, shape),
                         placeTensor(layout, rule, name, shape))
                .first;
  return found->second;
}

void Placer::reportAtRule(const DiagnosticKind &kind, const LayoutRule &rule,
                          const Result &result, std::string message) {
  Diagnostic diagnostic{&kind, rule.range, std::move(message)};
  diagnostic.jsonPath = rule.path;
  noteStatement(diagnostic, result);
  sink.report(std::move(diagnostic));
}
} // namespace

void aoa::placeResults(Program &program, const Target &target,
                       const ast::Script &script, DiagnosticSink &sink) {
  Placer(program, target, script, sink).run();
}
