//===- Piece.cpp - One block of elements seen through two views -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Piece.h"

#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace aoa;
using namespace aoa::affine;

int64_t Piece::numElements() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

bool Piece::isEmpty() const { return llvm::is_contained(shape, 0); }

StridedView aoa::affine::wholeView(llvm::ArrayRef<int64_t> shape) {
  return {0, rowMajorStrides(shape)};
}

Piece aoa::affine::identityPiece(llvm::ArrayRef<int64_t> shape) {
  return {Extents(shape), wholeView(shape), wholeView(shape)};
}

void aoa::affine::print(llvm::raw_ostream &os, int64_t offset,
                        llvm::ArrayRef<int64_t> strides) {
  os << '{' << offset;
  if (!strides.empty())
    os << " : ";
  llvm::interleaveComma(strides, os);
  os << '}';
}

void aoa::affine::print(llvm::raw_ostream &os, const Piece &piece,
                        llvm::StringRef srcName, llvm::StringRef dstName) {
  os << "piece [";
  llvm::interleaveComma(piece.shape, os);
  os << "] " << srcName;
  print(os, piece.src.offset, piece.src.strides);
  os << ' ' << dstName;
  print(os, piece.dst.offset, piece.dst.strides);
}

namespace {
/// Whether every address of a view stays below the limit.
bool reachIsSound(llvm::ArrayRef<int64_t> shape, const StridedView &view) {
  int64_t last = view.offset;
  for (size_t i = 0; i < shape.size(); ++i) {
    std::optional<int64_t> reach = checkedMul(shape[i] - 1, view.strides[i]);
    std::optional<int64_t> sum =
        reach ? checkedAdd(last, *reach) : std::nullopt;
    if (!sum || *sum >= elementLimit)
      return false;
    last = *sum;
  }
  return last < elementLimit;
}
} // namespace

Expected<void> aoa::affine::checkPiece(const Piece &piece) {
  auto refuse = [&](const std::string &what) {
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os, piece, "src", "dst");
    return fail(ErrorKind::Format, "`" + text + "` " + what);
  };
  if (piece.src.strides.size() != piece.shape.size() ||
      piece.dst.strides.size() != piece.shape.size())
    return refuse("does not give one stride a dimension on either side");
  auto isNegative = [](int64_t number) { return number < 0; };
  if (llvm::any_of(piece.shape, isNegative))
    return refuse("has a negative extent");
  for (Side side : {Side::Src, Side::Dst})
    if (piece.view(side).offset < 0 ||
        llvm::any_of(piece.view(side).strides, isNegative))
      return refuse(std::string("has a negative offset or stride on side ") +
                    (side == Side::Src ? "src" : "dst"));
  std::optional<int64_t> count = checkedNumElements(piece.shape);
  if (!count)
    return refuse("has more elements than 62 bits hold");
  if (*count == 0)
    return {};
  for (Side side : {Side::Src, Side::Dst})
    if (!reachIsSound(piece.shape, piece.view(side)))
      return refuse(std::string("reaches beyond 62 bits on side ") +
                    (side == Side::Src ? "src" : "dst"));
  return {};
}

Piece aoa::affine::foldDims(const Piece &piece) {
  if (piece.isEmpty())
    return {{0}, {piece.src.offset, {1}}, {piece.dst.offset, {1}}};
  llvm::SmallVector<unsigned, 8> dims;
  for (unsigned i = 0; i < piece.shape.size(); ++i)
    if (piece.shape[i] != 1)
      dims.push_back(i);
  llvm::sort(dims, [&](unsigned a, unsigned b) {
    auto strides = [&](unsigned dim) {
      return std::pair(piece.dst.strides[dim], piece.src.strides[dim]);
    };
    return strides(a) != strides(b) ? strides(a) > strides(b) : a < b;
  });

  Piece folded;
  folded.src.offset = piece.src.offset;
  folded.dst.offset = piece.dst.offset;
  for (unsigned dim : dims) {
    int64_t extent = piece.shape[dim];
    int64_t srcStride = piece.src.strides[dim];
    int64_t dstStride = piece.dst.strides[dim];
    if (!folded.shape.empty() &&
        folded.src.strides.back() == srcStride * extent &&
        folded.dst.strides.back() == dstStride * extent) {
      folded.shape.back() *= extent;
      folded.src.strides.back() = srcStride;
      folded.dst.strides.back() = dstStride;
      continue;
    }
    folded.shape.push_back(extent);
    folded.src.strides.push_back(srcStride);
    folded.dst.strides.push_back(dstStride);
  }
  return folded;
}
