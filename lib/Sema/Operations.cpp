//===- Operations.cpp - What the attributes of a statement do ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Operations.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::sema;
using ast::Dialect;

static constexpr llvm::StringRef knownAttributes[] = {
    "axis", "permute", "dtype", "src_dtype", "dst_dtype"};

/// Attributes of the language that are refused by name.
static constexpr llvm::StringRef laterAttributes[] = {
    "reshape", "sizes",  "groups", "stack", "unstack", "rearrange",
    "slice",   "pad",    "repeat", "dedup", "scale",   "plus",
    "tie",     "states", "block",  "value", "shape"};

bool sema::isLaterAttribute(llvm::StringRef name, Dialect dialect) {
  if (dialect == Dialect::Paddle)
    return name == "reshape";
  return llvm::is_contained(laterAttributes, name);
}

namespace {

class OperationReader {
public:
  OperationReader(const ast::Statement &statement, Dialect dialect,
                  Reporter &reporter)
      : statement(statement), dialect(dialect), reporter(reporter) {}

  std::optional<Operations> read();

private:
  bool checkNames();
  bool checkOneOperation();
  void readAttribute(const ast::Attribute &attribute);
  void readAxis(const ast::Attribute &attribute);
  void readPermute(const ast::Attribute &attribute);
  void readDType(const ast::Attribute &attribute);
  void readPair(const ast::Attribute &attribute);
  void finishPair();
  std::optional<DType> dtypeOf(const ast::Attribute &attribute);

  void fail(const DiagnosticKind &kind, SourceRange range,
            std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    failed = true;
  }
  void failValue(const ast::Attribute &attribute, const std::string &expected) {
    fail(diag::AttributeValue, attribute.value.range,
         quote(attribute.name) + " is " + ast::printValue(attribute.value) +
             ", expected " + expected);
  }

