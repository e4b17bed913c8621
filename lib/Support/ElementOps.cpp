//===- ElementOps.cpp - What an element goes through on its way -----------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/ElementOps.h"

#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <optional>

using namespace aoa;

namespace {

/// Every value is a whole number of at most `significandBits` bits, times a
/// power of two of at least `lowestExponent`, and below 2^`endExponent`.
struct Range {
  int significandBits, lowestExponent, endExponent;

  bool isWithin(const Range &other) const {
    return significandBits <= other.significandBits &&
           lowestExponent >= other.lowestExponent &&
           endExponent <= other.endExponent;
  }
};

std::optional<Range> rangeOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return Range{53, -1074, 1024};
  case DType::F32:
    return Range{24, -149, 128};
  case DType::BF16:
    return Range{8, -133, 128};
  case DType::F16:
    return Range{11, -24, 16};
  case DType::F8_E5M2:
    return Range{3, -16, 16};
  case DType::F8_E4M3:
    return Range{4, -9, 9};
  case DType::BOOL:
    return Range{1, 0, 1};
  case DType::U8:
  case DType::U16:
  case DType::U32:
  case DType::U64: {
    const int bits = static_cast<int>(bitsOf(dtype));
    return Range{bits, 0, bits};
  }
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64: {
    // The one value of -2^(bits - 1) is a power of two: a float that holds the
    // others holds it too, if its exponents reach.
    const int bits = static_cast<int>(bitsOf(dtype));
    return Range{bits - 1, 0, bits};
  }
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
  case DType::C64:
    return std::nullopt; // They become nothing else.
  }
  return std::nullopt;
}

} // namespace

bool aoa::isLossless(DType from, DType to) {
  if (from == to)
    return true;
  if (!canConvert(from, to))
    return false;
  // Integers only become integers that hold all their values.
  if (classOf(to) != DTypeClass::Float)
    return true;
  const std::optional<Range> src = rangeOf(from), dst = rangeOf(to);
  return src && dst && src->isWithin(*dst);
}

void ElementOps::cast(DType dtype) {
  assert(canConvert(to(), dtype) && "the caller asks only for what there is");
  if (dtype == to())
    return;
  // Looks for the dtype on the way here, as long as nothing was lost since.
  for (size_t i = steps.size(); i-- > 0;) {
    const DType before = i == 0 ? from : steps[i - 1].to;
    if (steps[i].kind != ElementOp::Kind::Cast ||
        !isLossless(before, steps[i].to))
      break;
    if (before == dtype)
      return steps.resize(i);
  }
  steps.push_back({ElementOp::Kind::Cast, dtype, 1});
}

namespace {

void rescale(ElementOps &ops, ElementOp::Kind kind, ElementOp::Kind inverse,
             double factor) {
  if (factor == 1)
    return;
  assert(classOf(ops.to()) == DTypeClass::Float && "only floats are scaled");
  assert(std::isfinite(factor) && factor != 0 && "a scaling can be undone");
  if (!ops.steps.empty() && ops.steps.back().kind == inverse &&
      ops.steps.back().number == factor)
    return ops.steps.pop_back();
  ops.steps.push_back({kind, ops.to(), factor});
}

} // namespace

void ElementOps::multiply(double factor) {
  rescale(*this, ElementOp::Kind::Multiply, ElementOp::Kind::Divide, factor);
}

void ElementOps::divide(double factor) {
  rescale(*this, ElementOp::Kind::Divide, ElementOp::Kind::Multiply, factor);
}

void ElementOps::scale(double factor) {
  assert(classOf(to()) == DTypeClass::Float && "only floats are scaled");
  assert(std::isfinite(arithmeticNumber(to(), factor)) &&
         arithmeticNumber(to(), factor) != 0 && "the analysis refuses these");
  steps.push_back({ElementOp::Kind::Scale, to(), factor});
}

void ElementOps::plus(double addend) {
  assert(classOf(to()) == DTypeClass::Float && "only to floats is added");
  assert(std::isfinite(arithmeticNumber(to(), addend)) &&
         "the analysis refuses these");
  steps.push_back({ElementOp::Kind::Plus, to(), addend});
}

double aoa::arithmeticNumber(DType dtype, double number) {
  return dtype == DType::F64 ? number : static_cast<float>(number);
}

void ElementOps::append(const ElementOps &next) {
  assert(next.from == to() && "the chains meet in one dtype");
  // A copy: `next` may be this chain itself.
  for (const ElementOp &step : std::vector<ElementOp>(next.steps))
    switch (step.kind) {
    case ElementOp::Kind::Cast:
      cast(step.to);
      break;
    case ElementOp::Kind::Multiply:
      multiply(step.number);
      break;
    case ElementOp::Kind::Divide:
      divide(step.number);
      break;
    case ElementOp::Kind::Scale:
      scale(step.number);
      break;
    case ElementOp::Kind::Plus:
      plus(step.number);
      break;
    }
}

std::string aoa::format(const ElementOps &ops) {
  std::string text(nameOf(ops.from));
  for (const ElementOp &step : ops.steps)
    switch (step.kind) {
    case ElementOp::Kind::Cast:
      text += fmt::format(" -> {}", nameOf(step.to));
      break;
    case ElementOp::Kind::Multiply:
      text += fmt::format(" -> *{}", step.number);
      break;
    case ElementOp::Kind::Divide:
      text += fmt::format(" -> /{}", step.number);
      break;
    case ElementOp::Kind::Scale:
      text += fmt::format(" -> scale {}", step.number);
      break;
    case ElementOp::Kind::Plus:
      text += fmt::format(" -> plus {}", step.number);
      break;
    }
  return text;
}
