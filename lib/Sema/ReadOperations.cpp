//===- ReadOperations.cpp - Attributes, left to right -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AttributeNames.h"
#include "AttributeValues.h"
#include "JoinOrCut.h"
#include "Operations.h"
#include "aoa/Support/NearestName.h"

using namespace aoa;
using namespace aoa::sema;
using ast::Dialect;
using Kind = OneToOne::Kind;

namespace {

class OperationReader {
public:
  OperationReader(const ast::Statement &statement, Dialect dialect,
                  Reporter &reporter)
      : statement(statement), dialect(dialect), reporter(reporter),
        values(statement, dialect, reporter),
        joinOrCut(statement, values, reporter) {}

  std::optional<Operations> read();

private:
  /// Each returns whether the attribute is right.
  bool readAttribute(const ast::Attribute &attribute);
  bool readOneToOne(const ast::Attribute &attribute, Kind kind);
  bool readPair(const ast::Attribute &attribute);
  bool finishPair();
  bool readPad(const ast::Attribute &attribute, OneToOne &operation);
  bool readRearrange(const ast::Attribute &attribute, OneToOne &operation);
  bool readAxis(const ast::Attribute &attribute);
  bool readBlock(const ast::Attribute &attribute);
  bool readValue(const ast::Attribute &attribute);
  bool readOther(const ast::Attribute &attribute);
  bool isLaterFactor(const ast::Attribute &attribute) const;
  bool readStates(const ast::Attribute &attribute);
  bool checkComplete();

  /// Returns the nearest operation so far for which `takes` says so, or null.
  template <typename Takes> OneToOne *findTaker(const Takes &takes) {
    for (OneToOne &each : llvm::reverse(operations.oneToOne))
      if (takes(each))
        return &each;
    return nullptr;
  }

  bool fail(const DiagnosticKind &kind, SourceRange range,
            std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    return false;
  }
  bool failLeftOver(const ast::Attribute &attribute, llvm::StringRef takers) {
    return fail(diag::UnknownAttribute, attribute.range,
                quote(attribute.name) +
                    " belongs to no operation on its left; "
                    "expected " +
                    takers.str() + " before it");
  }
  bool failUnknown(const ast::Attribute &attribute);

