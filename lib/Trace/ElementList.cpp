//===- ElementList.cpp - Elements of a tensor as pieces -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ElementList.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;

PieceSet trace::asPieces(std::vector<NumberedElement> &elements) {
  llvm::sort(elements);
  PieceSet pieces;
  for (size_t begin = 0; begin < elements.size();) {
    const NumberedElement &first = elements[begin];
    size_t end = begin + 1;
    for (int64_t step = 1;
         end < elements.size() && elements[end].number == first.number + step &&
         elements[end].address == first.address + step;
         ++step)
      ++end;
    auto count = static_cast<int64_t>(end - begin);
    pieces.add(Piece{{count}, {first.address, {1}}, {first.number, {1}}});
    begin = end;
  }
  return pieces;
}

void trace::forEachElement(
    const PieceRef &piece,
    llvm::function_ref<void(int64_t src, int64_t dst)> visit) {
  if (piece.isEmpty())
    return;
  Extents index(piece.rank(), 0);
  int64_t src = piece.srcOffset, dst = piece.dstOffset;
  for (;;) {
    visit(src, dst);
    size_t dim = piece.rank();
    for (; dim != 0; --dim) {
      size_t at = dim - 1;
      src += piece.srcStrides[at];
      dst += piece.dstStrides[at];
      if (++index[at] < piece.shape[at])
        break;
      src -= piece.shape[at] * piece.srcStrides[at];
      dst -= piece.shape[at] * piece.dstStrides[at];
      index[at] = 0;
    }
    if (dim == 0)
      return;
  }
}
