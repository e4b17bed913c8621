//===- AskTensors.cpp - What expressions ask of tensors -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `rank`, `extent` and `dtype` are answered by following shapes through the
// statements so far, once something asks. The degrees of a macro's names are
// followed through all statements; outside of macros those of the source's
// tensors and of results are known.
//===----------------------------------------------------------------------===//
#include "Degree.h"
#include "NameChain.h"
#include "Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace aoa::expand {

static std::unexpected<ExprFault> faultAt(const Expr &expr,
                                          std::string message) {
  return std::unexpected(ExprFault{expr.range, std::move(message)});
}

ExprResult<Constant> Runner::ask(const TensorQuestion &question) const {
  // Answers are kept, which changes nothing that is seen.
  return const_cast<Runner *>(this)->askTensor(question);
}

ExprResult<ast::Name> Runner::tensorOf(const Expr &expr) {
  ast::Name name;
  name.range = expr.range;
  if (expr.kind == Expr::Kind::Text || expr.kind == Expr::Kind::Literal) {
    ExprResult<std::string> text = evaluateText(expr, *this);
    if (!text)
      return std::unexpected(std::move(text.error()));
    name.text = std::move(*text);
    name.quoted = true;
    return name;
  }
  if (expr.kind == Expr::Kind::Temporary) {
    std::optional<int64_t> element;
    if (!expr.operands.empty()) {
      ExprResult<Constant> value = evaluate(expr.operands.front(), *this);
      if (!value)
        return std::unexpected(std::move(value.error()));
      const auto *number = std::get_if<int64_t>(&value->data);
      if (!number || *number < 0)
        return faultAt(expr.operands.front(),
                       "the index is " + describeConstant(*value) +
                           ", expected a whole number from 0 on");
      element = *number;
    }
    name.text = expr.text;
    if (!resolve(placeOf(expr.range), name, {/*isWritten=*/true, element}))
      return std::unexpected(
          ExprFault{.range = expr.range, .message = {}, .isReported = true});
    return name;
  }
  const Variables::Variable *known = expander.variables.find(expr.text);
  if (known && known->tensor)
    return *known->tensor;
  return faultAt(expr, quoted(expr.text) +
                           (known ? " is a variable" : " is no variable") +
                           ", expected a tensor: a parameter of a macro, a "
                           "name in quotes or a temporary");
}

ExprResult<Constant> Runner::askTensor(const TensorQuestion &question) {
  if (expander.isPaddle() && !frame)
    return faultAt(question.call, "no tensors are known here");
  ExprResult<ast::Name> name = tensorOf(question.name);
  if (!name)
    return std::unexpected(std::move(name.error()));
  llvm::StringRef function = question.call.text;
  if (function == "src_degree" || function == "dst_degree")
    return askDegree(question, *name);
  const Variables::Variable *known =
      question.name.kind == Expr::Kind::Variable
          ? expander.variables.find(question.name.text)
          : nullptr;
  bool isUnbound = known && known->right && !frame->bound[*known->right];
  if (function == "exists")
    return Constant{!isUnbound && exists(name->text)};
  if (isUnbound)
    return faultAt(question.name,
                   quoted(question.name.text) + " is not bound yet");
  return askShape(question, *name);
}

bool Runner::exists(llvm::StringRef name) {
  if (!index)
    return expander.liveNames.contains(name);
  if (!lateNames) {
    lateNames = std::make_unique<NameIndex>();
    for (llvm::StringRef source : expander.inputs.sourceNames)
      lateNames->add(source);
  }
  llvm::ArrayRef<ast::Statement> done = expander.result.statements;
  for (; numLate < done.size(); ++numLate)
    updateNames(*lateNames, done[numLate]);
  return lateNames->contains(name);
}

// ---- Shapes

ExprResult<Constant> Runner::askShape(const TensorQuestion &question,
                                      const ast::Name &name) {
  auto found = shapeOf(name);
  if (!found)
    return faultAt(question.name, std::move(found.error()));
  auto rank = static_cast<int64_t>(found->shape.size());
  if (question.call.text == "rank")
    return Constant{rank};
  if (question.call.text == "dtype")
    return Constant{std::string(nameOf(found->dtype))};
  int64_t axis = question.axis < 0 ? question.axis + rank : question.axis;
  if (axis < 0 || axis >= rank)
    return faultAt(question.call, quoted(name.text) + " has shape " +
                                      formatShape(found->shape) +
                                      ", which has no axis " +
                                      std::to_string(question.axis));
  return Constant{found->shape[axis]};
}

std::expected<ShapesSoFar::Found, std::string>
Runner::shapeOf(const ast::Name &name) {
  ShapesSoFar *known = shapes();
  if (!known)
    return std::unexpected("nothing is known of the shape of " +
                           quoted(name.text) + " without a source");
  if (auto waits = waiting.find(name.text); waits != waiting.end()) {
    const auto &[tag, fault] = waits->second;
    return std::unexpected(
        fault.empty() ? "the shape of " + quoted(name.text) +
                            " is not known yet: it may depend on how "
                            "many ranks " +
                            quoted(tag) + " arranges it for"
                      : "the statement that binds " + quoted(name.text) +
                            " is at fault: " + fault);
  }
  return known->find(name);
}

