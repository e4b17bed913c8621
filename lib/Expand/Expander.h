//===- Expander.h - What all macros of one run share ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of one expansion. Macros of stage Names see one written statement
// after the other and `liveNames`; then `statements` holds their results, the
// name chain is made of it, and macros of stage Operations rewrite one of them
// after the other.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_EXPANDER_H
#define AOA_LIB_EXPAND_EXPANDER_H

#include "MacroTable.h"
#include "NameIndex.h"
#include "TemporaryNames.h"
#include "Variables.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Expand/ExpandDiagnostics.h"

#include <bitset>
#include <memory>

namespace aoa::expand {

enum class Macro {
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY) ENUMERATOR,
#include "aoa/Expand/Macros.def"
};
constexpr size_t numMacros = 0
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY) +1
#include "aoa/Expand/Macros.def"
    ;
using MacroSet = std::bitset<numMacros>;

class NameChain;
class Runner;
class Temporaries;

class Expander {
public:
  Expander(const ast::Script &script, const ExpandInputs &inputs,
           DiagnosticSink &sink);
  ~Expander();

  bool isPaddle() const { return result.dialect == ast::Dialect::Paddle; }
  /// Whether the right names are the source's; `inputs` has the ends swapped.
  bool isReversed() const { return result.isReversed; }

  /// Reports a fault of `statement` at `range`, with the chain of macros that
  /// made the statement behind `notes`.
  void report(const DiagnosticKind &kind, const ast::Statement &statement,
              SourceRange range, std::string message,
              std::vector<Note> notes = {}, std::vector<FixIt> fixIts = {});

  /// Asks for room for so many more names or statements. Reports once, and says
  /// no from then on, when a limit is reached: the caller gives up.
  bool takeNames(const ast::Statement &statement, uint64_t count);
  /// Counts what is long in each of so many copies of `statement`, too.
  bool takeStatements(const ast::Statement &statement, uint64_t count);
  /// Counts a value, which variables and statements hold a copy of each.
  bool takeValue(const ast::Statement &statement, const Constant &value);
  /// Counts the text of a name, unless it is so short that the number of names
  /// says enough.
  bool takeText(const ast::Statement &statement, llvm::StringRef text,
                uint64_t numCopies = 1);
  bool isOverLimit() const { return overLimit; }

  /// What may still be tried to fit templates into names; at 0 they fail.
  uint64_t stepsLeft = 100'000'000;
  bool takeStep() { return stepsLeft != 0 && --stepsLeft != 0; }

  /// Fills `liveNames` and `targetNames`.
  void indexNames();

  /// Whether the source or the target has the tensor, or only states of it: how
  /// the paddle dialect looks names up.
  bool isSourceName(llvm::StringRef name) const;
  bool isTargetName(llvm::StringRef name) const;

  /// Whether `text` names a macro or is `copy` or `optional`.
  bool isWordOfTheLanguage(llvm::StringRef text) const {
    return text == "copy" || text == "optional" || macros.isTag(text);
  }
  /// Whether faults still get hints, each of which looks at every name there
  /// is: nobody reads thousands.
  bool givesHints() const { return numReported < 1000; }
  /// What expressions see.
  const ExprScope &scope() const;
  /// Whether a tensor of that name is the source's or bound by now.
  bool exists(llvm::StringRef name);

  const ExpandInputs &inputs;
  DiagnosticSink &sink;
  MacroTable macros;
  /// Tags of the macros that are defined further down, and where.
  llvm::StringMap<SourceRange> laterMacros;
  Variables variables;
  Runner *runner = nullptr; ///< Runs what is written.
  size_t numReported = 0;   ///< Errors.
  /// Takes the first error in place of `sink` while a call runs for its shapes
  /// only; it runs again. Limits are reported all the same.
  std::string *quietFault = nullptr;
  /// While a built-in macro runs: the tag in the user's text, where its faults
  /// are reported.
  std::optional<SourceRange> builtInSite;
  /// Takes the results and the expansions.
  ast::Script result;

  /// Names that left templates and stars see: the source's, and in the aoa
  /// dialect those bound so far.
  NameIndex liveNames;
  /// Names that the target lists.
  NameIndex targetNames;
  /// Which names are temporaries of the script.
  TemporaryNames temporaryNames;

  /// After stage Names: the statements with their final names.
  std::vector<ast::Statement> statements;
  std::unique_ptr<NameChain> chain;
  std::unique_ptr<Temporaries> temporaries;

private:
  /// What may be used of something, and is.
  struct Budget {
    const char *what;
    int64_t limit;
    uint64_t used = 0;
  };
  bool take(const ast::Statement &statement, Budget &budget, uint64_t count);

  Budget names, statementsMade, valueBytes;
  bool overLimit = false;
};

using Statements = std::vector<ast::Statement>;

/// A macro of stage Names: appends what `statement` becomes to `out`, the
/// statement itself where the macro does not occur in it.
#define AOA_MACRO(ENUMERATOR, STAGE, NAME, FORM, SUMMARY)                      \
  AOA_DECLARE_##STAGE(ENUMERATOR)
#define AOA_DECLARE_Names(ENUMERATOR)                                          \
  void expand##ENUMERATOR(Expander &expander, ast::Statement statement,        \
                          Statements &out);
/// A macro of stage Chain: reads all statements and drops those at fault.
#define AOA_DECLARE_Chain(ENUMERATOR) void expand##ENUMERATOR(Expander &);
/// A macro of stage Operations: the same as Names, for number `index` of
/// `expander.statements`, of which `statement` is what earlier macros left.
/// Those of stage Prelude are written in the language itself.
#define AOA_DECLARE_Operations(ENUMERATOR)                                     \
  void expand##ENUMERATOR(Expander &expander, size_t index,                    \
                          ast::Statement statement, Statements &out);
#define AOA_DECLARE_Prelude(ENUMERATOR)
#include "aoa/Expand/Macros.def"
#undef AOA_DECLARE_Names
#undef AOA_DECLARE_Chain
#undef AOA_DECLARE_Operations
#undef AOA_DECLARE_Prelude

/// Returns `name` in backticks.
std::string quoted(llvm::StringRef name);

/// A statement that a macro makes of `origin`, still without names.
ast::Statement makeStatement(const ast::Statement &origin,
                             ast::ExpansionId expansion);

/// Expands with the macros of `enabled` only; tests look at single macros.
ast::Script expandScript(const ast::Script &script, const ExpandInputs &inputs,
                         DiagnosticSink &sink, MacroSet enabled);

/// Moves the words of the right side that are tags to `tags`, and sets the
/// flags of `copy` and `optional`. Reports what is wrong with them and returns
/// false then.
bool tellTagsApart(Expander &expander, ast::Statement &statement);

/// Reports a variable that hides another, or has the name of a placeholder.
bool checkNewVariable(Expander &expander, const ast::Statement &statement,
                      llvm::StringRef name, SourceRange range);

/// "; did you mean the tag `x` by `y`?" for the right name that looks most like
/// a tag or word, and what puts it right; empty if none does.
struct WordHint {
  std::string text;
  std::vector<FixIt> fixIts = {};
};
WordHint wordHint(const Expander &expander, const ast::Statement &statement);

/// Inserts renames so that all left names of `group`, the statements that one
/// written statement became, are read before one of its right names is bound.
/// Their temporaries are fresh ones while names are not known yet.
void readBeforeBound(Expander &expander, Statements &group);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_EXPANDER_H
