//===- Parameters.h - What `-D` and config.json say -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The values that `${…}` finds in scripts and layouts: parameters of the
// command line, and entries of the model's `config.json`.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_PARAMETERS_H
#define AOA_SUPPORT_PARAMETERS_H

#include "aoa/Support/Error.h"
#include "aoa/Support/Expression.h"

#include <map>

namespace aoa {

class Parameters final : public ExprScope {
public:
  /// Takes `name=value` of a `-D`; the last one of a name wins. A value that is
  /// a whole number or a float is one, `true` and `false` are truth values, all
  /// else is a string. Fails for a name that is no identifier or that ends in
  /// `_ID`, which are placeholders.
  Expected<void> define(std::string_view nameAndValue);

  /// Takes the text of a `config.json`. Fails for what is no JSON object.
  Expected<void> setConfig(std::string_view json);
  bool hasConfig() const { return configIsSet; }

  std::optional<Constant> variable(std::string_view name) const override;
  /// `path`: names joined by `.`, list entries as `[3]`. Null is not set;
  /// objects have no value.
  std::optional<Constant> config(std::string_view path) const override;
  std::vector<std::string> variableNames() const override;

  /// All of it as text that `fromText` reads back: what a plan carries.
  std::string text() const;
  static Expected<Parameters> fromText(std::string_view text);

private:
  std::map<std::string, std::string, std::less<>> defined;
  std::map<std::string, Constant, std::less<>> entries; ///< Of the config.
  bool configIsSet = false;
};

} // namespace aoa

#endif // AOA_SUPPORT_PARAMETERS_H
