//===- PutInValues.h - `${…}` and expressions become values -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `axis=${a}`, `x.${b}.w`, `p[0:2*${n}]` with what `-D` and config.json say.
// What depends on a placeholder (`${LAYER_ID+1}`) stays until the template
// knows its ids.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_PUTINVALUES_H
#define AOA_LIB_EXPAND_PUTINVALUES_H

#include "Expander.h"

namespace aoa::expand {

/// Whether an identifier of an expression is a placeholder for ids.
inline bool isIdVariable(std::string_view name) {
  return llvm::StringRef(name).ends_with("_ID");
}

/// What the identifiers of one instance of a template stand for.
class InstanceScope final : public ExprScope {
public:
  /// `names` are placeholders, without `$`; `ids` what they stand for.
  InstanceScope(const ExprScope *parameters,
                llvm::ArrayRef<llvm::StringRef> names = {},
                llvm::ArrayRef<llvm::StringRef> ids = {})
      : parameters(parameters), names(names), ids(ids) {}

  std::optional<Constant> variable(std::string_view) const override {
    return std::nullopt;
  }
  std::optional<Constant> parameter(std::string_view name) const override;
  std::optional<Constant> config(std::string_view path) const override;
  bool hasConfig() const override;
  std::vector<std::string> parameterNames() const override;
  std::vector<std::string> configPaths() const override;

private:
  const ExprScope *parameters;
  llvm::ArrayRef<llvm::StringRef> names, ids;
};

/// Puts in what depends on no placeholder. Reports what has no value, and
/// single words that stand where an expression is wanted, and returns false.
bool putInValues(Expander &expander, ast::Statement &statement);

/// Puts `scope` in what is left of the attributes of an instance.
bool putInAttributes(Expander &expander, ast::Statement &statement,
                     const ExprScope &scope);

/// Returns the text that `expr`, the inside of `${…}`, puts into a name.
std::optional<std::string> textOfExpr(Expander &expander,
                                      const ast::Statement &statement,
                                      const Expr &expr, const ExprScope &scope);

/// Reports the placeholder of an attribute or a name that no left name gives a
/// value, if there is one.
bool checkNoIdsLeft(Expander &expander, const ast::Statement &statement);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_PUTINVALUES_H
