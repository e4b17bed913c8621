//===- TemplateExpansion.h - A statement with placeholders ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The steps of one template: read its names (IdTemplate.cpp), find what fits
// them and agrees (TemplateFits.cpp), look at the sequences of ids
// (TemplateIds.cpp), make the statements (TemplateInstances.cpp).
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_TEMPLATEEXPANSION_H
#define AOA_LIB_EXPAND_TEMPLATEEXPANSION_H

#include "Clauses.h"
#include "Expander.h"
#include "Placeholders.h"
#include "PutInValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace aoa::expand {

using Part = NameTemplate::Part;

/// A name of the statement; of an array, one of its names.
struct Operand {
  const ast::Name *name;
  bool isTemplate; ///< False: copied as it is.
  NameTemplate shape;

  bool isDiscard() const { return !isTemplate && name->isDiscard(); }
};

/// A name that fits a template, and what the placeholders stand for there;
/// values of those that the template lacks are empty.
struct Fit {
  Values values;
  llvm::StringRef name;
};

class TemplateExpansion {
public:
  TemplateExpansion(Expander &expander, const ast::Statement &statement)
      : expander(expander), statement(statement), scope(expander.scope()),
        clauses(expander, statement) {}

  void run(Statements &out);

private:
  bool parse();
  bool parseSide(llvm::ArrayRef<ast::Name> names, std::vector<Operand> &side);
  bool checkPlaceholders();
  bool choosePattern();
  bool findFits(const Operand &operand, std::vector<Fit> &found);
  bool addTextFit(const Operand &operand, llvm::StringRef name,
                  std::vector<Fit> &found);
  bool findPatternFits();
  bool recordSpelling(llvm::ArrayRef<Fit> fitsOfOne, const Operand &operand);
  bool agree(const Operand &other);
  bool checkRanges();
  bool checkNegative();
  void reportGaps();
  void instantiate(Statements &out);
  bool instantiate(const Fit &fit, Statements &out);
  std::optional<ast::Name> filled(const Operand &operand,
                                  llvm::ArrayRef<std::string> values,
                                  const Fit &fit,
                                  const ast::Statement &instance);
  bool reportNoFit(const Operand &operand);
  /// Names the live name that is most like `operand`, or returns an empty text;
  /// `known` is a name that the message gives already.
  std::string nearestHint(const Operand &operand,
                          llvm::StringRef known = "") const;

  bool error(const DiagnosticKind &kind, const ast::Name &name,
             std::string message, std::vector<Note> notes = {}) {
    expander.report(kind, statement, name.range, std::move(message),
                    std::move(notes));
    return false;
  }
  /// The same for one instance, of which there may be many with the fault.
  bool error(const ast::Statement &instance, const DiagnosticKind &kind,
             const ast::Name &name, std::string message) {
    expander.report(kind, instance, name.range, std::move(message));
    return false;
  }
  std::string shown(unsigned placeholder) const {
    return quoted(placeholders[placeholder].text());
  }
  static std::string textOf(const Operand &operand) {
    return operand.name->text + operand.shape.suffix;
  }
  bool isPattern(const Operand &operand) const {
    return llvm::is_contained(patterns, &operand);
  }
  std::string exampleOf(const Operand &operand, const Fit &fit) const;
  std::string keyOf(const Fit &fit, const NameTemplate &shape) const;
  int compare(const Fit &a, const Fit &b) const;

  Expander &expander;
  const ast::Statement &statement;
  InstanceScope scope;
  Clauses clauses;
  Placeholders placeholders;
  std::vector<Operand> left, right;
  bool hasText = false; ///< A `$NAME` or `$$NAME`.

  /// The side whose names are matched: the left one unless it is `_`.
  std::vector<Operand> *patternSide = nullptr;
  NameIndex *names = nullptr;
  std::optional<std::vector<llvm::StringRef>> unread;
  /// Operands with all placeholders: one that must exist, or all with a `?`.
  llvm::SmallVector<const Operand *, 1> patterns;
  std::vector<Fit> fits; ///< Of the patterns, by values.
  bool clausesLeftOut = false;
  /// For each placeholder: canonical id, and a fit that spells it.
  std::vector<llvm::StringMap<std::pair<std::string, llvm::StringRef>>>
      spellings;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_TEMPLATEEXPANSION_H
