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
#include <string>

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

/// Returns the type of `a -> b`.
TensorType rename(const Operand &operand);

/// Returns the type of the operands joined along `axis`. Fails when there is no
/// such axis, when dtypes, ranks or other extents differ, when the sum
/// overflows, for several parts of a sub-byte dtype. Requires a part.
Inferred<TensorType> merge(llvm::ArrayRef<Operand> parts, unsigned axis);

/// Returns the type of each of `numParts` equal parts along `axis`. Fails when
/// there is no such axis, when the parts do not divide it (with both numbers),
/// for a sub-byte dtype. Requires numParts > 0.
Inferred<TensorType> split(const Operand &operand, unsigned numParts,
                           unsigned axis);

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

/// Returns the type of the operand cast to `to`. Fails unless
/// `exists(operand.dtype, to)`: canCast in the aoa dialect, canConvert in the
/// paddle dialect, which makes floats of integers too.
Inferred<TensorType> cast(const Operand &operand, DType to,
                          bool (&exists)(DType, DType) = canCast);

/// Returns the type of a tensor that the caller fills. Fails when an extent is
/// negative, the size overflows or is no whole number of bytes.
Inferred<TensorType> add(DType dtype, llvm::ArrayRef<int64_t> shape);

/// Lowering. A primitive is a relation between whole row-major tensors; the
/// piece says which element of the operand (src) each element of the result
/// (dst) is. Renaming and casting are the identity.
///
/// The part of a tensor of `shape` that begins at `begin` along `axis` and has
/// `extent` there; split takes it, and merge is made of such pieces inverted.
affine::Piece slicePiece(llvm::ArrayRef<int64_t> shape, unsigned axis,
                         int64_t begin, int64_t extent);
/// A tensor of `shape` with result axis i = operand axis perm[i].
affine::Piece transposePiece(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<unsigned> perm);

/// Checks an axis as written against a rank; negative ones count from the end
/// if `allowNegative`.
std::expected<unsigned, Fault> resolveAxis(const Operand &operand, int64_t axis,
                                           bool allowNegative = true);

} // namespace aoa::primitives

#endif // AOA_PRIMITIVES_PRIMITIVES_H
