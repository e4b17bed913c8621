//===- Expression.h - Expressions of scripts and layouts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What stands behind `=`, in `${…}`, `[a:b]` and in the strings of layouts:
//
//   2*(heads + 1)    config:text_config.num_heads ?? 8    max(n, 1) // 4
//
// A tree with the place of every node, and its value. 64-bit whole numbers,
// floats, strings, lists and truth values; whole numbers never overflow or
// round silently: `/` must be exact (`//` rounds down), and what does not fit
// in 64 bits is a fault. docs/Language.md has the operators and how tight they
// bind.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_EXPRESSION_H
#define AOA_SUPPORT_EXPRESSION_H

#include "aoa/Support/Diagnostic.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aoa {

/// The value of an expression.
struct Constant {
  std::variant<int64_t, double, bool, std::string, std::vector<Constant>> data;
  friend bool operator==(const Constant &, const Constant &) = default;
};

/// Prints a value as `${…}` puts it into text: numbers as they read back (a
/// float never without point or exponent), strings as they are, lists as
/// `[1, 2]`.
std::string printConstant(const Constant &value);

/// What a value takes of memory beside itself: its text, or its entries.
uint64_t sizeBytesOf(const Constant &value);

/// Returns how messages call a value: "4", "a list", "the text `x`", …
std::string describeConstant(const Constant &value);

struct Expr {
  enum class Kind : uint8_t {
    Integer,   ///< integer
    Float,     ///< number
    Bool,      ///< integer: 0 or 1.
    Text,      ///< Pieces of a text in turn: Literal, or what `${…}` holds.
    Literal,   ///< text: a piece of a text.
    Variable,  ///< text
    Config,    ///< text: the path behind `config:`.
    Inserted,  ///< `${…}` as an operand of an expression; one operand.
    List,      ///< operands
    Call,      ///< text (function), operands
    Temporary, ///< text: `%name`; operands: the index of `%name[i]`, if any.
               ///< Names a tensor: only functions that ask of one take it.
    Negate,
    Coalesce, ///< `a ?? b`
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Add,
    Subtract,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Not,
    And,
    Or,
  };
  Kind kind = Kind::Integer;
  SourceRange range;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<Expr> operands;
  std::string written = {}; ///< Of the whole expression: the text parsed.
};

/// What is wrong with an expression, and where. `isUnset`: it has no value
/// because a variable or a config entry is not there, which `??` replaces.
/// `isReported`: the scope that was asked has said it itself.
struct ExprFault {
  SourceRange range;
  std::string message;
  bool isUnset = false;
  bool isReported = false;
};
template <typename T> using ExprResult = std::expected<T, ExprFault>;

/// Parses the whole of `text`, which stands at byte `begin` of `file`; comments
/// and newlines are blanks. Nesting (brackets, `${`, `not`) is limited to 256,
/// the depth of the tree, to which a chain of operators adds, to 1000.
ExprResult<Expr> parseExpression(std::string_view text, FileId file,
                                 uint32_t begin);

/// Parses the inside of a string or a bare name that may hold `${…}`: a Text.
/// Quotes are nothing special outside of `${…}`.
ExprResult<Expr> parseText(std::string_view text, FileId file, uint32_t begin);

/// Parses what stands between the braces of a `{…}` of a longer text, from byte
/// `at` of `text` on, and moves `at` behind the closing `}`.
ExprResult<Expr> parseBraced(std::string_view text, size_t &at, FileId file,
                             uint32_t begin);

/// Whether `text` holds a `${`.
inline bool hasInterpolation(std::string_view text) {
  return text.find("${") != std::string_view::npos;
}

/// What `rank`, `extent`, `dtype`, `src_degree`, `dst_degree` and `exists` ask.
struct TensorQuestion {
  const Expr &call; ///< Its text is the function.
  /// The tensor's name: a Variable (a macro's parameter), a Text or Literal (in
  /// quotes) or a Temporary.
  const Expr &name;
  int64_t axis = 0; ///< As written, perhaps negative; 0 for the others.
};

/// What the names of an expression stand for. Look-ups return nothing for what
/// is not set.
class ExprScope {
public:
  virtual ~ExprScope() = default;
  /// What a name stands for anywhere: loop variables, captures.
  virtual std::optional<Constant> variable(std::string_view name) const = 0;
  /// What a name that is no variable stands for inside of `${…}`: `-D`.
  virtual std::optional<Constant> parameter(std::string_view) const {
    return std::nullopt;
  }
  /// Asked inside of `${…}` only. Nothing, too, where there is no config.
  virtual std::optional<Constant> config(std::string_view path) const = 0;
  virtual bool hasConfig() const { return true; }
  /// Answers what a function asks of a tensor; a fault where nothing is known
  /// of tensors, as in layouts.
  virtual ExprResult<Constant> ask(const TensorQuestion &question) const;
  /// Counts the work of evaluation: one step a node, and more for long values.
  /// Returns false where it is too much, which it has reported at `expr`.
  virtual bool takeSteps(uint64_t count, const Expr &expr) const {
    (void)count, (void)expr;
    return true;
  }
  /// Names that a misspelt one may have meant.
  virtual std::vector<std::string> variableNames() const { return {}; }
  virtual std::vector<std::string> parameterNames() const { return {}; }
  virtual std::vector<std::string> configPaths() const { return {}; }
};

/// Where `expr` stands: what is written as `${…}` sees parameters and config.
enum class ExprPlace : uint8_t { Bare, Inserted };

/// Returns the value of `expr`. Functions: min max lcm gcd len, and those that
/// `scope` is asked for: rank(name), extent(name, axis), dtype(name),
/// src_degree(name, axis), dst_degree(name, axis), exists(name).
ExprResult<Constant> evaluate(const Expr &expr, const ExprScope &scope,
                              ExprPlace place = ExprPlace::Bare);

/// Evaluates a Text and prints it.
ExprResult<std::string> evaluateText(const Expr &text, const ExprScope &scope);

/// Whether a variable of `expr` is one for which `isOne` says so.
template <typename Predicate>
bool anyVariable(const Expr &expr, const Predicate &isOne) {
  if (expr.kind == Expr::Kind::Variable && isOne(std::string_view(expr.text)))
    return true;
  for (const Expr &operand : expr.operands)
    if (anyVariable(operand, isOne))
      return true;
  return false;
}

} // namespace aoa

#endif // AOA_SUPPORT_EXPRESSION_H
