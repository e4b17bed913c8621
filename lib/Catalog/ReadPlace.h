//===- ReadPlace.h - Who holds tensors, in a layout's JSON ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_READPLACE_H
#define AOA_LIB_CATALOG_READPLACE_H

#include "JsonFields.h"
#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Reads the fields `match`, `on` and `stored_as`, which rules and entries of
/// `place` have in common. All faults are reported. Axes are looked up only if
/// `meshIsKnown`; `match` must be read first.
class HolderReader {
public:
  HolderReader(const Mesh &mesh, bool meshIsKnown, JsonFields &fields,
               HolderRule &rule)
      : mesh(mesh), meshIsKnown(meshIsKnown), fields(fields), rule(rule) {}

  void readMatch(JsonValue value);
  void readOn(JsonValue value);
  void readStoredAs(JsonValue value);

private:
  std::optional<CoordinateSet> readCoordinates(JsonValue value);
  std::optional<CoordinateSet> readBlocks(JsonValue value);
  std::optional<CoordinateSet> readExpression(JsonValue value);
  void checkNames(JsonValue value, const Expr &expr,
                  const std::vector<std::string> &known, std::string_view what);
  void wrong(JsonValue value, std::string message);
  /// The text of a string and where positions in it are in the file: 0 where
  /// they are not there as they are here.
  std::optional<std::pair<std::string_view, uint32_t>> textOf(JsonValue value);
  void report(JsonValue value, uint32_t begin, const ExprFault &fault);

  const Mesh &mesh;
  bool meshIsKnown;
  JsonFields &fields;
  HolderRule &rule;
};

/// Reads one entry of `place`.
HolderRule readPlace(JsonValue value, const Mesh &mesh, bool meshIsKnown,
                     JsonFields &fields);

/// Returns the index of the mesh axis `name`, which stands at `value`. Reports
/// an unknown one, unless the mesh itself is not known.
std::optional<int> findMeshAxis(JsonValue value, std::string_view name,
                                const Mesh &mesh, bool meshIsKnown,
                                JsonFields &fields);

} // namespace aoa

#endif // AOA_LIB_CATALOG_READPLACE_H
