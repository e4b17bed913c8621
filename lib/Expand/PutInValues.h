//===- PutInValues.h - `${…}` and expressions become values -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `axis=${a}`, `x.${b}.w`, `p[0:2*${n}]` with what `-D` and config.json say.
// What depends on a placeholder (`${LAYER_ID+1}`) stays until the template
// knows its ids. Lists (`(%g[i] for i in 0..3)`) become their names.
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
  /// `names` are placeholders, without `$`; `ids` what they stand for. All else
  /// is what `outer` says.
  InstanceScope(const ExprScope &outer,
                llvm::ArrayRef<llvm::StringRef> names = {},
                llvm::ArrayRef<llvm::StringRef> ids = {})
      : outer(outer), names(names), ids(ids) {}

  std::optional<Constant> variable(std::string_view name) const override {
    return outer.variable(name);
  }
  std::optional<Constant> parameter(std::string_view name) const override;
  std::optional<Constant> config(std::string_view path) const override {
    return outer.config(path);
  }
  bool hasConfig() const override { return outer.hasConfig(); }
  ExprResult<Constant> ask(const TensorQuestion &question) const override {
    return outer.ask(question);
  }
  bool takeSteps(uint64_t count, const Expr &expr) const override {
    return outer.takeSteps(count, expr);
  }
  std::vector<std::string> variableNames() const override {
    return outer.variableNames();
  }
  std::vector<std::string> parameterNames() const override {
    return outer.parameterNames();
  }
  std::vector<std::string> configPaths() const override {
    return outer.configPaths();
  }

private:
  const ExprScope &outer;
  llvm::ArrayRef<llvm::StringRef> names, ids;
};

/// How a name came about.
struct NameSource {
  bool isWritten = true;               ///< Without `${…}`.
  std::optional<int64_t> element = {}; ///< Of `%name[i]`.
};

/// Says which tensor a name without `${…}` means where it is written.
class NameResolver {
public:
  virtual ~NameResolver() = default;
  /// Puts the name in place that `name` stands for: a macro's parameter the
  /// caller's, a `%name` a temporary of its own. Returns false for what was
  /// reported.
  virtual bool resolve(const ast::Statement &statement, ast::Name &name,
                       NameSource source) = 0;
  /// The names of a side of the statement come next.
  virtual void beginSide(bool isRight) = 0;
  /// Whether values may put anything into the name of a temporary.
  virtual bool namesMayHoldAnything() const = 0;
};

/// How values are put in.
struct PutInOptions {
  NameResolver &names;
  /// What depends on a placeholder stays.
  bool keepsIds = true;
};

/// Puts in what depends on no placeholder, and sets `hadList` where a side was
/// a list. Reports what has no value, and single words that stand where an
/// expression is wanted, and returns false.
bool putInValues(Expander &expander, ast::Statement &statement,
                 const PutInOptions &options, bool &hadList);

/// Whether a bare word behind `attribute=` stands for itself; all others are
/// variables.
bool isWordValue(llvm::StringRef attribute, llvm::StringRef word);

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
