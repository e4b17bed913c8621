//===- Script.h - The syntax tree of a script -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is written, with locations: arrow statements, and what says which of
// them there are (let, for, if, assert, macros). The parser makes the tree,
// Expand runs it until only statements with primitives are left, the printer
// writes either out again. Every statement that a macro made remembers the
// statement and the macro it came from.
//===----------------------------------------------------------------------===//
#ifndef AOA_AST_SCRIPT_H
#define AOA_AST_SCRIPT_H

#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/Expression.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aoa::ast {

enum class Dialect { Aoa, Paddle };

/// An expression that Expand has still to evaluate; never changed, so copies of
/// a node share it.
using ExprRef = std::shared_ptr<const Expr>;

/// `[a:b]` behind a name.
struct ArrayRange {
  int64_t begin = 0, end = 0;
  SourceRange range;
  /// The bounds as expressions, where they are not written as numbers.
  ExprRef beginExpr = nullptr, endExpr = nullptr;
};

struct NameList;

/// A tensor's name where a statement mentions it.
struct Name {
  std::string text;
  SourceRange range;
  bool quoted = false; ///< Literal: no placeholder, no star, no tag, not `_`.
  bool transposed = false; ///< `^T`; text is without it.
  bool maybe = false;      ///< `?`: left out where the name exists nowhere.
  /// `[a:b]`; shared by copies, never changed.
  std::shared_ptr<const ArrayRange> array = nullptr;
  /// A name with `${…}`: a Text; `text` is as written then. Null once Expand
  /// has put the values in.
  ExprRef interpolation = nullptr;
  /// The index of `%name[i]`; null once Expand has put it into the name.
  ExprRef element = nullptr;
  /// `(… for i in a..b)` in place of a name, which has neither text nor suffix
  /// then; shared by copies, never changed.
  std::shared_ptr<const NameList> list = nullptr;

  bool isDiscard() const { return !quoted && text == "_"; }
};

/// `(%q[i], %k[i] for i in 0..n-1)`: the names once for each number of a range,
/// both ends included; none where it is empty.
struct NameList {
  std::vector<Name> names;
  std::string variable;
  SourceRange variableRange;
  ExprRef first, last;
  SourceRange range; ///< With its parentheses.
};

/// A bare word as a value: `dtype=bfloat16`.
struct Word {
  std::string text;
  friend bool operator==(const Word &, const Word &) = default;
};
/// A quoted value, without its quotes.
struct Text {
  std::string text;
  friend bool operator==(const Text &, const Text &) = default;
};
struct Value;
using List = std::vector<Value>;
/// What stands behind `=`. A `double` is a number with a fraction or exponent;
/// an ExprRef (any other expression, a string with `${…}`) is evaluated by
/// Expand. A single identifier is a Word.
struct Value {
  std::variant<int64_t, double, Word, Text, List, ExprRef> data;
  SourceRange range;
};

struct Attribute {
  std::string name;
  SourceRange range; ///< Of the name.
  Value value;
};

/// A word of a statement that names a macro (`fused_qkv`).
struct Tag {
  std::string text;
  SourceRange range;
};

/// `$LAYER_ID in 0..15`, `$X not in {q, k}`, `$$A shortest`: which texts a
/// placeholder of the statement stands for.
struct Clause {
  enum class Kind : uint8_t { In, NotIn, Shortest, Longest };
  std::string placeholder; ///< With its `$` or `$$`.
  Kind kind = Kind::In;
  SourceRange range;
  /// In, NotIn: a range of whole numbers, both ends included (integers or
  /// expressions), or a set of pieces of names, `*` for any characters.
  std::optional<Value> first = {}, last = {};
  std::vector<std::string> set = {};
};

/// A step of the way from what the user wrote to a statement that a macro made.
using ExpansionId = TypedId<struct ExpansionTag>;
struct Expansion {
  ExpansionId parent; ///< None: the site is in the user's text.
  std::string macro;  ///< `fused_qkv`, `$LAYER_ID`, `^T`, `*`, `[a:b]`
  SourceRange site;   ///< The statement (or name) that was expanded.
  std::string detail; ///< `$LAYER_ID = 3`; may be empty.
};

