//===- PlaceResults.cpp - Who holds what of each result ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FaultPlace.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Catalog/ModelPlacement.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Catalog/StoredName.h"
#include "aoa/Catalog/UnusedRules.h"
#include "aoa/Sema/SemaDiagnostics.h"
#include "aoa/Support/ExactValue.h"
#include "aoa/Transforms/Pass.h"
#include "aoa/Transforms/ShardPieces.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <charconv>
#include <deque>
#include <map>

using namespace aoa;
using namespace aoa::ir;

namespace {
/// What says how a tensor is stored: its rule where nothing renames it.
const HolderRule &deciderOf(const StoredNames &names, const LayoutRule &rule) {
  return names.decider() ? *names.decider() : rule;
}

class Placer {
public:
  Placer(Program &program, const Target &target, const ast::Script &script,
         DiagnosticSink &sink)
      : program(program), target(target), script(script), sink(sink) {}

  void run();

private:
  void placeByLayout(const Layout &layout);
  void placeByRule(Result &result, const Layout &layout, const LayoutRule *rule,
                   const Expected<ShardList> &shards);
  void placeByList(Result &result, const Catalog &list);
  bool isHeldWhole(const Result &result, const Tensor &tensor);
  bool isHeldOnceByRank(const Tensor &tensor);
  /// Whether the result is what the target says of it. `where` is the rule's
  /// range; nothing for lists.
  bool agrees(const Result &result, std::optional<DType> dtype,
              const Shape *shape, SourceRange where);
  void checkStoredNames(const Layout &layout);
  bool paddingIsExact(const Result &result, const LayoutRule &rule);

  const Value &valueOf(const Result &result) const {
    return program.value(result.value);
  }
  Shape shapeOf(const Result &result) const {
    const auto &shape = valueOf(result).shape;
    return Shape(shape.begin(), shape.end());
  }
  /// An error at a rule, with a note where the tensor was made.
  void reportAtRule(const DiagnosticKind &kind, const HolderRule &rule,
                    const Result &result, std::string message);
  void noteStatement(Diagnostic &diagnostic, const Result &result) {
    addNoteAt(diagnostic, program.definition(result.value), script,
              "`" + result.name + "` is made here");
  }

