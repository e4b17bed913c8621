//===- TemporaryNames.h - `%name` apart from all tensors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A bare `%x` is a temporary, `"%x"` and a tensor of the source called `%x` are
// not, and the stages behind Expand know names by their text. So where a tensor
// has a `%` in its name, temporaries get a longer beginning that no tensor has:
// `%_x`. An element of `%g[0:2]` is `%g^0`: no other name is called so. What
// call 3 of a macro calls `%x` is `%x^c3`, and what expansion itself needs to
// put a tensor x aside is `%x^t3`.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_TEMPORARYNAMES_H
#define AOA_LIB_EXPAND_TEMPORARYNAMES_H

#include "aoa/AST/Script.h"
#include "aoa/Expand/Expand.h"

namespace aoa::expand {

class TemporaryNames {
public:
  /// Chooses the beginning for what a script writes.
  void choose(const ast::Block &body, const ExpandInputs &inputs);

  /// Gives a name that is written as a temporary's the beginning.
  void separate(ast::Name &name) const;

  bool isTemporary(const ast::Name &name) const {
    return !name.quoted && isTemporary(name.text);
  }
  bool isTemporary(llvm::StringRef text) const {
    return exist && text.starts_with(prefix);
  }

  /// Returns `name` as a temporary's.
  std::string temporary(llvm::StringRef name) const {
    return prefix + name.str();
  }

  /// What stands behind `name` in the name of element `index` of `name[a:b]`.
  std::string elementSuffix(const ast::Name &name, int64_t index) const {
    return (isTemporary(name) ? separator : "_") + std::to_string(index);
  }

  /// The name of the temporary `name` of call number `call`.
  std::string ofCall(llvm::StringRef name, unsigned call) const {
    return name.str() + separator + "c" + std::to_string(call);
  }
  /// A name for a tensor like `name` that nothing else has.
  std::string fresh(llvm::StringRef name);

private:
  bool exist = false;
  bool addsPrefix = false; ///< Some are not written with it.
  unsigned numFresh = 0;
  std::string prefix = "%", separator = "^";
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_TEMPORARYNAMES_H