  const ast::Statement &statement;
  Dialect dialect;
  Reporter &reporter;
  Operations operations;
  const ast::Attribute *pairFrom = nullptr, *pairTo = nullptr;
  bool failed = false;
};

/// Attributes that do not exist; one report a statement for what is missing
/// from this version, because its other attributes belong to it.
bool OperationReader::checkNames() {
  for (const ast::Attribute &attribute : statement.attributes) {
    llvm::StringRef name = attribute.name;
    if (llvm::is_contained(knownAttributes, name))
      continue;
    if (isLaterAttribute(name, dialect)) {
      fail(diag::UnsupportedOperation, attribute.range,
           quote(name) + " is not supported yet");
      return false;
    }
    NearestName nearest(attribute.name);
    for (llvm::StringRef known : knownAttributes)
      nearest.consider(known);
    if (dialect == Dialect::Aoa)
      for (llvm::StringRef later : laterAttributes)
        nearest.consider(later);
    std::string hint = nearest.hint();
    if (dialect == Dialect::Paddle && isLaterAttribute(name, Dialect::Aoa))
      hint = ", which --std=paddle does not have";
    fail(diag::UnknownAttribute, attribute.range,
         "unknown attribute " + quote(name) + hint);
  }
  return !failed;
}

/// Upstream's rule: one operation a statement, whose attribute stands alone.
bool OperationReader::checkOneOperation() {
  const auto &attributes = statement.attributes;
  if (attributes.size() < 2)
    return true;
  bool oneToOne = statement.left.size() == 1 && statement.right.size() == 1;
  if (oneToOne && attributes.size() == 2) {
    if (attributes[0].name == "src_dtype" && attributes[1].name == "dst_dtype")
      return true;
    if (attributes[0].name == "dst_dtype" &&
        attributes[1].name == "src_dtype") {
      fail(diag::OneOperation, attributes[0].range,
           "`dst_dtype` stands before `src_dtype`, expected after it with "
           "--std=paddle");
      return false;
    }
  }
  for (size_t i = 1; i != attributes.size(); ++i)
    for (size_t k = 0; k != i; ++k)
      if (attributes[i].name == attributes[k].name) {
        fail(diag::DuplicateAttribute, attributes[i].range,
             quote(attributes[i].name) + " stands twice in one statement");
        return false;
      }
  fail(diag::OneOperation, attributes[1].range,
       "a second operation " + quote(attributes[1].name) + " after " +
           quote(attributes[0].name) + ": --std=paddle takes one a statement");
  return false;
}

void OperationReader::readAxis(const ast::Attribute &attribute) {
  if (operations.axis)
    return fail(
        diag::DuplicateAttribute, attribute.range,
        "`axis` stands twice, and no operation but the " +
            std::string(statement.right.size() > 1 ? "split" : "merge") +
            " takes one");
  operations.axisRange = attribute.value.range;
  if (const auto *number = std::get_if<int64_t>(&attribute.value.data)) {
    operations.axis = *number;
    return;
  }
  if (std::holds_alternative<ast::Text>(attribute.value.data))
    return failValue(attribute, "a whole number without quotes");
  failValue(attribute, "a whole number");
}

/// Reads `[1, 0]`; blanks may stand anywhere between.
static bool parseEntries(llvm::StringRef text,
                         llvm::SmallVectorImpl<int64_t> &entries) {
  text = text.trim(" \t");
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  if (text.trim(" \t").empty())
    return true;
  llvm::SmallVector<llvm::StringRef, 4> items;
  text.split(items, ',');
  for (llvm::StringRef item : items) {
    int64_t entry;
    if (item.trim(" \t").getAsInteger(10, entry))
      return false;
    entries.push_back(entry);
  }
  return true;
}

void OperationReader::readPermute(const ast::Attribute &attribute) {
  OneToOne transpose{OneToOne::Kind::Transpose};
  transpose.range = attribute.value.range;
  if (const auto *text = std::get_if<ast::Text>(&attribute.value.data)) {
    if (!parseEntries(text->text, transpose.entries))
      return failValue(attribute, "a list of axes such as \"[1, 0]\"");
  } else if (const auto *list = std::get_if<ast::List>(&attribute.value.data)) {
    if (dialect == Dialect::Paddle)
      return failValue(attribute, "a list in quotes with --std=paddle");
    for (const ast::Value &entry : *list) {
      const auto *number = std::get_if<int64_t>(&entry.data);
      if (!number)
        return failValue(attribute, "a list of whole numbers");
      transpose.entries.push_back(*number);
    }
  } else {
    return failValue(attribute, "a list of axes such as [1, 0]");
  }
  operations.oneToOne.push_back(std::move(transpose));
}

std::optional<DType> OperationReader::dtypeOf(const ast::Attribute &attribute) {
  llvm::StringRef text;
  if (const auto *string = std::get_if<ast::Text>(&attribute.value.data))
    text = string->text;
  else if (const auto *word = std::get_if<ast::Word>(&attribute.value.data);
           word && dialect == Dialect::Aoa)
    text = word->text;
  else {
    failValue(attribute, dialect == Dialect::Aoa ? "a dtype such as bfloat16"
                                                 : "a dtype in quotes");
    return std::nullopt;
  }
  auto dtype = dtypeFromAnyName(text);
  bool isTarget = attribute.name != "src_dtype";
  if (dtype && dialect == Dialect::Paddle && isTarget && text != "float16" &&
      text != "bfloat16" && text != "float32") {
    fail(diag::RefusedCast, attribute.value.range,
         "a cast to " + quote(text) +
             ", expected float16, bfloat16 or float32 with --std=paddle");
    return std::nullopt;
  }
  if (dtype)
    return dtype;
  NearestName nearest{std::string_view(text)};
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS)                                   \
  nearest.consider(PYTHON);                                                    \
  nearest.consider(#NAME);
#include "aoa/Support/DType.def"
  fail(diag::UnknownCastDType, attribute.value.range,
       "unknown dtype " + quote(text) + nearest.hint());
  return std::nullopt;
}

void OperationReader::readDType(const ast::Attribute &attribute) {
  auto dtype = dtypeOf(attribute);
  if (!dtype)
    return;
  OneToOne cast{OneToOne::Kind::Cast};
  cast.to = *dtype;
  cast.range = attribute.value.range;
  operations.oneToOne.push_back(std::move(cast));
}

void OperationReader::readPair(const ast::Attribute &attribute) {
  const ast::Attribute *&half =
      attribute.name == "src_dtype" ? pairFrom : pairTo;
  if (half)
    return fail(diag::DuplicateAttribute, attribute.range,
                quote(attribute.name) + " stands twice in one pair");
  half = &attribute;
  if (pairFrom && pairTo)
    finishPair();
}

void OperationReader::finishPair() {
  auto from = dtypeOf(*pairFrom), to = dtypeOf(*pairTo);
  if (from && to) {
    OneToOne cast{OneToOne::Kind::Cast};
    cast.to = *to;
    cast.from = from;
    cast.range = pairTo->value.range;
    cast.fromRange = pairFrom->value.range;
    operations.oneToOne.push_back(std::move(cast));
  }
  pairFrom = pairTo = nullptr;
}

void OperationReader::readAttribute(const ast::Attribute &attribute) {
  if (attribute.name == "axis")
    readAxis(attribute);
  else if (attribute.name == "permute")
    readPermute(attribute);
  else if (attribute.name == "dtype")
    readDType(attribute);
  else
    readPair(attribute);
}

std::optional<Operations> OperationReader::read() {
  if (!checkNames())
    return std::nullopt;
  if (dialect == Dialect::Paddle && !checkOneOperation())
    return std::nullopt;
  for (const ast::Attribute &attribute : statement.attributes)
    readAttribute(attribute);
  if (const ast::Attribute *half = pairFrom ? pairFrom : pairTo)
    fail(diag::OneOperation, half->range,
         quote(half->name) + " stands without " +
             (pairFrom ? "`dst_dtype`" : "`src_dtype`"));
  if (failed)
    return std::nullopt;
  return std::move(operations);
}

} // namespace

std::optional<Operations> sema::readOperations(const ast::Statement &statement,
                                               Dialect dialect,
                                               Reporter &reporter) {
  return OperationReader(statement, dialect, reporter).read();
}
