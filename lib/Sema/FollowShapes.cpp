//===- FollowShapes.cpp - Shapes of names, statement by statement ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Sema/FollowShapes.h"

#include "Analyzer.h"

#include <deque>

using namespace aoa;
using namespace aoa::sema;

namespace {

/// Keeps the first error of a statement.
class FirstError final : public DiagnosticSink {
public:
  void report(Diagnostic diagnostic) override {
    if (diagnostic.kind->severity == Severity::Error && errors++ == 0)
      message = std::move(diagnostic.message);
  }
  unsigned numErrors() const override { return errors; }

  std::string take() {
    errors = 0;
    return std::exchange(message, "");
  }

private:
  unsigned errors = 0;
  std::string message;
};

} // namespace

void Analyzer::follow(const ast::Statement &next) {
  program.source = &ends.wholeSource;
  statement(next);
}

bool Analyzer::isAtFault(const ast::Name &name) {
  const Meaning *meaning = names.find(name);
  return meaning && meaning->statement && !meaning->removed &&
         meaning->value.isNone();
}

std::expected<primitives::TensorType, std::string>
Analyzer::typeSoFar(const ast::Name &name) {
  Meaning *meaning = names.find(name);
  if (std::string fault = meaning ? "" : faultOfState(name); !fault.empty())
    return std::unexpected(std::move(fault));
  if (!meaning)
    return std::unexpected(
        quote(name.text) +
        " is neither bound before nor a tensor of the source" +
        names.nearest(name.text).hint());
  if (meaning->removed)
    return std::unexpected(quote(name.text) + " was removed before");
  if (!meaning->statement) {
    const Tensor &tensor = sourceTensor(*meaning);
    return primitives::TensorType{
        tensor.dtype,
        affine::Extents(tensor.shape.begin(), tensor.shape.end())};
  }
  if (program.definition(meaning->value).kind == ir::OpKind::Add)
    return std::unexpected(quote(name.text) +
                           " is left to the caller, so nothing can read it");
  const ir::Value &value = program.value(meaning->value);
  return primitives::TensorType{value.dtype, value.shape};
}

struct FollowShapes::State {
  State(ast::Dialect dialect, const Catalog &source, const Target &end)
      : target(end), ends(source, target), analyzer(script, ends, error) {
    script.dialect = dialect;
  }

  /// Remembers what is wrong with the names that `statement` binds: what was
  /// reported, or else what was wrong with the first left name at fault.
  void noteFailures(const ast::Statement &statement, std::string message) {
    std::optional<unsigned> reason;
    auto reasonOf = [&]() -> unsigned {
      if (message.empty())
        for (const ast::Name &left : statement.left)
          if (auto it = failed.find(NameTable::keyOf(left)); it != failed.end())
            return it->second;
      reasons.push_back(std::move(message));
      return reasons.size() - 1;
    };
    for (const ast::Name &right : statement.right) {
      if (!analyzer.isAtFault(right))
        continue;
      if (!reason)
        reason = reasonOf();
      failed[NameTable::keyOf(right)] = *reason;
    }
  }

  const std::string &reasonOf(const ast::Name &name) const {
    return reasons[failed.lookup(NameTable::keyOf(name))];
  }

  ast::Script script; ///< Of no statements: its dialect is what matters.
  Target target;
  FirstError error;
  ModelEnds ends;
  Analyzer analyzer;
  /// What was taken: the analysis points to it.
  std::deque<ast::Statement> statements;
  /// Names whose last statement was at fault, and perhaps more, with the index
  /// of the reason.
  llvm::StringMap<unsigned> failed;
  std::vector<std::string> reasons;
};

FollowShapes::FollowShapes(ast::Dialect dialect, const Catalog *source,
                           const Target &target)
    : state(source ? std::make_unique<State>(dialect, *source, target)
                   : nullptr) {}

FollowShapes::~FollowShapes() = default;

void FollowShapes::take(const ast::Statement &statement) {
  if (!state)
    return;
  ast::Statement &copy = state->statements.emplace_back(statement);
  copy.expansion = {}; // It counts in a script that is still being made.
  state->analyzer.follow(copy);
  state->noteFailures(copy, state->error.take());
}

std::expected<FollowShapes::Found, std::string>
FollowShapes::find(const ast::Name &name) {
  if (!state)
    return std::unexpected("nothing is known of " + quote(name.text) +
                           " without a source, of which `--source` names one");
  if (name.isDiscard() && state->script.dialect == ast::Dialect::Aoa)
    return std::unexpected("`_` is no tensor");
  if (state->analyzer.isAtFault(name))
    return std::unexpected("the statement that binds " + quote(name.text) +
                           " is at fault: " + state->reasonOf(name));
  auto type = state->analyzer.typeSoFar(name);
  if (!type)
    return std::unexpected(std::move(type.error()));
  Found found{type->dtype, Shape(type->shape.begin(), type->shape.end())};
  if (name.transposed)
    std::reverse(found.shape.begin(), found.shape.end());
  return found;
}
