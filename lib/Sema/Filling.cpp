//===- Filling.cpp - What a new tensor is filled with ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Filling.h"

#include "AttributeValues.h"
#include "aoa/Support/NearestName.h"

using namespace aoa;
using namespace aoa::sema;

static constexpr llvm::StringLiteral attributeNames[] = {"shape", "dtype",
                                                         "value"};

namespace {

class FillingReader {
public:
  FillingReader(const ast::Statement &statement, ast::Dialect dialect,
                Reporter &reporter)
      : statement(statement), reporter(reporter),
        values(statement, dialect, reporter) {}

  std::optional<Filling> read();

private:
  bool readAttribute(const ast::Attribute &attribute);
  bool checkUnique();
  bool finish();
  bool fail(const DiagnosticKind &kind, SourceRange range,
            std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    return false;
  }
  template <typename T> static bool take(T &into, std::optional<T> value) {
    if (value)
      into = std::move(*value);
    return value.has_value();
  }

  const ast::Statement &statement;
  Reporter &reporter;
  AttributeValues values;
  Filling filling;
  AttributeValues::Entries shape;
  const ast::Attribute *shapeAt = nullptr, *dtypeAt = nullptr,
                       *valueAt = nullptr;
};

bool FillingReader::checkUnique() {
  const auto &attributes = statement.attributes;
  for (size_t i = 1; i < attributes.size(); ++i)
    for (size_t k = 0; k != i; ++k)
      if (attributes[i].name == attributes[k].name)
        return fail(diag::DuplicateAttribute, attributes[i].range,
                    quote(attributes[i].name) +
                        " stands twice in one statement");
  return true;
}

bool FillingReader::readAttribute(const ast::Attribute &attribute) {
  if (attribute.name == "shape") {
    shapeAt = &attribute;
    return take(shape, values.entries(attribute, "extents", "[4, 2]"));
  }
  if (attribute.name == "dtype") {
    dtypeAt = &attribute;
    return take(filling.type.dtype, values.dtype(attribute));
  }
  if (attribute.name == "value") {
    valueAt = &attribute;
    return take(filling.value, values.number(attribute));
  }
  std::string nearest = nearestName(attribute.name, attributeNames).hint();
  return fail(diag::UnknownAttribute, attribute.range,
              "a declaration takes no attribute " + quote(attribute.name) +
                  nearest);
}

bool FillingReader::finish() {
  const std::string &name = statement.right.front().text;
  if (!shapeAt || !dtypeAt)
    return fail(diag::AddWithoutType, statement.attributes.front().range,
                quote(name) + " is filled, but no `" +
                    (shapeAt ? "dtype" : "shape") + "` is given");
  auto type = primitives::add(filling.type.dtype, shape);
  if (!type)
    return fail(diag::AddWithoutType, shapeAt->value.range,
                type.error().message);
  filling.type = std::move(*type);
  auto filled =
      primitives::fill(filling.type.dtype, filling.type.shape, filling.value);
  if (!filled)
    return fail(diag::WrongNumber,
                valueAt ? valueAt->value.range : dtypeAt->value.range,
                filled.error().message);
  return true;
}

std::optional<Filling> FillingReader::read() {
  if (!checkUnique())
    return std::nullopt;
  bool isRight = true;
  for (const ast::Attribute &attribute : statement.attributes)
    isRight &= readAttribute(attribute);
  if (!isRight)
    return std::nullopt;
  filling.isLeftToCaller = statement.attributes.empty();
  if (!filling.isLeftToCaller && !finish())
    return std::nullopt;
  return std::move(filling);
}

} // namespace

std::optional<Filling> sema::readFilling(const ast::Statement &statement,
                                         ast::Dialect dialect,
                                         Reporter &reporter) {
  return FillingReader(statement, dialect, reporter).read();
}
