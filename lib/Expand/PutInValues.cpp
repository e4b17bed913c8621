//===- PutInValues.cpp - `${…}` and expressions become values ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PutInValues.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <utility>

namespace aoa::expand {

bool isWordValue(llvm::StringRef attribute, llvm::StringRef word) {
  return llvm::is_contained(
             {"dtype", "src_dtype", "dst_dtype", "tie", "states"}, attribute) ||
         (attribute == "value" && word == "last");
}

std::optional<Constant> InstanceScope::parameter(std::string_view name) const {
  for (auto [known, id] : llvm::zip_equal(names, ids)) {
    int64_t number = 0;
    if (known != llvm::StringRef(name) || !isIdVariable(name))
      continue;
    if (id.getAsInteger(10, number))
      return std::nullopt;
    return Constant{number};
  }
  return outer.parameter(name);
}

namespace {

bool dependsOnId(const Expr &expr) { return anyVariable(expr, isIdVariable); }

/// `expr` with numbers for its variables, so that only its ids are unknown.
Expr withVariables(Expr expr, const ExprScope &scope) {
  if (expr.kind == Expr::Kind::Variable && !isIdVariable(expr.text)) {
    std::optional<Constant> value = scope.variable(expr.text);
    if (const int64_t *number =
            value ? std::get_if<int64_t>(&value->data) : nullptr) {
      expr.kind = Expr::Kind::Integer;
      expr.integer = *number;
    }
  }
  for (Expr &operand : expr.operands)
    operand = withVariables(std::move(operand), scope);
  return expr;
}

class Evaluation {
public:
  Evaluation(Expander &expander, const ast::Statement &statement,
             const ExprScope &scope, const PutInOptions *options = nullptr)
      : expander(expander), statement(statement), scope(scope),
        options(options), keepsIds(options && options->keepsIds) {}

  bool putIn(ast::Value &value, llvm::StringRef attribute);
  /// Puts values into the names of a side, and names in place of its lists.
  bool putIn(llvm::SmallVectorImpl<ast::Name> &side, unsigned &firstLate,
             bool &hadList);
  bool putInArray(ast::Name &name);
  bool putIn(ast::Clause &clause);
  std::optional<std::string> text(const Expr &expr);

private:
  bool putIn(ast::Name &name);
  bool putInText(ast::Name &name);
  std::optional<int64_t> wholeNumber(const Expr &expr, const char *what);
  bool addList(const ast::NameList &list,
               llvm::SmallVectorImpl<ast::Name> &out);
  bool add(const ast::Name &name, llvm::SmallVectorImpl<ast::Name> &out);
  std::optional<Constant> valueOf(const Expr &expr, ExprPlace place) {
    ExprResult<Constant> value = evaluate(expr, scope, place);
    if (value && !expander.takeValue(statement, *value))
      return std::nullopt;
    if (value)
      return std::move(*value);
    if (!value.error().isReported)
      error(diag::ExpressionFault, value.error().range, value.error().message);
    return std::nullopt;
  }
  bool putInBound(const ast::ExprRef &expr, int64_t &bound);
  bool convert(const Constant &constant, ast::Value &value);
  bool reportWord(const ast::Word &word, const ast::Value &value,
                  llvm::StringRef attribute);
  bool error(const DiagnosticKind &kind, SourceRange range,
             std::string message) {
    expander.report(kind, statement, range, std::move(message));
    return false;
  }

