//===- Primitives.h - Shapes and dtypes of the primitives -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What each primitive makes of the types of its operands, or why it refuses
// them. Pure functions, one file each (Remove makes nothing), shared by the
// analysis, the expansion and the IR's own verifier. Operands carry a name so
// that a fault can say which of them is meant; a fault has no place, the caller
// knows it.
//===----------------------------------------------------------------------===//
#ifndef AOA_PRIMITIVES_PRIMITIVES_H
#define AOA_PRIMITIVES_PRIMITIVES_H

#include "aoa/Affine/Piece.h"
#include "aoa/Support/DType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aoa::primitives {

struct TensorType {
  DType dtype;
  affine::Extents shape;
  friend bool operator==(const TensorType &, const TensorType &) = default;
};

struct Operand {
  llvm::StringRef name;
  DType dtype;
  llvm::ArrayRef<int64_t> shape;
};

/// Why a primitive refuses its operands.
struct Fault {
  std::string message;
  int operand = -1; ///< Which one is at fault, if one is.
};
template <typename T> using Inferred = std::expected<T, Fault>;

/// Axes of a result in terms of the operand's: result axis i = operand axis
/// perm[i].
using Permutation = llvm::SmallVector<unsigned, 4>;

/// A number of a script: whole, or with a fraction or exponent.
using Number = std::variant<int64_t, double>;

/// Returns the type of `a -> b`.
TensorType rename(const Operand &operand);

// ---- Several to one, one to several.

/// Returns the type of the operands joined along `axis`, whole or (groups > 1)
/// block by block. Fails when there is no such axis, when dtypes, ranks or
/// other extents differ, when `groups` does not divide a part, when the sum
/// overflows, for several parts of a sub-byte dtype. Requires a part and
/// groups > 0.
Inferred<TensorType> merge(llvm::ArrayRef<Operand> parts, unsigned axis,
                           int64_t groups = 1);

/// Works out the extents of the parts within one group: `sizes` as written, or
/// equal ones where it is empty. Fails when there is no such axis, when
/// `groups` or the number of parts does not divide, when the number of sizes or
/// their sum is another one (with both numbers), when a size is negative.
Inferred<affine::Extents> resolveSizes(const Operand &operand,
                                       unsigned numParts, unsigned axis,
                                       int64_t groups,
                                       llvm::ArrayRef<int64_t> sizes);

/// Returns the types of the parts; `sizes` from resolveSizes. Fails for several
/// parts of a sub-byte dtype.
Inferred<std::vector<TensorType>> split(const Operand &operand, unsigned axis,
                                        int64_t groups,
                                        llvm::ArrayRef<int64_t> sizes);

/// Returns the type of the operands stacked along a new axis `axis`. Fails when
/// there is no room for the axis, when dtypes or shapes differ, for several
/// parts of a sub-byte dtype.
Inferred<TensorType> stack(llvm::ArrayRef<Operand> parts, unsigned axis);
/// Returns the type of each slice along `axis`. Fails when there is no such
/// axis or its extent is not `numParts`, for several parts of a sub-byte dtype.
Inferred<TensorType> unstack(const Operand &operand, unsigned numParts,
                             unsigned axis);

/// Returns the type of the first operand. Fails when another one's differs;
/// `what` (`tie`) is for the message.
Inferred<TensorType> equalTypes(llvm::ArrayRef<Operand> operands,
                                llvm::StringRef what);

// ---- One to one.

/// Returns the type of the operand with its axes permuted. Requires `perm` from
/// resolvePermutation. Fails for a sub-byte dtype.
Inferred<TensorType> transpose(const Operand &operand,
                               llvm::ArrayRef<unsigned> perm);

/// Checks the entries of a permutation as written: each axis once; none at all
/// reverses the axes. Entries below zero count from the end if `allowNegative`.
Inferred<Permutation> resolvePermutation(const Operand &operand,
                                         llvm::ArrayRef<int64_t> entries,
                                         bool allowNegative = false);

/// Returns the permutation that reverses `rank` axes.
Permutation reversedAxes(unsigned rank);

/// Returns the type of the operand in the shape `entries`, of which one may be
/// -1. Fails when the numbers of elements differ (with both), for a -1 that
/// nothing or everything fits, for other negative entries.
Inferred<TensorType> reshape(const Operand &operand,
                             llvm::ArrayRef<int64_t> entries);

/// What an einops pattern does to a tensor: cut its axes in factors, permute
/// these, join them.
struct Rearrangement {
  affine::Extents split; ///< The operand's axes in factors.
  Permutation perm;      ///< Result factor i = operand factor perm[i].
  affine::Extents result;
};
struct NamedSize {
  llvm::StringRef name;
  int64_t size;
};
/// Works out `pattern` (`(h p d) c -> (h d p) c`) on a tensor, with the sizes
/// that are given; every one is checked, one factor an axis is solved. `1` and
/// `()` stand on either side, `...` once a side. Fails with the factor or axis
/// at fault, its extent and the product of what is given.
Inferred<Rearrangement> resolveRearrange(const Operand &operand,
                                         llvm::StringRef pattern,
                                         llvm::ArrayRef<NamedSize> sizes);
