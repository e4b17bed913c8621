//===- Variables.h - What identifiers stand for -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `let` and loop variables and, while the body of a macro runs, its parameters
// and attributes. A body sees its own and those of the top level that were
// there when the macro was defined, none of its caller's.
//
// Cost of a look-up: as many steps as bodies that run at once have a variable
// of that name.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_VARIABLES_H
#define AOA_LIB_EXPAND_VARIABLES_H

#include "aoa/AST/Script.h"
#include "llvm/ADT/DenseMap.h"

namespace aoa::expand {

class Variables {
public:
  struct Variable {
    llvm::StringRef name; ///< Of the syntax tree, which outlives it.
    Constant value;       ///< Of a parameter: the text of its name.
    SourceRange range;    ///< Where it is introduced.
    /// Of a parameter: the caller's name, and which of the right ones it is.
    const ast::Name *tensor = nullptr;
    std::optional<unsigned> right = {};
  };

  const Variable *find(llvm::StringRef name) const;
  /// The variables that can be seen, the latest last.
  std::vector<std::string> names() const;

  void push(Variable variable);
  size_t size() const { return all.size(); }
  /// Forgets all but the first `size` variables.
  void shrink(size_t size);
  /// Gives the last variable another value.
  void setLast(Constant value) { all.back().value = std::move(value); }

  /// From here to the end of the object a body runs that sees the first
  /// `numGlobals` variables and those that it introduces itself.
  class Body {
  public:
    Body(Variables &variables, size_t numGlobals)
        : variables(variables), globals(variables.numGlobals),
          begin(variables.begin), size(variables.size()) {
      variables.numGlobals = numGlobals;
      variables.begin = size;
    }
    ~Body() {
      variables.shrink(size);
      variables.numGlobals = globals;
      variables.begin = begin;
    }
    Body(const Body &) = delete;
    Body &operator=(const Body &) = delete;

  private:
    Variables &variables;
    size_t globals, begin, size;
  };

private:
  std::vector<Variable> all;
  /// Where in `all` those of a name are, in order.
  llvm::DenseMap<llvm::StringRef, llvm::SmallVector<size_t, 2>> byName;
  /// What can be seen: [0, numGlobals) and from `begin` on.
  size_t numGlobals = 0, begin = 0;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_VARIABLES_H