  const ast::Statement &statement;
  Dialect dialect;
  Reporter &reporter;
  AttributeValues values;
  JoinOrCutReader joinOrCut;
  Operations operations;
  const ast::Attribute *pairFrom = nullptr, *pairTo = nullptr;
};

bool takesAxis(const OneToOne &operation) {
  return operation.kind == Kind::Repeat || operation.kind == Kind::Dedup;
}

std::optional<Kind> kindOf(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, Kind> kinds[] = {
      {"permute", Kind::Transpose},   {"dtype", Kind::Cast},
      {"reshape", Kind::Reshape},     {"slice", Kind::Slice},
      {"rearrange", Kind::Rearrange}, {"pad", Kind::Pad},
      {"repeat", Kind::Repeat},       {"dedup", Kind::Dedup},
      {"scale", Kind::Scale},         {"plus", Kind::Plus},
      {"stack", Kind::Stack},         {"unstack", Kind::Unstack}};
  for (const auto &[text, kind] : kinds)
    if (text == name)
      return kind;
  return std::nullopt;
}

bool OperationReader::failUnknown(const ast::Attribute &attribute) {
  NearestName nearest(attribute.name);
  for (llvm::StringRef known : attributeNames(dialect))
    nearest.consider(known);
  for (const OneToOne &operation : operations.oneToOne)
    for (const std::string &factor : operation.factorNames)
      nearest.consider(factor);
  if (dialect == Dialect::Paddle &&
      isAttributeName(attribute.name, Dialect::Aoa))
    return fail(diag::UnknownAttribute, attribute.range,
                "unknown attribute " + quote(attribute.name) +
                    ", which --std=paddle does not have");
  std::vector<FixIt> fixIts;
  if (auto best = nearest.best())
    fixIts = reporter.replaceWritten(statement, attribute.range, attribute.name,
                                     *best);
  reporter.report(diag::UnknownAttribute, statement, attribute.range,
                  "unknown attribute " + quote(attribute.name) + nearest.hint(),
                  {}, std::move(fixIts));
  return false;
}

bool OperationReader::readPad(const ast::Attribute &attribute,
                              OneToOne &operation) {
  auto around = values.pairs(attribute);
  if (around)
    operation.around = std::move(*around);
  return around.has_value();
}

bool OperationReader::readRearrange(const ast::Attribute &attribute,
                                    OneToOne &operation) {
  auto text = values.text(attribute, "(h d) c -> (d h) c");
  if (!text)
    return false;
  operation.text = std::move(*text);
  operation.factorNames = primitives::factorNames(operation.text);
  for (const std::string &name : operation.factorNames)
    if (isAttributeName(name, dialect))
      return fail(diag::WrongRearrange, attribute.value.range,
                  "factor " + quote(name) +
                      " is named like an attribute, so its size could not be "
                      "given; choose another name");
  return true;
}

bool OperationReader::readOneToOne(const ast::Attribute &attribute, Kind kind) {
  OneToOne operation{kind};
  operation.range = attribute.value.range;
  operation.nameRange = attribute.range;
  auto take = [](auto &into, auto value) {
    if (value)
      into = std::move(*value);
    return value.has_value();
  };
  bool isRight = false;
  switch (kind) {
  case Kind::Transpose:
    isRight =
        take(operation.entries, values.entries(attribute, "axes", "[1, 0]"));
    break;
  case Kind::Cast:
    isRight = take(operation.to, values.dtype(attribute));
    break;
  case Kind::Reshape:
    isRight = take(operation.entries,
                   values.entries(attribute, "extents", "[4, -1]"));
    break;
  case Kind::Rearrange:
    isRight = readRearrange(attribute, operation);
    break;
  case Kind::Slice:
    isRight = take(operation.text, values.text(attribute, "0:4, :"));
    break;
  case Kind::Pad:
    isRight = readPad(attribute, operation);
    break;
  case Kind::Repeat:
  case Kind::Dedup:
    isRight = take(operation.count, values.count(attribute));
    break;
  case Kind::Scale:
  case Kind::Plus:
    if (auto number = values.number(attribute)) {
      operation.number = std::visit(
          [](auto each) { return static_cast<double>(each); }, *number);
      isRight = true;
    }
    break;
  case Kind::Stack:
  case Kind::Unstack:
    if (auto axis = values.wholeNumber(attribute)) {
      operation.axis = PlacedNumber{*axis, attribute.value.range};
      isRight = true;
    }
    break;
  }
  // Also what is wrong takes what belongs to it.
  operations.oneToOne.push_back(std::move(operation));
  return isRight;
}

bool OperationReader::readPair(const ast::Attribute &attribute) {
  const ast::Attribute *&half =
      attribute.name == "src_dtype" ? pairFrom : pairTo;
  if (half)
    return fail(diag::DuplicateAttribute, attribute.range,
                quote(attribute.name) + " stands twice in one pair");
  half = &attribute;
  return !pairFrom || !pairTo || finishPair();
}

bool OperationReader::finishPair() {
  auto from = values.dtype(*pairFrom), to = values.dtype(*pairTo);
  if (from && to) {
    OneToOne cast{Kind::Cast};
    cast.to = *to;
    cast.from = from;
    cast.range = pairTo->value.range;
    cast.fromRange = pairFrom->value.range;
    cast.nameRange = pairTo->range;
    operations.oneToOne.push_back(std::move(cast));
  }
  pairFrom = pairTo = nullptr;
  return from && to;
}

bool OperationReader::readAxis(const ast::Attribute &attribute) {
  auto axis = values.wholeNumber(attribute);
  if (!axis)
    return false;
  PlacedNumber placed{*axis, attribute.value.range};
  if (OneToOne *taker = findTaker(
          [](const OneToOne &each) { return takesAxis(each) && !each.axis; })) {
    taker->axis = placed;
    return true;
  }
  return joinOrCut.takeAxis(attribute, placed);
}

bool OperationReader::readBlock(const ast::Attribute &attribute) {
  auto block = values.count(attribute);
  if (!block)
    return false;
  OneToOne *taker = findTaker(
      [](const OneToOne &each) { return takesAxis(each) && !each.block; });
  if (!taker)
    return failLeftOver(attribute, "`repeat` or `dedup`");
  taker->block = PlacedNumber{*block, attribute.value.range};
  return true;
}

bool OperationReader::readValue(const ast::Attribute &attribute) {
  OneToOne *taker = findTaker([](const OneToOne &each) {
    return each.kind == Kind::Pad && !each.value && !each.repeatsLast;
  });
  if (!taker)
    return failLeftOver(attribute, "`pad`");
  taker->valueRange = attribute.value.range;
  const auto *word = std::get_if<ast::Word>(&attribute.value.data);
  const auto *quoted = std::get_if<ast::Text>(&attribute.value.data);
  if ((word && word->text == "last") || (quoted && quoted->text == "last")) {
    taker->repeatsLast = true;
    return true;
  }
  if (word || quoted) {
    values.fail(attribute, "a number or `last`");
    return false;
  }
  taker->value = values.number(attribute);
  return taker->value.has_value();
}

bool OperationReader::readStates(const ast::Attribute &attribute) {
  static constexpr llvm::StringLiteral words[] = {"copy", "fresh"};
  if (operations.states != Operations::States::Unsaid)
    return fail(diag::DuplicateAttribute, attribute.range,
                "`states` stands twice in one statement");
  auto index = values.word(attribute, words);
  if (index)
    operations.states =
        *index == 0 ? Operations::States::Copy : Operations::States::Fresh;
  return index.has_value();
}

/// Whether a rearrange further to the right has the factor.
bool OperationReader::isLaterFactor(const ast::Attribute &attribute) const {
  for (const ast::Attribute &each : statement.attributes)
    if (const auto *pattern = std::get_if<ast::Text>(&each.value.data))
      if (each.name == "rearrange" &&
          llvm::is_contained(primitives::factorNames(pattern->text),
                             attribute.name))
        return true;
  return false;
}

/// The size of a factor, or what does not exist.
bool OperationReader::readOther(const ast::Attribute &attribute) {
  auto hasFactor = [&](const OneToOne &each) {
    return llvm::is_contained(each.factorNames, attribute.name);
  };
  OneToOne *taker = findTaker([&](const OneToOne &each) {
    return hasFactor(each) &&
           llvm::none_of(each.factors, [&](const auto &factor) {
             return factor.first == attribute.name;
           });
  });
  if (!taker && llvm::any_of(operations.oneToOne, hasFactor))
    return fail(diag::DuplicateAttribute, attribute.range,
                "factor " + quote(attribute.name) + " gets a second size");
  if (!taker)
    return isLaterFactor(attribute) ? failLeftOver(attribute, "its `rearrange`")
                                    : failUnknown(attribute);
  auto size = values.wholeNumber(attribute);
  if (size)
    taker->factors.emplace_back(attribute.name, *size);
  return size.has_value();
}

bool OperationReader::readAttribute(const ast::Attribute &attribute) {
  llvm::StringRef name = attribute.name;
  if (!isAttributeName(name, dialect))
    return dialect == Dialect::Paddle ? failUnknown(attribute)
                                      : readOther(attribute);
  if (joinOrCut.isSaidBy(name))
    return joinOrCut.read(attribute, operations.oneToOne.size());
  if (auto kind = kindOf(name))
    return readOneToOne(attribute, *kind);
  if (name == "src_dtype" || name == "dst_dtype")
    return readPair(attribute);
  if (name == "axis")
    return readAxis(attribute);
  if (name == "block")
    return readBlock(attribute);
  if (name == "value")
    return readValue(attribute);
  if (name == "states")
    return readStates(attribute);
  return failLeftOver(attribute, "the `_` of a fill");
}

/// What an operation cannot do without.
bool OperationReader::checkComplete() {
  bool isComplete = true;
  for (const OneToOne &each : operations.oneToOne)
    if (takesAxis(each) && (!each.axis || !each.block)) {
      const char *name = each.kind == Kind::Repeat ? "`repeat`" : "`dedup`";
      isComplete = fail(diag::MissingAttribute, each.nameRange,
                        std::string(name) + " stands without " +
                            (each.axis ? "`block`" : "`axis`") +
                            "; both must follow it");
    }
  return isComplete;
}

std::optional<Operations> OperationReader::read() {
  if (dialect == Dialect::Paddle && !checkOneOperation(statement, reporter))
    return std::nullopt;
  bool isRight = true;
  for (const ast::Attribute &attribute : statement.attributes) {
    // A pair with something in between would have two places to act at.
    const ast::Attribute *half = pairFrom ? pairFrom : pairTo;
    if (half && attribute.name != "src_dtype" && attribute.name != "dst_dtype")
      break;
    isRight &= readAttribute(attribute);
  }
  if (const ast::Attribute *half = pairFrom ? pairFrom : pairTo)
    isRight &=
        fail(diag::OneOperation, half->range,
             quote(half->name) + " stands without " +
                 (pairFrom ? "`dst_dtype`" : "`src_dtype`") + " beside it");
  if (!isRight || !checkComplete())
    return std::nullopt;
  auto resolved = joinOrCut.finish(operations.oneToOne);
  if (!resolved)
    return std::nullopt;
  operations.joinOrCut = std::move(*resolved);
  return std::move(operations);
}

} // namespace

std::optional<Operations> sema::readOperations(const ast::Statement &statement,
                                               Dialect dialect,
                                               Reporter &reporter) {
  return OperationReader(statement, dialect, reporter).read();
}
