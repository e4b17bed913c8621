//===- WayBack.h - A text as a program from the result ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a script says that is read for the tensors that a conversion makes: the
// two ends are exchanged, and so are their layouts.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_WAYBACK_H
#define AOA_LIB_INVERT_WAYBACK_H

#include "aoa/Invert/Invert.h"

namespace aoa::invert {

class WayBack {
public:
  /// Requires that `inputs` outlives the object.
  explicit WayBack(const InvertInputs &inputs);
  WayBack(const WayBack &) = delete;

  /// What the conversion makes, as a source.
  const Catalog &catalog() const { return made; }

  /// Parses and expands a text for these tensors. Faults go to `sink`, their
  /// places are bytes of the text.
  ast::Script expand(const std::string &text, DiagnosticSink &sink) const;

  /// Analyzes an expanded script and makes pieces of it.
  std::optional<ir::Program> lower(const ast::Script &expanded,
                                   DiagnosticSink &sink) const;

private:
  Catalog made;
  ExpandInputs ends;
  Target whole; ///< All results, as in `full`.
};

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_WAYBACK_H
