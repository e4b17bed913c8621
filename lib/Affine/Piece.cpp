//===- Piece.cpp - One block of elements seen through two views -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Piece.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace aoa::affine;

int64_t Piece::numElements() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

static void print(llvm::raw_ostream &os, llvm::StringRef name,
                  const StridedView &view) {
  os << ' ' << name << '{' << view.offset;
  const char *separator = " : ";
  for (int64_t stride : view.strides) {
    os << separator << stride;
    separator = ", ";
  }
  os << '}';
}

void aoa::affine::print(llvm::raw_ostream &os, const Piece &piece,
                        llvm::StringRef srcName, llvm::StringRef dstName) {
  os << "piece [";
  llvm::interleaveComma(piece.shape, os);
  os << ']';
  ::print(os, srcName, piece.src);
  ::print(os, dstName, piece.dst);
}

Piece aoa::affine::foldDims(const Piece &piece) {
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