struct Statement {
  llvm::SmallVector<Name, 2> left;
  llvm::SmallVector<Name, 2> right;
  llvm::SmallVector<Tag, 0> tags; ///< One at most, and none after expansion.
  llvm::SmallVector<Attribute, 1> attributes;
  /// The words `copy` and `optional`; told apart from right names by Expand.
  bool copies = false, isOptional = false;
  std::vector<Clause> clauses; ///< Gone after expansion.
  SourceRange range; ///< Of the user's statement, also after expansion.
  SourceRange arrow;
  ExpansionId expansion; ///< Innermost; none for what the user wrote.
  /// Right names that stand behind an attribute (`a -> b, axis=0, c`): words
  /// that should have been tags. Index of the first, or right.size().
  unsigned firstLateName = ~0u;

  const Attribute *find(llvm::StringRef name) const {
    for (const Attribute &attribute : attributes)
      if (attribute.name == name)
        return &attribute;
    return nullptr;
  }
};

struct Item;
/// What stands between `{` and `}`, and a whole script.
using Block = std::vector<Item>;

/// `let name = expression`
struct Let {
  std::string variable;
  SourceRange variableRange;
  ExprRef value;
  SourceRange range;
};

/// `for i in a..b { … }`: both ends included.
struct For {
  std::string variable;
  SourceRange variableRange;
  ExprRef first, last;
  Block body;
  SourceRange range; ///< Up to its `{`.
};

/// `if a { … } else if b { … } else { … }`
struct If {
  struct Branch {
    ExprRef condition; ///< Null: the last `else`.
    Block body;
    SourceRange range; ///< Up to its `{`.
  };
  std::vector<Branch> branches; ///< At least one, the first with a condition.
};

/// `assert expression, "text with ${…}"`
struct Assert {
  ExprRef condition;
  ExprRef message; ///< A Text.
  SourceRange range;
};

/// `include "file"`: gone once the file has been read in its place.
struct Include {
  std::string path;      ///< As written.
  SourceRange pathRange; ///< With its quotes.
  SourceRange range;
};

/// `macro TAG(left -> right; attribute, attribute=default) { … }`
struct MacroDefinition {
  struct Parameter {
    std::string name;
    SourceRange range;
  };
  struct AttributeParameter {
    std::string name;
    SourceRange range;
    ExprRef fallback; ///< Null: a call must give the attribute.
  };
  std::string tag;
  SourceRange tagRange;
  std::vector<Parameter> left, right; ///< At least one each.
  std::vector<AttributeParameter> attributes;
  Block body;
  SourceRange range;   ///< Up to its `{`.
  std::string written; ///< The whole text, as it stands in the file.
};

/// A part of a block. Macros and includes stand at top level only; a script
/// that has been loaded holds no include.
struct Item {
  std::variant<Statement, Let, For, If, Assert, Include,
               std::shared_ptr<const MacroDefinition>>
      data;
};

struct Script {
  FileId file;
  Dialect dialect = Dialect::Aoa;
  Block body;                        ///< As parsed; empty after expansion.
  std::vector<Statement> statements; ///< What expansion makes.
  std::vector<Expansion> expansions; ///< Indexed by ExpansionId.
  /// How many statements the user wrote, those in blocks and macros included.
  unsigned numWritten = 0;
  /// With `aoa_config_reverse` or `--reverse`: the statements say how the
  /// source is made of the target. Expand turns them round.
  bool isReversed = false;

  ExpansionId addExpansion(Expansion expansion) {
    expansions.push_back(std::move(expansion));
    return ExpansionId(expansions.size() - 1);
  }
};

/// Returns the notes that show how `expansion` came about, innermost first:
/// "in expansion of `fused_qkv`" at its site, and so on to the user's text.
std::vector<Note> expansionNotes(const Script &script, ExpansionId expansion);

/// Prints one statement as canonical text, without a line end. Names that need
/// quotes get them; the text parses back to the same statement.
std::string printStatement(const Statement &statement, Dialect dialect);

/// Prints a value as it stands behind `=`. Paddle has words and lists in
/// quotes.
std::string printValue(const Value &value, Dialect dialect = Dialect::Aoa);

/// Prints the bounds of a `[a:b]`: `0:n`.
std::string printArrayBounds(const ArrayRange &range);

/// Prints a clause: `$X not in {q, k}`.
std::string printClause(const Clause &clause);

/// Prints the body of a script as canonical text, blocks indented by two, and
/// behind it its statements, one a line: what `aoac expand` and `aoac invert`
/// show.
std::string printScript(const Script &script);

/// The statements of `block` that stand in no other block, in order.
std::vector<const Statement *> statementsOf(const Block &block);

/// Whether `text` can stand bare as a name in the dialect.
bool isBareName(llvm::StringRef text, Dialect dialect);

} // namespace aoa::ast

#endif // AOA_AST_SCRIPT_H
