//===- BuildPieces.cpp - Results and transfers of IR text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The text has the pieces of every result; layout classes are found again by
// what makes results alike (ClassKey.h) and by the pieces themselves.
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"

#include "aoa/IR/ClassKey.h"
#include "aoa/IRText/IRTextDiagnostics.h"

using aoa::ir::ValueId;

namespace aoa::irtext {

void ProgramBuilder::result(AoirParser::ResultContext &node) {
  if (!expectOutside(node))
    return;
  std::string name = reader.name(*node.name());
  auto id = value(*node.VALUE());
  if (!id)
    return;
  const ir::Value &value = program().value(*id);
  if (node.type() && !expectType(*node.type(), value))
    return;
  bool isLeft = program().definition(*id).kind == ir::OpKind::Add;
  if (node.type() && (node.LEFT() != nullptr) != isLeft) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 isLeft ? "the value is an `add`, expected `left to the caller`"
                        : "the value is no `add`, so nothing is left to the "
                          "caller");
    return;
  }
  if (!resultIndex.try_emplace(name, program().results.size()).second) {
    reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                 "a second result `" + name + "`");
    return;
  }
  addResult({.name = std::move(name), .value = *id, .leftToCaller = isLeft},
            node.type());
  if (node.LBRACE())
    open(Section::Result, node);
}

void ProgramBuilder::compared(AoirParser::ComparedContext &node) {
  if (!expectOutside(node))
    return;
  auto number = reader.smallInteger(*node.INT());
  auto id = value(*node.VALUE());
  if (!number || !id)
    return;
  if (*number != comparedIndex.size()) {
    reader.fault(diag::IRName, reader.rangeOf(*node.INT()),
                 "comparison " + std::to_string(*number) + ", expected " +
                     std::to_string(comparedIndex.size()));
    return;
  }
  const ir::Value &value = program().value(*id);
  if (node.type() && !expectType(*node.type(), value))
    return;
  comparedIndex.push_back(program().results.size());
  addResult(
      {.name = reader.name(*node.name()),
       .value = *id,
       .isCompared = true,
       .shards = lists.whole(Shape(value.shape.begin(), value.shape.end()))},
      node.type());
  if (node.LBRACE())
    open(Section::Result, node);
}

void ProgramBuilder::addResult(ir::Result result,
                               AoirParser::TypeContext *type) {
  atHand = program().results.size();
  program().results.push_back(std::move(result));
  hasLayout.push_back(false);
  transfers.emplace_back();
  if (type && program().stage == ir::Stage::Graph)
    program().stage = ir::Stage::Pieces;
}

bool ProgramBuilder::expectType(AoirParser::TypeContext &node,
                                const ir::Value &value) {
  auto type = reader.type(node);
  if (!type)
    return false;
  if (type->dtype == value.dtype && llvm::equal(type->shape, value.shape))
    return true;
  reader.fault(diag::IRType, reader.rangeOf(node),
               std::string(nameOf(type->dtype)) + " " +
                   formatShape(type->shape) + ", the value is " +
                   std::string(nameOf(value.dtype)) + " " +
                   formatShape(value.shape));
  return false;
}

std::optional<size_t>
ProgramBuilder::findResult(AoirParser::NameContext &node) {
  std::string name = reader.name(node);
  auto found = resultIndex.find(name);
  if (found != resultIndex.end())
    return found->second;
  return reader.fault(diag::IRName, reader.rangeOf(node),
                      "there is no result `" + name + "` above");
}

std::optional<size_t>
ProgramBuilder::findCompared(AoirParser::TransferContext &node) {
  auto number = reader.smallInteger(*node.INT());
  if (!number)
    return std::nullopt;
  if (*number < comparedIndex.size() &&
      program().results[comparedIndex[*number]].name ==
          reader.name(*node.name()))
    return comparedIndex[*number];
  return reader.fault(diag::IRName, reader.rangeOf(node),
                      "there is no `compare " + std::to_string(*number) + " " +
                          reader.name(*node.name()) + "` above");
}