  Program &program;
  const Target &target;
  const ast::Script &script;
  DiagnosticSink &sink;
};

void Placer::run() {
  if (target.layout)
    return placeByLayout(*target.layout);
  for (Result &result : program.results)
    if (result.leftToCaller)
      continue;
    else if (target.list)
      placeByList(result, *target.list);
    else
      result.shards = ShardList({wholeShard(shapeOf(result))});
}

void Placer::placeByLayout(const Layout &layout) {
  std::vector<TensorToPlace> tensors;
  std::vector<std::string_view> names;
  for (const Result &result : program.results) {
    tensors.push_back({result.name, shapeOf(result), valueOf(result).dtype});
    names.push_back(result.name);
  }
  ModelPlacement placement(layout, tensors);
  for (auto [i, result] : llvm::enumerate(program.results))
    if (!result.leftToCaller)
      placeByRule(result, layout, placement.ruleOf(i), placement.shardsOf(i));
  reportUnusedRules(layout, placement.usedRules(), names, sink);
  if (renamesTensors(layout))
    checkStoredNames(layout);
}

/// Refuses two results that one rank would store under one name, and results
/// without `stored_as` that would be read back as other tensors. Cost: the
/// ranks of all results, and an evaluation for each of their names.
void Placer::checkStoredNames(const Layout &layout) {
  TensorsByStoredName tensors(layout);
  std::deque<std::string> storedNames;
  std::map<uint32_t, std::vector<std::pair<llvm::StringRef, const Result *>>>
      heldBy;
  auto collect = [&](const Result &result, StoredNames &names,
                     const LayoutRule &rule) {
    std::string_view last;
    for (const Shard &shard : result.shards)
      for (uint32_t rank : shard.ranks) {
        Expected<std::string_view> stored = names.onRank(rank);
        if (!stored)
          return reportAtRule(diag::RefusedPlacement, deciderOf(names, rule),
                              result, stored.error().str());
        // What cannot be told apart is a fault of reading only.
        if (!names.decider())
          if (auto back = tensors.tensorOf(*stored, rank);
              back && back->value_or(result.name) != result.name)
            return reportAtRule(diag::RefusedPlacement, rule, result,
                                "`" + result.name + "` on rank " +
                                    std::to_string(rank) +
                                    " would be read back as `" + **back +
                                    "`, which is stored under that name");
        if (last != *stored)
          last = storedNames.emplace_back(*stored);
        heldBy[rank].emplace_back(last, &result);
      }
  };
  for (const Result &result : program.results)
    if (const LayoutRule *rule = layout.findRule(result.name);
        rule && !result.leftToCaller) {
      StoredNames names(layout, *rule, result.name);
      collect(result, names, *rule);
    }
  for (auto &[rank, held] : heldBy) {
    llvm::DenseMap<llvm::StringRef, const Result *> resultOfName;
    for (auto [stored, result] : held) {
      auto [other, isNew] = resultOfName.try_emplace(stored, result);
      if (isNew || other->second == result)
        continue;
      const LayoutRule *rule = layout.findRule(result->name);
      StoredNames names(layout, *rule, result->name);
      return reportAtRule(diag::RefusedPlacement, deciderOf(names, *rule),
                          *result,
                          "`" + other->second->name + "` and `" + result->name +
                              "` would both be stored as `" + stored.str() +
                              "` on rank " + std::to_string(rank));
    }
  }
}

void Placer::placeByRule(Result &result, const Layout &layout,
                         const LayoutRule *rule,
                         const Expected<ShardList> &shards) {
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
  if (!shards) {
    reportAtRule(diag::RefusedPlacement, *rule, result,
                 "`" + result.name + "` " + formatShape(shape) +
                     " cannot be placed: " + shards.error().str());
    return;
  }
  result.padValue = rule->padValue;
  result.shards = *shards;
  if (!paddingIsExact(result, *rule))
    result.shards = {};
}

void Placer::placeByList(Result &result, const Catalog &list) {
  const Tensor *tensor = list.find(result.name);
  if (!tensor) {
    sink.report(errorAt(diag::UnplacedTensor, program.definition(result.value),
                        script,
                        "the target does not list `" + result.name + "`"));
    return;
  }
  if (!agrees(result,
              tensor->dtypeIsKnown ? std::optional(tensor->dtype)
                                   : std::nullopt,
              &tensor->shape, {}))
    return;
  for (const Shard &shard : tensor->shards)
    if (auto scaled = checkStateScale(target.states, result.name, shard.scale);
        !scaled) {
      sink.report(errorAt(diag::RefusedPlacement,
                          program.definition(result.value), script,
                          "`" + result.name + "`: " + scaled.error().str()));
      return;
    }
  if (tensor->shards.empty())
    result.shards = ShardList({wholeShard(tensor->shape)});
  else if (isHeldWhole(result, *tensor) && isHeldOnceByRank(*tensor))
    result.shards = tensor->shards;
}

/// Whether the shards that a target lists hold every element between them.
/// Several may hold one, but no part of a result shall vanish.
bool Placer::isHeldWhole(const Result &result, const Tensor &tensor) {
  affine::Coverage held = affine::checkHeld(
      shardPieces(tensor.shards, tensor.shape), affine::Side::Dst,
      affine::identityPiece(tensor.shape).numElements());
  if (held.kind != affine::Coverage::Kind::Hole)
    return true;
  sink.report(
      errorAt(diag::UnplacedTensor, program.definition(result.value), script,
              "by the target no rank holds element " +
                  formatShape(affine::indexOf(held.address, tensor.shape)) +
                  " of `" + result.name + "`"));
  return false;
}

/// Whether no rank of a listed target holds an element in two of its shards: it
/// would be written twice into the rank's file.
bool Placer::isHeldOnceByRank(const Tensor &tensor) {
  std::map<uint32_t, std::vector<size_t>> shardsOf;
  for (size_t i = 0; i < tensor.shards.size(); ++i)
    for (uint32_t rank : tensor.shards[i].ranks)
      shardsOf[rank].push_back(i);
  for (const auto &[rank, shards] : shardsOf) {
    if (shards.size() == 1)
      continue; // Its blocks are checked against each other later.
    affine::PieceSet held;
    for (size_t shard : shards) {
      affine::PieceSet pieces = shardPieces(tensor.shards[shard], tensor.shape);
      for (size_t i = 0; i < pieces.size(); ++i)
        held.add(pieces[i]);
    }
    affine::Coverage cover = affine::checkDisjoint(
        held, affine::Side::Dst,
        affine::identityPiece(tensor.shape).numElements());
    if (cover.kind != affine::Coverage::Kind::Overlap)
      continue;
    sink.report({&diag::OverlappingPieces, tensor.range,
                 "element " +
                     formatShape(affine::indexOf(cover.address, tensor.shape)) +
                     " of `" + tensor.name + "` lies in two shards of rank " +
                     std::to_string(rank)});
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
  bool padded = llvm::any_of(result.shards, [](const Shard &shard) {
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

void Placer::reportAtRule(const DiagnosticKind &kind, const HolderRule &rule,
                          const Result &result, std::string message) {
  Diagnostic diagnostic{&kind, rule.range, std::move(message)};
  diagnostic.jsonPath = rule.path;
  noteStatement(diagnostic, result);
  sink.report(std::move(diagnostic));
}
} // namespace

void aoa::placeResults(Program &program, PassContext &context) {
  Placer(program, context.target, context.script, context.sink).run();
}
