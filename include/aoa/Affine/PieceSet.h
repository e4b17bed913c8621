//===- PieceSet.h - Many pieces in little memory ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A relation between two buffers (or families of buffers) as a list of pieces.
// Pieces of one shape and one pair of stride vectors share that *form*; a piece
// itself is its form, two offsets and a tag: 24 bytes. The tag says what its
// owner wants to keep apart (which source shard, which element operations);
// operations merge or compare pieces of one tag only, and each says how it
// makes the tags of its result.
//
//   forms   0: [4, 8] src 16, 1 dst 8, 1
//   pieces  form 0 src 0 dst 0 · form 0 src 8 dst 32 · …
//
// The order is that of adding; operations say whether they keep it. Pieces with
// an extent of 0 may be added and are no part of the relation.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_PIECESET_H
#define AOA_AFFINE_PIECESET_H

#include "aoa/Affine/Piece.h"

#include <utility>
#include <vector>

namespace aoa::affine {

/// What a piece of a set looks like from outside. Valid until the set changes.
struct PieceRef {
  llvm::ArrayRef<int64_t> shape, srcStrides, dstStrides;
  int64_t srcOffset, dstOffset;
  uint32_t tag;

  unsigned rank() const { return shape.size(); }
  bool isEmpty() const;
  int64_t numElements() const;
  llvm::ArrayRef<int64_t> strides(Side side) const {
    return side == Side::Src ? srcStrides : dstStrides;
  }
  int64_t offset(Side side) const {
    return side == Side::Src ? srcOffset : dstOffset;
  }
  Piece piece() const;
};

class PieceSet {
public:
  using Tag = uint32_t;
  using Form = uint32_t; ///< Number of a form of this set.
  struct Entry {
    int64_t srcOffset, dstOffset;
    Form form;
    Tag tag;
    friend bool operator==(const Entry &, const Entry &) = default;
  };

  PieceSet() = default;
  /// The set of one piece. Requires a piece that passes checkPiece, as `add`.
  explicit PieceSet(const Piece &piece, Tag tag = 0) { add(piece, tag); }

  size_t size() const { return all.size(); }
  bool empty() const { return all.empty(); }
  void reserve(size_t numPieces) { all.reserve(numPieces); }
  void clear();

  void add(const Piece &piece, Tag tag = 0) {
    all.push_back(
        {piece.src.offset, piece.dst.offset,
         internForm(piece.shape, piece.src.strides, piece.dst.strides), tag});
  }
  void add(const PieceRef &piece) {
    all.push_back({piece.srcOffset, piece.dstOffset,
                   internForm(piece.shape, piece.srcStrides, piece.dstStrides),
                   piece.tag});
  }
  /// Adds a piece of a form that this set has.
  void add(const Entry &entry) { all.push_back(entry); }
  /// Returns the number of a form: equal numbers, equal forms. The last few
  /// used are found without hashing. The arrays may be those of a form of this
  /// set.
  Form internForm(llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> srcStrides,
                  llvm::ArrayRef<int64_t> dstStrides);

  /// Fetches what internForm needs of large tables: worth its while some pieces
  /// before the form is asked for.
  void prefetchForm(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> srcStrides,
                    llvm::ArrayRef<int64_t> dstStrides) const;

  PieceRef operator[](size_t i) const { return ref(all[i]); }
  /// The same for an entry that need not be in the list.
  PieceRef ref(const Entry &entry) const;
  llvm::ArrayRef<Entry> entries() const { return all; }
  /// For changing offsets, tags and the order.
  llvm::MutableArrayRef<Entry> entries() { return all; }
  void truncate(size_t numPieces) { all.resize(numPieces); }
  void replaceEntries(std::vector<Entry> entries) { all = std::move(entries); }
  /// Moves the list out, to be changed and given back; the forms stay.
  std::vector<Entry> takeEntries() { return std::exchange(all, {}); }

  unsigned rankOf(Form form) const { return forms[form].rank; }
  llvm::ArrayRef<int64_t> shapeOf(Form form) const {
    return numbersOf(form, 0);
  }
  llvm::ArrayRef<int64_t> stridesOf(Form form, Side side) const {
    return numbersOf(form, side == Side::Src ? 1 : 2);
  }
  size_t numForms() const { return forms.size(); }

  /// Returns the set with src and dst exchanged, forms numbered as here.
  PieceSet inverted() const;

  /// Sum over the pieces, or INT64_MAX if it does not fit.
  int64_t numElements() const;
  /// What the set takes on the heap.
  size_t memoryBytes() const;
  void shrinkToFit();

  /// Whether both list the same pieces in the same order.
  friend bool operator==(const PieceSet &a, const PieceSet &b);

private:
  /// Shape, src strides and dst strides stand behind each other, in `numbers`
  /// or, from 2^16 numbers on, in arrays of that size, which never move: many
  /// forms are not copied again and again.
  struct FormEntry {
    uint32_t begin; ///< The number of the array in its upper half.
    uint32_t rank;
  };
  static constexpr unsigned arrayBits = 16;
  static constexpr size_t arraySize = size_t{1} << arrayBits;
  const int64_t *numbersAt(uint32_t begin) const {
    return begin < arraySize ? numbers.data() + begin
                             : moreNumbers[(begin >> arrayBits) - 1].data() +
                                   (begin & (arraySize - 1));
  }
  int64_t *numbersAt(uint32_t begin) {
    return const_cast<int64_t *>(std::as_const(*this).numbersAt(begin));
  }
  llvm::ArrayRef<int64_t> numbersOf(Form form, unsigned which) const {
    const FormEntry &entry = forms[form];
    return llvm::ArrayRef(numbersAt(entry.begin) + size_t{which} * entry.rank,
                          entry.rank);
  }
  bool isForm(Form form, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<int64_t> srcStrides,
              llvm::ArrayRef<int64_t> dstStrides) const;
  Form addForm(llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<int64_t> srcStrides,
               llvm::ArrayRef<int64_t> dstStrides);
  void growTable();
  void putIntoTable(uint64_t slot);

  std::vector<Entry> all;
  std::vector<FormEntry> forms;
  std::vector<int64_t> numbers;
  std::vector<std::vector<int64_t>> moreNumbers;
  /// Open hashing. A slot is the upper half of a form's hash and, below, its
  /// number + 1; 0: free. So looking and growing seldom touch the forms.
  std::vector<uint64_t> table;
};

} // namespace aoa::affine

#endif // AOA_AFFINE_PIECESET_H