void ProgramBuilder::transfer(AoirParser::TransferContext &node) {
  if (!expectOutside(node))
    return;
  auto index = node.COMPARE() ? findCompared(node) : findResult(*node.name());
  if (!index)
    return;
  ir::Result &result = program().results[*index];
  if (!expectType(*node.type(), program().value(result.value)))
    return;
  if ((node.LEFT() != nullptr) != result.leftToCaller || transfers[*index]) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 transfers[*index] ? "a second transfer of this result"
                 : result.leftToCaller
                     ? "the result is an `add`, expected `left to the caller`"
                     : "the result is no `add`, so nothing is left to the "
                       "caller");
    return;
  }
  program().stage = ir::Stage::Transfers;
  if (result.leftToCaller)
    return;
  atHand = *index;
  transfers[atHand].emplace();
  storageOrigins.clear();
  result.slots = ir::slotsOf(program(), result.pieces);
  open(Section::Transfer, node);
}

void ProgramBuilder::transferShard(AoirParser::ShardContext &node,
                                   std::vector<uint32_t> ranks, Shape shape) {
  size_t index = transfers[atHand]->shards.size();
  const ShardList &shards = resultAtHand().shards;
  if (index >= shards.size() || shards[index].ranks != ranks ||
      shards[index].localShape != shape) {
    reader.fault(diag::IRShard, reader.rangeOf(node),
                 index >= shards.size()
                     ? "the layout of the result has " +
                           std::to_string(shards.size()) + " shards"
                     : "the shard is another one than that of the layout");
    return;
  }
  transfers[atHand]->shards.emplace_back();
  inShard = true;
}

void ProgramBuilder::closeTransfer(SourceRange range) {
  size_t found = transfers[atHand]->shards.size();
  size_t expected = resultAtHand().shards.size();
  if (found != expected)
    reader.fault(diag::IRShard, range,
                 "the transfer has " + std::to_string(found) +
                     " shards, the layout of the result " +
                     std::to_string(expected));
}

void ProgramBuilder::piece(AoirParser::PieceContext &node) {
  if (section == Section::Result)
    resultPiece(node);
  else if (section == Section::Transfer && inShard)
    transferPiece(node);
  else
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a piece stands outside of results and of the shards of "
                 "transfers");
}

std::optional<affine::Piece>
ProgramBuilder::geometry(AoirParser::PieceContext &node) {
  auto shape = reader.extents(*node.extents());
  auto src = reader.view(*node.place(0)->view());
  auto dst = reader.view(*node.place(1)->view());
  if (!shape || !src || !dst)
    return std::nullopt;
  affine::Piece piece{affine::Extents(shape->begin(), shape->end()),
                      std::move(*src), std::move(*dst)};
  if (auto sound = affine::checkPiece(piece); !sound)
    return reader.fault(diag::IRPiece, reader.rangeOf(node),
                        sound.error().str());
  return piece;
}

std::optional<ValueId>
ProgramBuilder::sourceOf(AoirParser::PlaceContext &node) {
  if (node.VALUE()) {
    auto id = value(*node.VALUE());
    if (!id || program().isFill(*id))
      return id;
    return reader.fault(diag::IRName, reader.rangeOf(*node.VALUE()),
                        "the value is no `fill`; pieces read those and, by "
                        "name, sources");
  }
  std::string name = reader.name(*node.name());
  auto found = sourceValues.find(name);
  if (found != sourceValues.end())
    return found->second;
  return reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                      "`" + name + "` is no source of the graph");
}

bool ProgramBuilder::expectTarget(AoirParser::PlaceContext &node) {
  if (node.name() && reader.name(*node.name()) == resultAtHand().name)
    return true;
  std::string found = node.name() ? "`" + reader.name(*node.name()) + "`"
                                  : std::string("a value");
  reader.fault(diag::IRName, reader.rangeOf(node),
               "the piece writes " + found + ", expected `" +
                   resultAtHand().name + "`");
  return false;
}

