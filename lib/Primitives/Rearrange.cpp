//===- Rearrange.cpp - Axis factors split, permuted, joined -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is the pattern with its sides exchanged, the same sizes given.
// The relation is that of a transposition of the factors (transposePiece).
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "RearrangePattern.h"
#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/StringMap.h"

using namespace aoa;
using namespace aoa::primitives;

namespace {
/// Works out one pattern on one operand.
class Resolver {
public:
  explicit Resolver(const Operand &operand) : operand(operand) {}

  std::optional<Fault> takeSizes(const RearrangePattern &pattern,
                                 llvm::ArrayRef<NamedSize> given);
  std::optional<Fault> cutAxes(const RearrangePattern::SideAxes &axes);
  std::optional<Fault> joinFactors(const RearrangePattern::SideAxes &axes);

  Rearrangement made;

private:
  std::optional<Fault> cutAxis(unsigned axis, const PatternAxis &pattern);
  void addFactor(llvm::StringRef name, int64_t extent) {
    numberOf[name] = made.split.size();
    made.split.push_back(extent);
  }

  const Operand &operand;
  llvm::StringMap<int64_t> sizes;         ///< Those given.
  llvm::StringMap<unsigned> numberOf;     ///< Of factors, in the operand.
  unsigned firstOther = 0, numOthers = 0; ///< The factors that `...` is.
};

std::optional<Fault> Resolver::takeSizes(const RearrangePattern &pattern,
                                         llvm::ArrayRef<NamedSize> given) {
  for (auto [name, size] : given) {
    bool isKnown = llvm::any_of(pattern.operand, [&](const PatternAxis &axis) {
      return llvm::is_contained(axis.factors, name);
    });
    if (!isKnown)
      return Fault{"a size is given for " + quoted(name) +
                   ", which is no factor of the pattern"};
    if (size < 0)
      return Fault{"factor " + quoted(name) + " has size " +
                   std::to_string(size) + ", expected none below 0"};
    if (!sizes.try_emplace(name, size).second)
      return Fault{"factor " + quoted(name) + " is given two sizes"};
  }
  return std::nullopt;
}

std::optional<Fault> Resolver::cutAxes(const RearrangePattern::SideAxes &axes) {
  bool hasOthers = llvm::any_of(
      axes, [](const PatternAxis &axis) { return axis.isEllipsis; });
  unsigned rank = operand.shape.size();
  unsigned numNamed = axes.size() - (hasOthers ? 1 : 0);
  if (hasOthers ? numNamed > rank : numNamed != rank)
    return Fault{quoted(operand.name) + " of shape " +
                     formatShape(operand.shape) + " has " +
                     std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
                     ", the left of the pattern has " +
                     std::to_string(numNamed) + (hasOthers ? " at least" : ""),
                 0};
  unsigned at = 0;
  for (const PatternAxis &axis : axes) {
    if (!axis.isEllipsis) {
      if (auto fault = cutAxis(at++, axis))
        return fault;
      continue;
    }
    firstOther = made.split.size();
    numOthers = rank - numNamed;
    for (unsigned i = 0; i != numOthers; ++i)
      made.split.push_back(operand.shape[at++]);
  }
  return std::nullopt;
}

std::optional<Fault> Resolver::cutAxis(unsigned axis,
                                       const PatternAxis &pattern) {
  int64_t extent = operand.shape[axis];
  auto refuse = [&](const std::string &why) {
    return Fault{describeAxis(operand, axis) + ", " + why, 0};
  };
  int64_t product = 1;
  std::optional<llvm::StringRef> open; // The factor that is to be solved.
  for (llvm::StringRef factor : pattern.factors) {
    auto size = sizes.find(factor);
    if (size == sizes.end()) {
      if (open)
        return refuse("of whose factors neither " + quoted(*open) + " nor " +
                      quoted(factor) + " is given a size");
      open = factor;
      continue;
    }
    auto next = checkedMul(product, size->second);
    if (!next)
      return refuse("the sizes of its factors have a product that overflows");
    product = *next;
  }
  if (!open && product != extent)
    return refuse(pattern.factors.empty()
                      ? "expected 1 by the pattern"
                      : "the sizes of its factors have the product " +
                            std::to_string(product));
  if (open && product == 0)
    return refuse("any size of " + quoted(*open) +
                  " fits beside a factor of 0");
  if (open && extent % product != 0)
    return refuse("which is no multiple of the " + std::to_string(product) +
                  " that the factors beside " + quoted(*open) + " have");
  for (llvm::StringRef factor : pattern.factors)
    addFactor(factor, factor == open ? extent / product : sizes.lookup(factor));
  return std::nullopt;
}

std::optional<Fault>
Resolver::joinFactors(const RearrangePattern::SideAxes &axes) {
  for (const PatternAxis &axis : axes) {
    if (axis.isEllipsis) {
      for (unsigned i = 0; i != numOthers; ++i) {
        made.perm.push_back(firstOther + i);
        made.result.push_back(made.split[firstOther + i]);
      }
      continue;
    }
    int64_t extent = 1;
    for (llvm::StringRef factor : axis.factors) {
      unsigned number = numberOf.lookup(factor);
      made.perm.push_back(number);
      auto product = checkedMul(extent, made.split[number]);
      if (!product)
        return Fault{"the extent of axis " +
                     std::to_string(made.result.size()) +
                     " of the result does not fit in 63 bits"};
      extent = *product;
    }
    made.result.push_back(extent);
  }
  return std::nullopt;
}
} // namespace

Inferred<Rearrangement>
primitives::resolveRearrange(const Operand &operand, llvm::StringRef text,
                             llvm::ArrayRef<NamedSize> sizes) {
  auto pattern = parsePattern(text);
  if (!pattern)
    return std::unexpected(Fault{std::move(pattern.error())});
  Resolver resolver(operand);
  std::optional<Fault> fault = resolver.takeSizes(*pattern, sizes);
  if (!fault)
    fault = resolver.cutAxes(pattern->operand);
  if (!fault)
    fault = resolver.joinFactors(pattern->result);
  if (fault)
    return std::unexpected(std::move(*fault));
  return std::move(resolver.made);
}

Inferred<TensorType> primitives::rearrange(const Operand &operand,
                                           llvm::ArrayRef<int64_t> split,
                                           llvm::ArrayRef<unsigned> perm,
                                           llvm::ArrayRef<int64_t> result) {
  std::optional<int64_t> has = checkedNumElements(operand.shape);
  for (llvm::ArrayRef<int64_t> shape : {split, result})
    if (!has || checkedNumElements(shape) != has)
      return std::unexpected(Fault{
          quoted(operand.name) + " of shape " + formatShape(operand.shape) +
              " has not the elements of " + formatShape(shape),
          0});
  std::vector<int64_t> entries(perm.begin(), perm.end());
  Operand factors{operand.name, operand.dtype, split};
  if (perm.size() != split.size())
    return std::unexpected(
        Fault{"a permutation of " + std::to_string(perm.size()) +
              " axes for the factors " + formatShape(split)});
  if (auto checked = resolvePermutation(factors, entries); !checked)
    return std::unexpected(checked.error());
  if (!hasWholeBytes(operand.dtype) && !llvm::is_sorted(perm))
    return std::unexpected(movedWholeOnly(operand));
  if (!checkedSizeBytes(operand.dtype, result))
    return std::unexpected(tooLarge("rearranged", result));
  return TensorType{operand.dtype, affine::Extents(result)};
}
