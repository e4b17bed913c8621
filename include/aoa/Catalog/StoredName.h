//===- StoredName.h - What ranks call their tensors -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The field `stored_as`: text with expressions over what the pattern catches
// and the coordinates of the rank. With `layers.{i}.{rest*}` as pattern and
//
//   layers.{i - 20*pp}.{rest}
//
// the rank at pp = 1 stores `layers.23.norm` as `layers.3.norm`. Read and
// written alike: the way back solves the expressions for what was caught.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_STOREDNAME_H
#define AOA_CATALOG_STOREDNAME_H

#include "aoa/Support/Error.h"
#include "aoa/Support/Expression.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace aoa {

struct Layout;
struct LayoutRule;
struct HolderRule;

class StoredName {
public:
  /// A piece of the name: text, or an expression whose value is put in.
  struct Part {
    std::string literal;
    std::optional<Expr> value;
  };

  /// Parses `text`, which stands at byte `begin` of `file`.
  static ExprResult<StoredName> parse(std::string_view text, FileId file,
                                      uint32_t begin);

  std::span<const Part> parts() const { return pieces; }
  /// Returns the name. Values are texts and whole numbers from 0 on; fails for
  /// others, and for an empty name.
  Expected<std::string> evaluate(const ExprScope &scope) const;

private:
  std::vector<Part> pieces;
};

/// The names under which ranks store one tensor.
class StoredNames {
public:
  /// Requires that all three outlive this.
  StoredNames(const Layout &layout, const LayoutRule &rule,
              std::string_view name);

  /// What says how the tensor is stored; null: it has its own name.
  const HolderRule *decider() const { return decidedBy; }
  /// Returns the name in the file of `rank`; it lives as long as this. Cost:
  /// one evaluation for all ranks that differ in no axis of the expressions.
  Expected<std::string_view> onRank(int64_t rank);

private:
  const Layout &layout;
  std::string_view name;
  const HolderRule *decidedBy = nullptr;
  std::vector<size_t> axes;                          ///< Of the expressions.
  std::map<std::vector<int64_t>, std::string> known; ///< By coordinates.
};

/// Whether any rule or entry of `place` has a `stored_as`.
bool renamesTensors(const Layout &layout);

/// Finds out which tensors ranks store under which names. A capture is solved
/// for from the one expression that has it; where that is not linear, numbers
/// below 65,536 are tried. Whatever is found is tried forwards: the layout must
/// place the tensor on that rank and store it under that name.
class TensorsByStoredName {
public:
  /// Requires that `layout` outlives this.
  explicit TensorsByStoredName(const Layout &layout);
  ~TensorsByStoredName();

  /// Returns the tensor that `rank` stores as `stored`; nothing where no tensor
  /// would be. One that a `stored_as` names so comes before one that is called
  /// so. Fails where several may be named so, or too many have to be tried.
  Expected<std::optional<std::string>> tensorOf(std::string_view stored,
                                                int64_t rank);

private:
  class Search;
  std::unique_ptr<Search> search;
};

} // namespace aoa

#endif // AOA_CATALOG_STOREDNAME_H
