//===- Evaluate.h - A script evaluated element by element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The oracle that every path which moves bytes is compared with. It shares no
// code with lowering, composition, planning or copying: whole tensors in
// memory, one loop over elements per primitive, layouts applied by asking for
// each element who holds it, casts by arithmetic on exact values. Slow on
// purpose.
//===----------------------------------------------------------------------===//
#ifndef AOA_REFERENCE_EVALUATE_H
#define AOA_REFERENCE_EVALUATE_H

#include "aoa/AST/Script.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Sema/Analyze.h"
#include "aoa/Support/Error.h"

#include <map>

namespace aoa::reference {

/// A whole tensor: elements row-major, little endian. Tensors of sub-byte
/// dtypes hold their packed bytes and can only be renamed.
struct WholeTensor {
  DType dtype;
  Shape shape;
  std::string bytes;
  /// An element as it was before a cast.
  struct Before {
    DType dtype;
    std::string bytes;
  };
  /// A cast that holds every value and the way back are no cast at all, so they
  /// leave a signalling NaN as it is, which each of them alone makes quiet. By
  /// place: what such an element was before the casts since then, all of which
  /// hold every value.
  std::map<int64_t, std::vector<Before>> signalling = {};
};
using Tensors = std::map<std::string, WholeTensor>;

/// Reads every tensor of a source, assembling shards element by element.
Expected<Tensors> readSource(const Catalog &source);

/// Evaluates an expanded script: the results by name (those the target takes),
/// without those that are left to the caller. Requires a script that the
/// analysis accepts; fails with what it cannot read.
Expected<Tensors> evaluate(const ast::Script &script, const Tensors &source,
                           const Target &target);

/// What the file of every rank of the target must hold: file name → tensors by
/// name. With a full target, or a list that has all tensors whole on one rank,
/// there is one entry, with an empty name.
Expected<std::map<std::string, Tensors>> placeAll(const Tensors &results,
                                                  const Target &target);

/// Compares `expected`, as placeAll makes it, with the safetensors files below
/// the folder `directory`, which are read here without the library's reader.
/// Returns what differs, one line a tensor or file: missing ones, dtypes,
/// shapes, the first element that differs. With one expected entry of an empty
/// name the tensors may lie in any of the folder's files.
Expected<std::vector<std::string>>
compareWithFiles(const std::map<std::string, Tensors> &expected,
                 const std::string &directory);

/// Whether floats of dtype `to` hold every value of floats of dtype `from`.
bool holdsEveryValue(DType to, DType from);

/// Converts one element by exact arithmetic. `bytes` are those of one element.
std::string castElement(std::string_view bytes, DType from, DType to);

/// Multiplies one float element with `factor`, or divides it by it, rounded to
/// F64 and then to `dtype`, both by exact arithmetic. Requires a factor that is
/// finite and not 0.
std::string multiplyElement(std::string_view bytes, DType dtype, double factor);
std::string divideElement(std::string_view bytes, DType dtype, double factor);

} // namespace aoa::reference

#endif // AOA_REFERENCE_EVALUATE_H