ShapesSoFar *Runner::shapes() {
  if (shapesOnly)
    return shapesOnly;
  if (!following || followsOperations != index.has_value()) {
    if (!expander.inputs.followShapes)
      return nullptr;
    following = expander.inputs.followShapes();
    followsOperations = index.has_value();
    waiting.clear();
    numFollowed = 0;
  }
  if (!following)
    return nullptr;
  if (!index) {
    followNames(*following);
    return following.get();
  }
  llvm::ArrayRef<ast::Statement> done = expander.result.statements;
  for (; numFollowed < done.size(); ++numFollowed)
    following->take(done[numFollowed]);
  return following.get();
}

void Runner::followNames(ShapesSoFar &shapes) {
  for (; numGroupsFollowed < groups.size(); ++numGroupsFollowed) {
    const Group &group = groups[numGroupsFollowed];
    if (!group.isSequence && group.statements.size() > 1) {
      // All of them read before one binds.
      Group apart{group.statements, true};
      readBeforeBound(expander, apart.statements);
      follow(shapes, apart, 0);
      continue;
    }
    follow(shapes, group, numFollowed);
    numFollowed = 0;
    // A sequence that is still being made grows.
    if (numGroupsFollowed + 1 == groups.size() && group.isSequence) {
      numFollowed = group.statements.size();
      return;
    }
  }
}

void Runner::follow(ShapesSoFar &shapes, const Group &group, size_t begin) {
  for (size_t i = begin; i < group.statements.size(); ++i) {
    const ast::Statement &statement = group.statements[i];
    // What is made of a name that waits waits, too.
    std::optional<Waiting> waitsFor;
    for (const ast::Name &left : statement.left)
      if (auto waits = waiting.find(left.text);
          waits != waiting.end() && !left.isDiscard())
        waitsFor = waits->second;
    for (const ast::Name &right : statement.right)
      if (waitsFor)
        waiting[right.text] = *waitsFor;
      else
        waiting.erase(right.text);
    if (statement.tags.empty()) {
      shapes.take(statement);
      continue;
    }
    const KnownMacro *macro =
        expander.macros.find(statement.tags.front().text, statement.left.size(),
                             statement.right.size());
    Waiting unknown{statement.tags.front().text, ""};
    if (macro && !macro->asksDegrees) {
      llvm::SaveAndRestore<ShapesSoFar *> only(shapesOnly, &shapes);
      llvm::SaveAndRestore<std::string *> quiet(expander.quietFault,
                                                &unknown.fault);
      if (call(statement, *macro))
        continue;
    }
    for (const ast::Name &right : statement.right) {
      waiting[right.text] = unknown;
      // What is made of it is not known either.
      ast::Statement binding = makeStatement(statement, statement.expansion);
      binding.left.push_back({.text = "_", .range = right.range});
      binding.right.push_back(right);
      shapes.take(binding);
    }
  }
}

// ---- Degrees

ExprResult<Constant> Runner::askDegree(const TensorQuestion &question,
                                       const ast::Name &name) {
  bool isSource = question.call.text == "src_degree";
  ast::Statement place = frame ? frame->site : placeOf(question.call.range);
  std::string macro = frame ? frame->macro.definition->tag : question.call.text;
  DegreeQuestion degree{expander, place, macro, name.text, question.axis};
  degree.checksAxis = !frame || !frame->macro.isBuiltIn;
  // What is wrong with a cut is shown at the statement, in whose text it is.
  llvm::SaveAndRestore<std::optional<SourceRange>> outside(expander.builtInSite,
                                                           std::nullopt);
  auto answer = [&](std::optional<int64_t> count) -> ExprResult<Constant> {
    if (count)
      return Constant{*count};
    return std::unexpected(ExprFault{
        .range = question.call.range, .message = {}, .isReported = true});
  };
  const ExpandInputs &inputs = expander.inputs;
  if (!index || (name.quoted && question.name.kind != Expr::Kind::Variable)) {
    if (isSource && !llvm::binary_search(inputs.sourceNames, name.text))
      return faultAt(question.name, quoted(name.text) +
                                        " is no tensor of the source, and "
                                        "only those have a degree there");
    if (isSource)
      return answer(degreeOfTensor(degree, inputs.sourcePartition(name.text)));
    auto found = shapeOf(name);
    if (!found)
      return faultAt(question.name, std::move(found.error()));
    return answer(degreeOfTensor(
        degree, inputs.targetPartition(name.text, found->shape.size())));
  }
  // The names of the statement that waited: what an inner call is given is
  // followed where it is one of them.
  const Frame *outermost = frame;
  while (outermost->caller)
    outermost = outermost->caller;
  const ast::Statement &written = expander.statements[*index];
  const auto &names = isSource ? outermost->site.left : outermost->site.right;
  const auto &originals = isSource ? written.left : written.right;
  for (auto [given, original] : llvm::zip_equal(names, originals)) {
    if (given.text != name.text)
      continue;
    degree.index = *index;
    // `^T` may have been turned into a temporary, or be written in a body.
    ast::Name turned = original;
    turned.transposed ^= given.transposed ^ name.transposed;
    degree.written = &turned;
    if (isSource)
      return answer(sourceDegree(degree));
    std::optional<int64_t> count = targetDegree(degree);
    if (count && frame == outermost)
      expander.chain->setDegree(*index, *count);
    return answer(count);
  }
  return faultAt(question.name,
                 quoted(name.text) + " is no " + (isSource ? "left" : "right") +
                     " name of the call, so in how many parts it is cut "
                     "cannot be told");
}

} // namespace aoa::expand