  Expander &expander;
  const ast::Statement &statement;
  const ExprScope &scope;
  const PutInOptions *options; ///< Null: names are final.
  bool keepsIds;               ///< What depends on a placeholder stays.
};

bool Evaluation::convert(const Constant &constant, ast::Value &value) {
  if (const auto *number = std::get_if<int64_t>(&constant.data)) {
    value.data = *number;
  } else if (const auto *fraction = std::get_if<double>(&constant.data)) {
    value.data = *fraction;
  } else if (const auto *text = std::get_if<std::string>(&constant.data)) {
    value.data = ast::Text{*text};
  } else if (const auto *list =
                 std::get_if<std::vector<Constant>>(&constant.data)) {
    ast::List made;
    for (const Constant &entry : *list) {
      made.push_back({int64_t(0), value.range});
      if (!convert(entry, made.back()))
        return false;
    }
    value.data = std::move(made);
  } else {
    // Only macros take truth values, and it shows later whose they are.
    Expr truth;
    truth.kind = Expr::Kind::Bool;
    truth.integer = std::get<bool>(constant.data);
    truth.range = value.range;
    truth.written = printConstant(constant);
    value.data = std::make_shared<const Expr>(std::move(truth));
  }
  return true;
}

bool Evaluation::reportWord(const ast::Word &word, const ast::Value &value,
                            llvm::StringRef attribute) {
  bool isParameter = scope.parameter(word.text).has_value();
  std::string message = quoted(attribute) + " takes an expression, and " +
                        quoted(word.text) + " is no variable";
  std::vector<FixIt> fixIts;
  if (isParameter || isIdVariable(word.text)) {
    message += std::string(isParameter ? "; a parameter" : "; an id") +
               " is written `${" + word.text + "}`";
    fixIts.push_back({value.range, "${" + word.text + "}"});
  } else if (attribute == "value") {
    message +=
        nearestName(word.text, llvm::ArrayRef<llvm::StringRef>{"last"}).hint();
  }
  expander.report(diag::UnknownVariable, statement, value.range,
                  std::move(message), {}, std::move(fixIts));
  return false;
}

bool Evaluation::putIn(ast::Value &value, llvm::StringRef attribute) {
  if (const auto *word = std::get_if<ast::Word>(&value.data)) {
    if (isWordValue(attribute, word->text))
      return true;
    if (word->text == "true" || word->text == "false")
      return convert(Constant{word->text == "true"}, value);
    if (std::optional<Constant> constant = scope.variable(word->text))
      return expander.takeValue(statement, *constant) &&
             convert(*constant, value);
    return reportWord(*word, value, attribute);
  }
  if (auto *list = std::get_if<ast::List>(&value.data))
    return llvm::all_of(
        *list, [&](ast::Value &entry) { return putIn(entry, attribute); });
  const auto *expr = std::get_if<ast::ExprRef>(&value.data);
  if (!expr || (keepsIds && dependsOnId(**expr)))
    return true;
  // The expression must outlive `value.data`, which takes its place.
  ast::ExprRef kept = *expr;
  std::optional<Constant> constant = valueOf(*kept, ExprPlace::Bare);
  return constant && convert(*constant, value);
}

std::optional<std::string> Evaluation::text(const Expr &expr) {
  std::optional<Constant> value = valueOf(expr, ExprPlace::Inserted);
  if (!value)
    return std::nullopt;
  if (std::holds_alternative<int64_t>(value->data) ||
      std::holds_alternative<std::string>(value->data))
    return printConstant(*value);
  error(diag::ExpressionFault, expr.range,
        "the value in the name is " + describeConstant(*value) +
            ", expected a whole number or a text");
  return std::nullopt;
}

bool Evaluation::putInText(ast::Name &name) {
  const ast::ExprRef written = name.interpolation;
  Expr kept;
  kept.kind = Expr::Kind::Text;
  kept.range = written->range;
  kept.written = written->written;
  bool hasIds = false;
  auto addLiteral = [&](std::string literal) {
    if (kept.operands.empty() ||
        kept.operands.back().kind != Expr::Kind::Literal) {
      Expr &piece = kept.operands.emplace_back();
      piece.kind = Expr::Kind::Literal;
    }
    kept.operands.back().text += literal;
  };
  // Only what a `%` begins in the script is a temporary, and `^` marks the
  // elements of their arrays.
  bool isTemporary =
      !name.quoted && llvm::StringRef(name.text).starts_with("%");
  bool mayHoldAnything = options->names.namesMayHoldAnything();
  for (const Expr &piece : written->operands) {
    if (piece.kind == Expr::Kind::Literal) {
      addLiteral(piece.text);
      continue;
    }
    if (keepsIds && dependsOnId(piece)) {
      kept.operands.push_back(withVariables(piece, scope));
      hasIds = true;
      continue;
    }
    std::optional<std::string> value = text(piece);
    if (!value)
      return false;
    bool isFirst =
        kept.operands.empty() && llvm::StringRef(*value).starts_with("%");
    if (!name.quoted && (isFirst || (isTemporary && !mayHoldAnything &&
                                     llvm::StringRef(*value).contains('^'))))
      return error(diag::ExpressionFault, piece.range,
                   "the value " + quoted(*value) + " puts a " +
                       (isFirst ? "`%` at the beginning of a name"
                                : "`^` in a temporary's name"));
    addLiteral(std::move(*value));
  }
  if (hasIds) {
    name.interpolation = std::make_shared<const Expr>(std::move(kept));
    return true;
  }
  name.interpolation = nullptr;
  name.text = kept.operands.empty() ? "" : kept.operands.front().text;
  if (name.text.empty())
    return error(diag::ExpressionFault, name.range,
                 "the name is empty once its values are put in");
  // In quotes it would be a tensor.
  if (isTemporary && !mayHoldAnything &&
      !ast::isBareName(name.text, ast::Dialect::Aoa))
    return error(diag::ExpressionFault, name.range,
                 quoted(name.text) +
                     " is no name of a temporary, and quotes make none of it");
  return true;
}

bool Evaluation::putIn(ast::Name &name) {
  bool isWritten = !name.interpolation;
  if (!putInArray(name) || (!isWritten && !putInText(name)))
    return false;
  std::optional<int64_t> element;
  if (name.element) {
    // The expression must outlive the name's own reference to it.
    ast::ExprRef index = std::exchange(name.element, nullptr);
    element = wholeNumber(*index, "index");
    if (!element)
      return false;
    if (*element < 0)
      return error(diag::ExpressionFault, index->range,
                   "the index is " + std::to_string(*element) +
                       ", expected a whole number from 0 on");
  }
  return options->names.resolve(statement, name, {isWritten, element});
}

std::optional<int64_t> Evaluation::wholeNumber(const Expr &expr,
                                               const char *what) {
  std::optional<Constant> value = valueOf(expr, ExprPlace::Bare);
  if (!value)
    return std::nullopt;
  if (const auto *number = std::get_if<int64_t>(&value->data))
    return *number;
  error(diag::ExpressionFault, expr.range,
        "the " + std::string(what) + " is " + describeConstant(*value) +
            ", expected a whole number");
  return std::nullopt;
}

bool Evaluation::addList(const ast::NameList &list,
                         llvm::SmallVectorImpl<ast::Name> &out) {
  if (!checkNewVariable(expander, statement, list.variable, list.variableRange))
    return false;
  std::optional<int64_t> first = wholeNumber(*list.first, "bound"),
                         last = wholeNumber(*list.last, "bound");
  if (!first || !last)
    return false;
  // The names of inner lists are counted there.
  uint64_t numPlain = llvm::count_if(
      list.names, [](const ast::Name &name) { return !name.list; });
  if (*first <= *last) {
    uint64_t count = static_cast<uint64_t>(*last) - *first;
    count = count == ~uint64_t(0) ? count : count + 1;
    uint64_t perTurn = std::max<uint64_t>(numPlain, 1);
    if (!expander.takeNames(statement, count > ~uint64_t(0) / perTurn
                                           ? ~uint64_t(0)
                                           : count * perTurn))
      return false;
    out.reserve(out.size() + std::min<uint64_t>(count * numPlain, 1024));
  }
  Variables &variables = expander.variables;
  size_t outside = variables.size();
  variables.push({list.variable, Constant{*first}, list.variableRange});
  bool good = true;
  for (int64_t i = *first; i <= *last && good; ++i) {
    variables.setLast(Constant{i});
    good = llvm::all_of(list.names,
                        [&](const ast::Name &name) { return add(name, out); });
    if (i == std::numeric_limits<int64_t>::max())
      break;
  }
  variables.shrink(outside);
  return good;
}

bool Evaluation::add(const ast::Name &name,
                     llvm::SmallVectorImpl<ast::Name> &out) {
  if (name.list)
    return addList(*name.list, out);
  out.push_back(name);
  return putIn(out.back()) && expander.takeText(statement, out.back().text);
}

bool Evaluation::putIn(llvm::SmallVectorImpl<ast::Name> &side,
                       unsigned &firstLate, bool &hadList) {
  if (llvm::none_of(side,
                    [](const ast::Name &name) { return name.list != nullptr; }))
    return llvm::all_of(side, [&](ast::Name &name) { return putIn(name); });
  hadList = true;
  llvm::SmallVector<ast::Name, 2> written = std::move(side);
  side.clear();
  unsigned late = firstLate;
  for (unsigned i = 0; i < written.size(); ++i) {
    if (i == late)
      firstLate = side.size();
    if (!add(written[i], side))
      return false;
  }
  if (late >= written.size())
    firstLate = late == ~0u ? late : side.size();
  if (side.empty())
    return error(diag::EmptyList, written.front().range,
                 "no name is left of the list, as its range is empty");
  return true;
}

bool Evaluation::putInBound(const ast::ExprRef &expr, int64_t &bound) {
  if (!expr)
    return true;
  std::optional<int64_t> number = wholeNumber(*expr, "bound");
  bound = number.value_or(0);
  return number.has_value();
}

bool Evaluation::putInArray(ast::Name &name) {
  if (!name.array || (!name.array->beginExpr && !name.array->endExpr))
    return true;
  ast::ArrayRange array = *name.array;
  if (!putInBound(array.beginExpr, array.begin) ||
      !putInBound(array.endExpr, array.end))
    return false;
  array.beginExpr = array.endExpr = nullptr;
  name.array = std::make_shared<const ast::ArrayRange>(std::move(array));
  return true;
}

bool Evaluation::putIn(ast::Clause &clause) {
  for (std::optional<ast::Value> *bound : {&clause.first, &clause.last}) {
    if (!*bound)
      continue;
    if (!putIn(**bound, clause.placeholder))
      return false;
    if (!std::holds_alternative<int64_t>((*bound)->data))
      return error(diag::ExpressionFault, (*bound)->range,
                   "the bound is " + ast::printValue(**bound) +
                       ", expected a whole number");
  }
  return true;
}

} // namespace

bool putInValues(Expander &expander, ast::Statement &statement,
                 const PutInOptions &options, bool &hadList) {
  Evaluation evaluation(expander, statement, expander.scope(), &options);
  unsigned none = ~0u;
  options.names.beginSide(/*isRight=*/false);
  if (!evaluation.putIn(statement.left, none, hadList))
    return false;
  options.names.beginSide(/*isRight=*/true);
  if (!evaluation.putIn(statement.right, statement.firstLateName, hadList))
    return false;
  for (ast::Attribute &attribute : statement.attributes)
    if (!evaluation.putIn(attribute.value, attribute.name))
      return false;
  for (ast::Clause &clause : statement.clauses)
    if (!evaluation.putIn(clause))
      return false;
  return true;
}

bool putInAttributes(Expander &expander, ast::Statement &statement,
                     const ExprScope &scope) {
  Evaluation evaluation(expander, statement, scope);
  return llvm::all_of(statement.attributes, [&](ast::Attribute &attribute) {
    return evaluation.putIn(attribute.value, attribute.name);
  });
}

std::optional<std::string> textOfExpr(Expander &expander,
                                      const ast::Statement &statement,
                                      const Expr &expr,
                                      const ExprScope &scope) {
  return Evaluation(expander, statement, scope).text(expr);
}

static const Expr *exprWithId(const ast::Value &value) {
  if (const auto *expr = std::get_if<ast::ExprRef>(&value.data))
    return dependsOnId(**expr) ? expr->get() : nullptr;
  if (const auto *list = std::get_if<ast::List>(&value.data))
    for (const ast::Value &entry : *list)
      if (const Expr *expr = exprWithId(entry))
        return expr;
  return nullptr;
}

bool checkNoIdsLeft(Expander &expander, const ast::Statement &statement) {
  for (const ast::Name &name :
       llvm::concat<const ast::Name>(statement.left, statement.right))
    if (name.interpolation) {
      expander.report(diag::MissingPlaceholder, statement, name.range,
                      quoted(name.text) +
                          " takes an id, and no left name says which there "
                          "are");
      return false;
    }
  for (const ast::Attribute &attribute : statement.attributes)
    if (const Expr *expr = exprWithId(attribute.value)) {
      expander.report(diag::MissingPlaceholder, statement, expr->range,
                      quoted(attribute.name) +
                          " takes an id, and no name of the statement has a "
                          "placeholder");
      return false;
    }
  return true;
}

} // namespace aoa::expand
