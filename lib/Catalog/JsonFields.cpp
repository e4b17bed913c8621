//===- JsonFields.cpp - Reading fields, reporting faults --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "JsonFields.h"

#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

std::optional<JsonDocument> JsonFields::parse(std::string_view text) {
  auto document = JsonDocument::parse(text);
  if (document)
    return std::move(*document);
  const JsonFault &wrong = document.error();
  Diagnostic diagnostic{.kind = &diag::JsonSyntax,
                        .range = {file, wrong.begin, wrong.end},
                        .message = wrong.message,
                        .jsonPath = wrong.path};
  if (wrong.isDuplicateName()) {
    diagnostic.kind = &diag::JsonDuplicateName;
    diagnostic.notes = {
        {{file, wrong.firstBegin, wrong.firstEnd}, "first given here"}};
  }
  sink.report(std::move(diagnostic));
  return std::nullopt;
}

void JsonFields::fault(JsonValue value, const DiagnosticKind &kind,
                       std::string message, std::vector<Note> notes,
                       std::optional<SourceRange> within) {
  if (isFull())
    return;
  if (++numFaults == maxFaults)
    notes.push_back({{}, "further faults of this file are not shown"});
  sink.report({.kind = &kind,
               .range = within.value_or(rangeOf(value)),
               .message = std::move(message),
               .notes = std::move(notes),
               .jsonPath = value.path()});
}

void JsonFields::readInto(JsonValue value,
                          std::span<const std::string_view> names,
                          std::span<std::optional<JsonValue>> found) {
  if (!isObject(value, "an object"))
    return;
  for (auto [key, member] : value.members()) {
    auto name = std::ranges::find(names, key.str());
    if (name != names.end())
      found[static_cast<size_t>(name - names.begin())] = member;
    else if (key.str() != "about")
      unknownField(key, names);
  }
}

void JsonFields::unknownField(JsonValue key,
                              std::span<const std::string_view> names) {
  fault(key, diag::UnknownField,
        fmt::format("unknown field `{}`{}", key.str(),
                    nearestName(key.str(), names).hint()));
}

bool JsonFields::isOfOtherSchema(JsonValue root, std::string_view schema) {
  if (!root.isObject())
    return false;
  for (auto [key, value] : root.members())
    if (key.str() == "schema" && value.isString() && value.str() != schema) {
      fault(value, diag::WrongSchema,
            fmt::format("schema `{}`, expected `{}`", value.str(), schema));
      return true;
    }
  return false;
}

bool JsonFields::require(JsonValue object,
                         const std::optional<JsonValue> &field,
                         std::string_view name) {
  if (!field && object.isObject())
    fault(object, diag::MissingField,
          fmt::format("field `{}` is missing", name));
  return field.has_value();
}

void JsonFields::wrongKind(JsonValue value, std::string_view wanted) {
  std::string found(describe(value.kind()));
  if (value.isNumber() || value.isBool())
    found = fmt::format("{}", value.rawText().substr(0, 40));
  fault(value, diag::JsonType,
        fmt::format("found {}, expected {}", found, wanted));
}

bool JsonFields::isArray(JsonValue value, std::string_view what) {
  if (!value.isArray())
    wrongKind(value, what);
  return value.isArray();
}

bool JsonFields::isObject(JsonValue value, std::string_view what) {
  if (!value.isObject())
    wrongKind(value, what);
  return value.isObject();
}

std::optional<std::string_view> JsonFields::string(JsonValue value,
                                                   std::string_view what) {
  if (!value.isString()) {
    wrongKind(value, what);
    return std::nullopt;
  }
  if (!isInserted(value))
    return value.str();
  std::optional<Expr> text = parseString(value);
  if (!text)
    return std::nullopt;
  ExprResult<std::string> inserted = evaluateText(*text, *parameters);
  if (!inserted) {
    wrongParameter(value, inserted.error());
    return std::nullopt;
  }
  return replaced.emplace_back(std::move(*inserted));
}

bool JsonFields::isInserted(JsonValue value) const {
  return parameters && value.isString() && hasInterpolation(value.str());
}

std::optional<Expr> JsonFields::parseString(JsonValue value) {
  ExprResult<Expr> text = parseText(value.str(), file, value.begin() + 1);
  if (text)
    return std::move(*text);
  wrongParameter(value, text.error());
  return std::nullopt;
}

void JsonFields::wrongParameter(JsonValue value, const ExprFault &wrong) {
  // Behind an escape, places in the string are none in the text.
  fault(value, diag::LayoutParameter, wrong.message, {},
        value.hasEscapes() ? rangeOf(value) : wrong.range);
}

std::optional<Constant> JsonFields::insertedValue(JsonValue value,
                                                  std::string_view what) {
  std::optional<Expr> text = parseString(value);
  if (!text)
    return std::nullopt;
  if (text->operands.size() != 1) {
    wrongKind(value, what);
    return std::nullopt;
  }
  ExprResult<Constant> constant =
      evaluate(text->operands[0], *parameters, ExprPlace::Inserted);
  if (constant)
    return std::move(*constant);
  wrongParameter(value, constant.error());
  return std::nullopt;
}

std::optional<double> JsonFields::number(JsonValue value,
                                         std::string_view what) {
  std::optional<double> number = value.number();
  if (number)
    return number;
  if (!isInserted(value)) {
    wrongKind(value, what);
    return std::nullopt;
  }
  std::optional<Constant> constant = insertedValue(value, what);
  if (!constant)
    return std::nullopt;
  if (const auto *exact = std::get_if<double>(&constant->data))
    return *exact;
  // As a number written here would be: the nearest double.
  if (const auto *whole = std::get_if<int64_t>(&constant->data))
    return static_cast<double>(*whole);
  fault(
      value, diag::LayoutParameter,
      fmt::format("found {}, expected {}", describeConstant(*constant), what));
  return std::nullopt;
}

std::optional<int64_t> JsonFields::whole(JsonValue value, int64_t least,
                                         std::string_view what) {
  if (isInserted(value)) {
    std::optional<Constant> constant = insertedValue(value, what);
    if (!constant)
      return std::nullopt;
    const auto *whole = std::get_if<int64_t>(&constant->data);
    if (whole && *whole >= least)
      return *whole;
    fault(value, diag::LayoutParameter,
          fmt::format("found {}, expected {}", describeConstant(*constant),
                      what));
    return std::nullopt;
  }
  std::optional<int64_t> number = value.wholeNumber();
  if (number && *number >= least)
    return number;
  wrongKind(value, what);
  return std::nullopt;
}

std::optional<Shape> JsonFields::extents(JsonValue value) {
  if (!isArray(value, "a list of whole numbers"))
    return std::nullopt;
  Shape extents;
  extents.reserve(value.size());
  bool ok = true;
  for (JsonValue element : value.elements()) {
    std::optional<int64_t> extent =
        whole(element, 0, "a whole number, not negative");
    ok &= extent.has_value();
    extents.push_back(extent.value_or(0));
  }
  if (!ok)
    return std::nullopt;
  return extents;
}

std::optional<Shape> JsonFields::shape(JsonValue value) {
  std::optional<Shape> shape = extents(value);
  if (shape && !checkedNumElements(*shape)) {
    fault(value, diag::CatalogTensor,
          fmt::format("number of elements of {} is 2^62 or more",
                      formatShape(*shape)));
    return std::nullopt;
  }
  return shape;
}

} // namespace aoa
