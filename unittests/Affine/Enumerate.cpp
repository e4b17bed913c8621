//===- Enumerate.cpp - Relations element by element -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Enumerate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>

using namespace aoa::affine;
using namespace aoa::affine::test;

static void enumerate(const PieceRef &piece, unsigned dim, int64_t src,
                      int64_t dst, Pairs &pairs) {
  if (dim == piece.rank()) {
    pairs.push_back({src, dst, piece.tag});
    return;
  }
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    enumerate(piece, dim + 1, src + i * piece.srcStrides[dim],
              dst + i * piece.dstStrides[dim], pairs);
}

std::ostream &test::operator<<(std::ostream &os, const Pair &pair) {
  return os << pair.src << "->" << pair.dst << " #" << pair.tag;
}

Pairs test::pairsOf(const PieceSet &set) {
  Pairs pairs;
  for (size_t i = 0; i < set.size(); ++i)
    enumerate(set[i], 0, set[i].srcOffset, set[i].dstOffset, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs test::pairsOf(const Piece &piece, PieceSet::Tag tag) {
  return pairsOf(PieceSet(piece, tag));
}

std::vector<int64_t> test::addressesOf(const PieceSet &set, Side side) {
  std::vector<int64_t> addresses;
  for (const Pair &pair : pairsOf(set))
    addresses.push_back(side == Side::Src ? pair.src : pair.dst);
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

Pairs test::composed(const Pairs &aToB, const Pairs &bToC) {
  Pairs pairs;
  for (const Pair &a : aToB) {
    auto first = std::lower_bound(
        bToC.begin(), bToC.end(), a.dst,
        [](const Pair &pair, int64_t address) { return pair.src < address; });
    for (; first != bToC.end() && first->src == a.dst; ++first)
      pairs.push_back({a.src, first->dst, 1000 * a.tag + first->tag});
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string test::text(const Piece &piece) {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(os, piece, "src", "dst");
  return result;
}

std::string test::text(const PieceSet &set) {
  std::string result;
  for (size_t i = 0; i < set.size(); ++i)
    result += text(set[i].piece()) + " #" + std::to_string(set[i].tag) + "\n";
  return result;
}

void test::forEachShape(
    unsigned rank, int64_t least, int64_t most,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  Extents shape(rank, least);
  while (true) {
    visit(shape);
    unsigned dim = 0;
    while (dim < rank && shape[dim] == most)
      shape[dim++] = least;
    if (dim == rank)
      return;
    ++shape[dim];
  }
}

void test::forEachOrder(
    unsigned rank, llvm::function_ref<void(llvm::ArrayRef<unsigned>)> visit) {
  std::vector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  do
    visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

Piece test::permuted(const Piece &piece, llvm::ArrayRef<unsigned> order) {
  Piece result{{}, {piece.src.offset, {}}, {piece.dst.offset, {}}};
  for (unsigned dim : order) {
    result.shape.push_back(piece.shape[dim]);
    result.src.strides.push_back(piece.src.strides[dim]);
    result.dst.strides.push_back(piece.dst.strides[dim]);
  }
  return result;
}

Extents test::stridesInOrder(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<unsigned> order) {
  Extents strides(shape.size());
  int64_t stride = 1;
  for (unsigned dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(shape[dim], 1);
  }
  return strides;
}

namespace {
/// The ways to see one dimension.
struct DimView {
  int64_t begin, extent, step;
};
} // namespace

static std::vector<DimView> viewsOfDim(int64_t extent, bool repeats) {
  std::vector<DimView> views = {{0, 0, 1}};
  for (int64_t begin = 0; begin < extent; ++begin) {
    views.push_back({begin, 1, 1});
    if (repeats)
      views.push_back({begin, 2, 0});
    for (int64_t step = 1; begin + step < extent; ++step)
      for (int64_t count = 2; begin + (count - 1) * step < extent; ++count)
        views.push_back({begin, count, step});
  }
  return views;
}

void test::forEachSubview(
    llvm::ArrayRef<int64_t> shape, bool repeats,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, const StridedView &)>
        visit) {
  Extents strides = rowMajorStrides(shape);
  std::vector<std::vector<DimView>> views;
  for (int64_t extent : shape)
    views.push_back(viewsOfDim(extent, repeats));
  std::vector<size_t> chosen(shape.size(), 0);
  while (true) {
    Extents block;
    StridedView view;
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      const DimView &dimView = views[dim][chosen[dim]];
      block.push_back(dimView.extent);
      view.offset += dimView.begin * strides[dim];
      view.strides.push_back(dimView.step * strides[dim]);
    }
    visit(block, view);
    unsigned dim = 0;
    while (dim < shape.size() && ++chosen[dim] == views[dim].size())
      chosen[dim++] = 0;
    if (dim == shape.size())
      return;
  }
}

static uint64_t seedToUse() {
  const char *seed = std::getenv("AOA_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 20260101;
}

Random::Random() : Random(seedToUse()) {}

std::string Random::trace() const {
  return "AOA_TEST_SEED=" + std::to_string(theSeed);
}

int64_t Random::number(int64_t least, int64_t most) {
  // Not std::uniform_int_distribution: it differs between libraries.
  auto range = static_cast<uint64_t>(most - least) + 1;
  return least + static_cast<int64_t>(engine() % range);
}

Extents Random::shape(unsigned maxRank, int64_t maxExtent, bool zeros) {
  Extents shape(number(0, maxRank));
  for (int64_t &extent : shape)
    extent = zeros && chance(8) ? 0 : number(1, maxExtent);
  return shape;
}

std::vector<unsigned> Random::order(unsigned rank) {
  std::vector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  shuffle(order);
  return order;
}

Extents Random::strides(llvm::ArrayRef<int64_t> shape) {
  Extents strides(shape.size());
  int64_t stride = chance(6) ? 2 : 1;
  for (unsigned dim : order(shape.size())) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(shape[dim], 1);
    if (chance(3))
      stride *= number(1, 3);
    else if (chance(4))
      stride += number(0, 3);
  }
  return strides;
}

Piece Random::piece(unsigned maxRank, int64_t maxExtent, bool repeats) {
  Piece piece;
  piece.shape = shape(maxRank, maxExtent, chance(4));
  piece.src = {number(0, 9), strides(piece.shape)};
  piece.dst = {number(0, 9), strides(piece.shape)};
  for (int64_t &stride : piece.src.strides)
    if (repeats && chance(6))
      stride = 0;
  return piece;
}

Piece Random::pieceOf(llvm::ArrayRef<int64_t> shape, Side side) {
  Extents bufferStrides = rowMajorStrides(shape);
  Piece piece;
  StridedView view;
  for (unsigned dim : order(shape.size())) {
    // Much of the tensor, so that pieces meet.
    int64_t step = chance(6) ? 2 : 1;
    int64_t begin = shape[dim] > 1 && chance(3) ? number(0, shape[dim] - 1) : 0;
    int64_t most = (shape[dim] - begin + step - 1) / step;
    int64_t extent = most;
    if (chance(3))
      extent = number(chance(10) ? 0 : std::min<int64_t>(most, 1), most);
    piece.shape.push_back(extent);
    view.offset += begin * bufferStrides[dim];
    view.strides.push_back(step * bufferStrides[dim]);
  }
  StridedView other{number(0, 9), strides(piece.shape)};
  piece.src = side == Side::Src ? view : other;
  piece.dst = side == Side::Src ? other : view;
  return piece;
}

std::vector<Piece> Random::cutAtRandom(const Piece &piece, unsigned numCuts) {
  std::vector<Piece> parts = {piece};
  for (; numCuts > 0 && piece.rank() > 0; --numCuts) {
    Piece &part = parts[number(0, parts.size() - 1)];
    unsigned dim = number(0, piece.rank() - 1);
    if (part.shape[dim] < 2)
      continue;
    int64_t at = number(1, part.shape[dim] - 1);
    Piece high = part;
    high.shape[dim] -= at;
    high.src.offset += at * high.src.strides[dim];
    high.dst.offset += at * high.dst.strides[dim];
    part.shape[dim] = at;
    parts.push_back(high);
  }
  shuffle(parts);
  return parts;
}

int64_t test::numRandomCases(int64_t cases) {
  const char *set = std::getenv("AOA_TEST_CASES");
  return set ? std::strtoll(set, nullptr, 10) : cases;
}
