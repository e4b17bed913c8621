//===- LineReader.cpp - Numbers, names and types of a line ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "LineReader.h"

#include "aoa/IRText/IRTextDiagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>

using antlr4::tree::TerminalNode;
using llvm::StringRef;

namespace aoa::irtext {

template <typename Number>
static std::optional<Number> numberOf(StringRef text) {
  Number number = 0;
  auto [end, fault] = std::from_chars(text.begin(), text.end(), number);
  if (fault != std::errc() || end != text.end())
    return std::nullopt;
  return number;
}

std::optional<int64_t> LineReader::integer(TerminalNode &node) {
  StringRef text = textOf(*node.getSymbol());
  if (auto number = numberOf<int64_t>(text))
    return number;
  return fault(diag::IRNumber, rangeOf(node),
               "`" + text.str() + "` does not fit in 64 bits");
}

std::optional<uint32_t> LineReader::smallInteger(TerminalNode &node) {
  StringRef text = textOf(*node.getSymbol());
  if (auto number = numberOf<uint32_t>(text))
    return number;
  return fault(diag::IRNumber, rangeOf(node),
               "`" + text.str() + "` does not fit in 32 bits");
}

std::optional<uint32_t> LineReader::valueNumber(TerminalNode &node) {
  StringRef text = textOf(*node.getSymbol());
  if (auto number = numberOf<uint32_t>(text.drop_front()))
    return number;
  return fault(diag::IRNumber, rangeOf(node),
               "the number of `" + text.str() + "` does not fit in 32 bits");
}

std::optional<double> LineReader::number(AoirParser::NumberContext &node) {
  StringRef text = word(node);
  if (auto number = numberOf<double>(text))
    return number;
  return fault(diag::IRNumber, rangeOf(node),
               "`" + text.str() + "` does not fit in a 64-bit float");
}

std::optional<int64_t> LineReader::count(AoirParser::NumberContext &node) {
  if (node.INT())
    return integer(*node.INT());
  return fault(diag::IRNumber, rangeOf(node),
               "`" + word(node).str() + "`, expected a whole number");
}

std::optional<std::variant<int64_t, double>>
LineReader::wholeOrFraction(AoirParser::NumberContext &node) {
  StringRef text = word(node);
  if (text.find_first_not_of("-0123456789") == StringRef::npos) {
    if (auto whole = numberOf<int64_t>(text))
      return *whole;
    return fault(diag::IRNumber, rangeOf(node),
                 "`" + text.str() + "` does not fit in 64 bits");
  }
  return number(node);
}

std::optional<double> LineReader::factor(AoirParser::NumberContext &node) {
  std::optional<double> value = number(node);
  if (!value || (std::isfinite(*value) && *value != 0))
    return value;
  return fault(diag::IRNumber, rangeOf(node),
               "a factor of " + word(node).str() +
                   ", expected a finite one other than 0");
}

std::optional<Shape> LineReader::extents(AoirParser::ExtentsContext &node) {
  Shape shape;
  for (TerminalNode *each : node.INT()) {
    auto extent = integer(*each);
    if (!extent)
      return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

std::optional<affine::StridedView>
LineReader::view(AoirParser::ViewContext &node) {
  affine::StridedView view;
  bool isFirst = true;
  for (TerminalNode *each : node.INT()) {
    auto number = integer(*each);
    if (!number)
      return std::nullopt;
    if (isFirst)
      view.offset = *number;
    else
      view.strides.push_back(*number);
    isFirst = false;
  }
  return view;
}

std::string LineReader::name(AoirParser::NameContext &node) const {
  StringRef text = word(node);
  if (!node.STRING())
    return text.str();
  std::string name;
  text = text.drop_front().drop_back();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      name += text[i];
    } else if (text[i + 1] == '"' || text[i + 1] == '\\') {
      name += text[++i];
    } else {
      name += static_cast<char>(llvm::hexDigitValue(text[i + 1]) * 16 +
                                llvm::hexDigitValue(text[i + 2]));
      i += 2;
    }
  }
  return name;
}

std::optional<DType> LineReader::dtype(AoirParser::WordContext &node) {
  StringRef text = word(node);
  if (auto dtype = dtypeFromSafetensors(text))
    return dtype;
  return fault(diag::IRType, rangeOf(node),
               "`" + text.str() + "` is no dtype; expected one like F32");
}

std::optional<Type> LineReader::type(AoirParser::TypeContext &node) {
  auto dtype = this->dtype(*node.word());
  auto shape = extents(*node.extents());
  if (!dtype || !shape)
    return std::nullopt;
  if (!checkedSizeBytes(*dtype, *shape))
    return fault(diag::IRType, rangeOf(node),
                 std::string(nameOf(*dtype)) + " " + formatShape(*shape) +
                     " has no number of bytes that 64 bits hold");
  return Type{*dtype, std::move(*shape)};
}

std::optional<std::vector<uint32_t>>
LineReader::ranks(AoirParser::ShardContext &node) {
  std::vector<uint32_t> ranks;
  if (node.range().empty())
    return fault(diag::IRShard, rangeOf(node),
                 "a shard on no ranks, expected one at least");
  for (AoirParser::RangeContext *range : node.range()) {
    auto first = smallInteger(*range->INT(0));
    auto last = range->UPTO() ? smallInteger(*range->INT(1)) : first;
    if (!first || !last)
      return std::nullopt;
    if (*last < *first || (!ranks.empty() && *first <= ranks.back()))
      return fault(diag::IRShard, rangeOf(*range),
                   "the ranks of a shard do not ascend");
    ranksRead += uint64_t(*last) - *first + 1;
    if (ranksRead > mostRanks)
      return fault(diag::IRShard, rangeOf(*range),
                   "the shards of the text have more than " +
                       std::to_string(mostRanks) + " ranks together");
    for (uint64_t rank = *first; rank <= *last; ++rank)
      ranks.push_back(static_cast<uint32_t>(rank));
  }
  return ranks;
}

std::optional<ElementOp::Kind>
LineReader::arithmetic(AoirParser::StepContext &step) {
  if (!step.word())
    return step.TIMES() ? ElementOp::Kind::Multiply : ElementOp::Kind::Divide;
  StringRef text = word(*step.word());
  if (text == "scale")
    return ElementOp::Kind::Scale;
  if (text == "plus")
    return ElementOp::Kind::Plus;
  return fault(diag::IRName, rangeOf(*step.word()),
               "`" + text.str() +
                   "` is no operation on elements, expected `scale` or `plus`");
}

bool LineReader::addArithmetic(ElementOps &ops, AoirParser::StepContext &step) {
  auto kind = arithmetic(step);
  if (!kind)
    return false;
  auto value = *kind == ElementOp::Kind::Plus ? number(*step.number())
                                              : factor(*step.number());
  if (!value)
    return false;
  DType dtype = ops.to();
  if (classOf(dtype) != DTypeClass::Float) {
    fault(diag::IRType, rangeOf(step),
          "elements of " + std::string(nameOf(dtype)) +
              " are computed with, expected a float");
    return false;
  }
  bool isOfScript =
      *kind == ElementOp::Kind::Scale || *kind == ElementOp::Kind::Plus;
  double used = isOfScript ? arithmeticNumber(dtype, *value) : *value;
  if (!std::isfinite(used) || (used == 0 && *kind != ElementOp::Kind::Plus)) {
    fault(diag::IRNumber, rangeOf(*step.number()),
          "a number of " + word(*step.number()).str() +
              ", expected one that is " + (used == 0 ? "not 0" : "finite") +
              " in " + (dtype == DType::F64 ? "F64" : "F32"));
    return false;
  }
  ops.steps.push_back({*kind, dtype, *value});
  return true;
}

bool LineReader::addStep(ElementOps &ops, AoirParser::StepContext &step) {
  if (step.number())
    return addArithmetic(ops, step);
  auto to = dtype(*step.word());
  if (!to)
    return false;
  if (*to == ops.to() || !canConvert(ops.to(), *to)) {
    fault(diag::IRType, rangeOf(step),
          "there is no cast of " + std::string(nameOf(ops.to())) + " to " +
              std::string(nameOf(*to)));
    return false;
  }
  ops.steps.push_back({ElementOp::Kind::Cast, *to, 1});
  return true;
}

std::optional<ElementOps> LineReader::chain(AoirParser::ChainContext *node,
                                            DType from, DType to,
                                            SourceRange piece) {
  ElementOps ops{from, {}};
  if (node) {
    auto first = dtype(*node->word());
    if (!first)
      return std::nullopt;
    if (*first != from)
      return fault(diag::IRType, rangeOf(*node->word()),
                   "the operations start at " + std::string(nameOf(*first)) +
                       ", the source is " + std::string(nameOf(from)));
    for (AoirParser::StepContext *step : node->step())
      if (!addStep(ops, *step))
        return std::nullopt;
  }
  if (ops.to() != to)
    return fault(diag::IRType, node ? rangeOf(*node) : piece,
                 "elements arrive as " + std::string(nameOf(ops.to())) +
                     ", the result is " + std::string(nameOf(to)));
  return ops;
}

} // namespace aoa::irtext