/// The names of the axis factors in a pattern, in order, each once; what is no
/// name is left out.
std::vector<std::string> factorNames(llvm::StringRef pattern);
/// Returns the type of the operand with its factors permuted. Fails when the
/// factors or the result have other numbers of elements, when `perm` is no
/// permutation of the factors, for a sub-byte dtype unless it moves nothing.
Inferred<TensorType> rearrange(const Operand &operand,
                               llvm::ArrayRef<int64_t> split,
                               llvm::ArrayRef<unsigned> perm,
                               llvm::ArrayRef<int64_t> result);

/// A box of a tensor.
struct Box {
  affine::Extents begin, extent;
};
/// Works out `0:50257, :`; missing trailing axes are whole, as `:` is, an empty
/// axis too. Fails unless 0 <= a < b <= n on every other axis, with axis and
/// extent.
Inferred<Box> resolveSlice(const Operand &operand, llvm::StringRef text);
/// Returns the type of the box of the operand. Fails unless it lies within, for
/// a sub-byte dtype unless it is all.
Inferred<TensorType> slice(const Operand &operand,
                           llvm::ArrayRef<int64_t> begin,
                           llvm::ArrayRef<int64_t> extent);

/// Returns the type of the operand with so many elements before and behind it
/// on every axis. Fails for a pair too few or too many, a negative number, a
/// sub-byte dtype.
Inferred<TensorType> pad(const Operand &operand,
                         llvm::ArrayRef<std::pair<int64_t, int64_t>> around);

/// Returns the type of the operand with each block of `block` indexes of `axis`
/// `count` times, one after the other. Fails when the block does not divide.
Inferred<TensorType> repeat(const Operand &operand, unsigned axis,
                            int64_t count, int64_t block);
/// The way back: the first of every `count` blocks. Fails when count × block
/// does not divide.
Inferred<TensorType> dedup(const Operand &operand, unsigned axis, int64_t count,
                           int64_t block);

/// Returns the type of the operand cast to `to`. Fails unless
/// `exists(operand.dtype, to)`: canCast in the aoa dialect, canConvert in the
/// paddle dialect, which makes floats of integers too.
Inferred<TensorType> cast(const Operand &operand, DType to,
                          bool (&exists)(DType, DType) = canCast);

/// Returns the type of the operand multiplied with `factor`, or with `addend`
/// added. Fails for dtypes that are no floats with arithmetic, for a factor of
/// 0, for numbers that are not finite in F32 (F64 for F64).
Inferred<TensorType> scale(const Operand &operand, double factor);
Inferred<TensorType> plus(const Operand &operand, double addend);

// ---- None to one.

/// Returns the type of a tensor whose elements are all `value`. Fails when add
/// does, or when the value is not exact in the dtype.
Inferred<TensorType> fill(DType dtype, llvm::ArrayRef<int64_t> shape,
                          const Number &value);
/// Returns the bytes of one element, if `value` is exact in `dtype`.
std::optional<std::string> encodeNumber(const Number &value, DType dtype);

/// Returns the type of a tensor that the caller fills. Fails when an extent is
/// negative, the size overflows or is no whole number of bytes.
Inferred<TensorType> add(DType dtype, llvm::ArrayRef<int64_t> shape);

// ---- Lowering. A primitive is a relation between whole row-major tensors; a
// piece says which element of the operand (src) each element of the result
// (dst) is. Renaming, casting, scaling and reshaping are the identity.

/// The part of a tensor of `shape` that begins at `begin` along `axis` and has
/// `extent` there; split takes it, and merge is made of such pieces inverted.
affine::Piece slicePiece(llvm::ArrayRef<int64_t> shape, unsigned axis,
                         int64_t begin, int64_t extent);
/// The same for an axis of `groups` blocks, in each of which the part begins at
/// `begin` and has `extent`.
affine::Piece groupedSlicePiece(llvm::ArrayRef<int64_t> shape, unsigned axis,
                                int64_t groups, int64_t begin, int64_t extent);
/// The box of a tensor of `shape`; pad puts the operand at such a piece
/// inverted.
affine::Piece boxPiece(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> begin,
                       llvm::ArrayRef<int64_t> extent);
/// The elements of a tensor of `shape` outside of the box, all of them element
/// 0 of src: its strides are 0. At most two pieces an axis.
std::vector<affine::Piece> aroundBox(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<int64_t> begin,
                                     llvm::ArrayRef<int64_t> extent);
/// A tensor of `shape` with result axis i = operand axis perm[i].
affine::Piece transposePiece(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<unsigned> perm);
/// A tensor of `shape` with every block repeated: a stride of 0 in src.
affine::Piece repeatPiece(llvm::ArrayRef<int64_t> shape, unsigned axis,
                          int64_t count, int64_t block);
/// The first of every `count` blocks of a tensor of `shape`.
affine::Piece dedupPiece(llvm::ArrayRef<int64_t> shape, unsigned axis,
                         int64_t count, int64_t block);
/// A tensor of `shape` that is element 0 of src everywhere.
affine::Piece fillPiece(llvm::ArrayRef<int64_t> shape);

/// Checks an axis as written against a rank; negative ones count from the end
/// if `allowNegative`.
std::expected<unsigned, Fault> resolveAxis(const Operand &operand, int64_t axis,
                                           bool allowNegative = true);

} // namespace aoa::primitives

#endif // AOA_PRIMITIVES_PRIMITIVES_H