void ProgramBuilder::resultPiece(AoirParser::PieceContext &node) {
  auto piece = geometry(node);
  auto source = sourceOf(*node.place(0));
  if (!piece || !source || !expectTarget(*node.place(1)))
    return;
  for (AoirParser::PlaceContext *place : node.place())
    if (place->AT()) {
      reader.fault(diag::IRPiece, reader.rangeOf(*place),
                   "a shard; pieces of a result are of whole tensors");
      return;
    }
  auto ops = reader.chain(node.chain(), program().value(*source).dtype,
                          program().value(resultAtHand().value).dtype,
                          reader.rangeOf(node));
  if (!ops)
    return;
  ir::OpId by = program().value(*source).definition;
  if (node.VALUE()) {
    auto id = value(*node.VALUE());
    if (!id)
      return;
    by = program().value(*id).definition;
  }
  resultAtHand().pieces.add(
      *piece, program().internOrigin({*source, program().internOps(*ops), by}));
}

void ProgramBuilder::transferPiece(AoirParser::PieceContext &node) {
  auto piece = geometry(node);
  auto source = sourceOf(*node.place(0));
  if (!piece || !source || !expectTarget(*node.place(1)))
    return;
  ir::Result &result = resultAtHand();
  ir::LayoutClass &layoutClass = *transfers[atHand];
  auto refuse = [&](const antlr4::ParserRuleContext &where,
                    std::string message) {
    reader.fault(diag::IRPiece, reader.rangeOf(where), std::move(message));
  };
  uint32_t shardOf[2] = {};
  for (unsigned i : {0, 1}) {
    AoirParser::PlaceContext &place = *node.place(i);
    if (!place.INT())
      return refuse(place, "a whole tensor; pieces of a transfer are of "
                           "shards, like `name@0`");
    auto shard = reader.smallInteger(*place.INT());
    if (!shard)
      return;
    shardOf[i] = *shard;
  }
  size_t numSource =
      std::max<size_t>(1, program().storedValue(*source).shards.size());
  if (shardOf[0] >= numSource)
    return refuse(*node.place(0), "shard " + std::to_string(shardOf[0]) +
                                      " of a tensor that has " +
                                      std::to_string(numSource));
  if (shardOf[1] + 1 != layoutClass.shards.size())
    return refuse(*node.place(1),
                  "the piece writes another shard than the one it stands in");
  if (node.BY())
    return refuse(node, "`by` stands behind pieces of results only");
  auto slot = llvm::find(result.slots, *source) - result.slots.begin();
  if (static_cast<size_t>(slot) == result.slots.size()) {
    if (!result.pieces.empty())
      return refuse(*node.place(0), "no piece of the result reads this source");
    result.slots.push_back(*source);
  }
  auto ops =
      reader.chain(node.chain(), program().value(*source).dtype,
                   program().value(result.value).dtype, reader.rangeOf(node));
  if (!ops)
    return;
  ir::StorageOrigin origin{static_cast<uint32_t>(slot), shardOf[0],
                           program().internOps(*ops)};
  auto [entry, isNew] =
      storageOrigins.try_emplace(origin, layoutClass.origins.size());
  if (isNew)
    layoutClass.origins.push_back(origin);
  layoutClass.shards.back().add(*piece, entry->second);
}

/// Puts the results in order and gives those with transfers their classes.
void ProgramBuilder::findClasses() {
  std::vector<ir::Result> &results = program().results;
  std::vector<size_t> order(results.size());
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    if (results[a].isCompared || results[b].isCompared)
      return results[a].isCompared == results[b].isCompared
                 ? a < b
                 : results[b].isCompared;
    return results[a].name < results[b].name;
  });
  ir::ShardGeometries geometries;
  std::unordered_map<std::string, ir::LayoutClassId> classOf;
  std::vector<ir::Result> sorted;
  sorted.reserve(results.size());
  for (size_t i : order) {
    ir::Result &result = sorted.emplace_back(std::move(results[i]));
    if (!transfers[i])
      continue;
    std::string key = ir::classKey(program(), result, geometries);
    ir::addToKey(key, *transfers[i]);
    auto [entry, isNew] = classOf.try_emplace(
        std::move(key), ir::LayoutClassId(program().classes.size()));
    if (isNew)
      program().classes.push_back(std::move(*transfers[i]));
    result.layoutClass = entry->second;
    ++program().classes[entry->second.index()].numResults;
    transfers[i].reset();
  }
  results = std::move(sorted);
}

} // namespace aoa::irtext
