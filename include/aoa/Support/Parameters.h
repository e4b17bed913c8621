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
#include <memory>

namespace aoa {

/// Copies share the config.
class Parameters final : public ExprScope {
public:
  /// Takes `name=value` of a `-D`; the last one of a name wins. A value that is
  /// a whole number (without leading zeros) or a float is one, `true` and
  /// `false` are truth values, all else is a string. Fails for a name that is
  /// no identifier, that is a word of expressions (`not`) or that ends in
  /// `_ID`, which are placeholders, and for a number that has no place in 64
  /// bits.
  Expected<void> define(std::string_view nameAndValue);

  /// Takes the text of a `config.json`. Fails for what is no JSON object.
  Expected<void> setConfig(std::string_view json);
  bool hasConfig() const override { return shared != nullptr; }

  std::optional<Constant> variable(std::string_view) const override {
    return std::nullopt;
  }
  std::optional<Constant> parameter(std::string_view name) const override;
  /// `path`: names joined by `.`, list entries as `[3]`. Null is not set;
  /// objects, and lists that hold one, have no value. A whole number beyond 64
  /// bits is the string of its digits. Cost: the siblings along the path.
  std::optional<Constant> config(std::string_view path) const override;
  std::vector<std::string> parameterNames() const override;
  /// Of the values that are no lists; at most 10,000.
  std::vector<std::string> configPaths() const override;

  /// All of it as text that `fromText` reads back: what a plan carries. The
  /// config is part of it where `withConfig` says so.
  std::string text(bool withConfig = true) const;
  static Expected<Parameters> fromText(std::string_view text);

private:
  struct Config;

  std::map<std::string, std::string, std::less<>> defined;
  std::shared_ptr<const Config> shared;
};

} // namespace aoa

#endif // AOA_SUPPORT_PARAMETERS_H
