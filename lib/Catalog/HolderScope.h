//===- HolderScope.h - What expressions of layouts see ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_HOLDERSCOPE_H
#define AOA_LIB_CATALOG_HOLDERSCOPE_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Captures and, where a rank is given, its coordinates.
class HolderScope final : public ExprScope {
public:
  explicit HolderScope(const Captures &captures) : captures(captures) {}
  HolderScope(const Captures &captures, const Mesh &mesh,
              const std::vector<int64_t> &coordinates)
      : captures(captures), mesh(&mesh), coordinates(&coordinates) {}

  std::optional<Constant> variable(std::string_view name) const override {
    if (auto number = captures.numbers.find(name);
        number != captures.numbers.end())
      return Constant{number->second};
    if (auto text = captures.texts.find(name); text != captures.texts.end())
      return Constant{text->second};
    int axis = mesh ? mesh->findAxis(name) : -1;
    if (axis < 0)
      return std::nullopt;
    return Constant{(*coordinates)[static_cast<size_t>(axis)]};
  }
  std::optional<Constant> config(std::string_view) const override {
    return std::nullopt; // `${…}` was replaced when the layout was read.
  }

private:
  const Captures &captures;
  const Mesh *mesh = nullptr;
  const std::vector<int64_t> *coordinates = nullptr;
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_HOLDERSCOPE_H
