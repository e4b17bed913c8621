//===- Results.cpp - What the target takes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A full target or a layout of rules takes the names that nothing reads and the
// untouched tensors of the source; a target that lists its tensors takes those,
// also where statements read them (tied weights), and from the source those
// that no statement binds.
//===----------------------------------------------------------------------===//
#include "Analyzer.h"

#include "aoa/Support/NearestName.h"
#include "aoa/Support/Utf8.h"

using namespace aoa;
using namespace aoa::sema;
using ir::ValueId;

void Analyzer::finish() {
  finishPaddleAdds();
  for (const PaddleRemoval &removal : paddleRemovals) {
    Meaning &meaning = *names.findSource(removal.name);
    meaning.removed = true;
    meaning.removedAt = removal.statement->range;
  }
  bool statementsAreSound = reporter.numErrors() == 0;
  if (target.list)
    takeListed();
  else
    takeSinks();
  llvm::sort(program.results, [](const ir::Result &a, const ir::Result &b) {
    return a.name < b.name;
  });
  finishPaddleRemovals();
  checkReplaced();
  // A failed statement leaves names unread that a correct one would read.
  if (reporter.numErrors() == 0)
    warnUnused();
  // What is missing is often made of what is unused.
  else if (statementsAreSound && target.list)
    warnUnusedSources();
}

void Analyzer::addResultTensor(llvm::StringRef name, ValueId value,
                               const Meaning &meaning) {
  std::string why;
  if (name.empty())
    why = "it is empty";
  else if (name.contains('\0'))
    why = "it holds a zero byte";
  else if (name == "__metadata__")
    why = "safetensors keeps it for the file's own metadata";
  else if (!isUtf8(name))
    why = "it is not UTF-8";
  if (!why.empty()) {
    std::string message =
        quote(name == "__metadata__" ? name : llvm::StringRef("\u2026")) +
        " cannot be the name of a result: " + why;
    if (meaning.statement)
      return reporter.report(diag::UnusableName, *meaning.statement,
                             meaning.range, std::move(message));
    return reporter.report(diag::UnusableName, SourceRange(),
                           std::move(message));
  }
  value = castResult(name, value, meaning.statement);
  ir::Result result;
  result.name = name.str();
  result.value = value;
  result.leftToCaller = program.definition(value).kind == ir::OpKind::Add;
  program.results.push_back(std::move(result));
}

void Analyzer::takeSinks() {
  for (llvm::StringRef key : names.boundKeys) {
    const Meaning &meaning = *names.findBound(key);
    if (!NameTable::isTemporary(key) && meaning.isKept() &&
        !meaning.value.isNone() && takesResult(NameTable::nameOfKey(key)))
      addResultTensor(NameTable::nameOfKey(key), meaning.value, meaning);
  }
  for (size_t i = 0; i != names.sources.size(); ++i) {
    Meaning &meaning = names.sources[i];
    const std::string &name = source.tensors[i].name;
    if (meaning.isKept() && !names.findBound(NameTable::keyOf(name)) &&
        takesResult(name))
      addResultTensor(name, sourceValue(name, meaning), meaning);
  }
}

void Analyzer::takeListed() {
  std::vector<const Tensor *> missing;
  for (const Tensor &listed : target.list->tensors)
    if (takesResult(listed.name))
      takeListedTensor(listed, missing);
  reportMissing(missing);
}

void Analyzer::takeListedTensor(const Tensor &listed,
                                std::vector<const Tensor *> &missing) {
  Meaning *meaning = names.findBound(NameTable::keyOf(listed.name));
  if (!meaning)
    meaning = names.findSource(listed.name);
  if (!meaning)
    return missing.push_back(&listed);
  if (meaning->removed)
    return reporter.report(diag::MissingTensor, listed.range,
                           quote(listed.name) +
                               " is listed by the target, but removed",
                           {{meaning->removedAt, "removed here"}});
  ValueId value =
      meaning->statement ? meaning->value : sourceValue(listed.name, *meaning);
  if (value.isNone())
    return;
  value = castResult(listed.name, value, meaning->statement);
  checkListed(listed, value, *meaning);
  addResultTensor(listed.name, value, *meaning);
}

/// Whether a statement can cast `from` to `to`.
bool Analyzer::hasCast(DType from, DType to) const {
  if (!isPaddle())
    return canCast(from, to);
  return canConvert(from, to) &&
         (to == DType::F16 || to == DType::BF16 || to == DType::F32);
}

void Analyzer::checkListed(const Tensor &listed, ValueId value,
                           const Meaning &meaning) {
  checkBlockEdges(listed.name, value, meaning);
  const ir::Value &made = program.value(value);
  auto report = [&](const DiagnosticKind &kind, std::string message,
                    std::string hint, std::vector<FixIt> fixIts = {}) {
    std::vector<Note> notes = {
        {listed.range,
         "the target lists " + quote(listed.name) + " as " +
             (listed.dtypeIsKnown ? std::string(nameOf(listed.dtype)) + " "
                                  : std::string()) +
             formatShape(listed.shape)}};
    if (meaning.statement)
      return reporter.report(kind, *meaning.statement, meaning.range,
                             message + hint, std::move(notes),
                             std::move(fixIts));
    if (SourceRange range = sourceTensor(meaning).range; range.isKnown())
      notes.push_back({range, "the source's tensor"});
    reporter.report(kind, listed.range,
                    message + "; the source's tensor is taken as it is" + hint,
                    std::move(notes));
  };
  if (listed.dtypeIsKnown && made.dtype != listed.dtype)
    report(diag::DTypeMismatch,
           quote(listed.name) + " is " + std::string(nameOf(made.dtype)) +
               ", the target lists " + std::string(nameOf(listed.dtype)),
           hasCast(made.dtype, listed.dtype)
               ? "; a cast is never implied, write `dtype='" +
                     std::string(pythonNameOf(listed.dtype)) + "'`"
               : "");
  if (llvm::ArrayRef(made.shape) == llvm::ArrayRef(listed.shape))
    return;
  std::string hint;
  std::vector<FixIt> fixIts;
  if (made.shape.size() > 1 &&
      llvm::equal(llvm::reverse(made.shape), listed.shape)) {
    const ast::Name *left = transposableName(meaning);
    hint = "; " + quote((left ? left->text : listed.name) + "^T") +
           " has that shape";
    if (left)
      fixIts = reporter.insertAfter(*meaning.statement, *left, "^T");
  }
  report(diag::ShapeMismatch,
         quote(listed.name) + " has shape " + formatShape(made.shape) +
             ", the target lists " + formatShape(listed.shape),
         std::move(hint), std::move(fixIts));
}

/// Returns the left name of a statement that makes its tensor of one other, in
/// the same shape, so that `^T` there has its axes reversed; or null.
const ast::Name *Analyzer::transposableName(const Meaning &meaning) const {
  const ast::Statement *statement = meaning.statement;
  if (!statement || !reporter.isWritten(*statement) ||
      statement->left.size() != 1 || statement->right.size() != 1)
    return nullptr;
  const ast::Name &left = statement->left.front();
  bool keepsShape =
      llvm::all_of(statement->attributes, [](const ast::Attribute &attribute) {
        return llvm::StringRef(attribute.name).ends_with("dtype") ||
               attribute.name == "scale" || attribute.name == "plus";
      });
  return keepsShape && !left.transposed && !left.isDiscard() && !left.array
             ? &left
             : nullptr;
}

/// Returns "`a`, `b`, `c` and 7 more".
static std::string nameSome(llvm::ArrayRef<const Tensor *> tensors) {
  constexpr size_t shown = 8;
  std::string text;
  for (size_t i = 0; i != std::min(tensors.size(), shown); ++i)
    text += (i == 0 ? "" : ", ") + quote(tensors[i]->name);
  if (tensors.size() > shown)
    text += " and " + std::to_string(tensors.size() - shown) + " more";
  return text;
}

// Where one is missing, a whole family is: one report names them all.
void Analyzer::reportMissing(llvm::ArrayRef<const Tensor *> missing) {
  if (missing.empty())
    return;
  const Tensor &first = *missing.front();
  std::string hint = names.nearest(first.name).hint();
  if (missing.size() == 1)
    return reporter.report(diag::MissingTensor, first.range,
                           quote(first.name) +
                               " is listed by the target, but neither the "
                               "script nor the source makes it" +
                               hint);
  std::vector<Note> notes;
  if (!hint.empty())
    notes.push_back({{}, "for " + quote(first.name) + hint});
  reporter.report(diag::MissingTensor, first.range,
                  std::to_string(missing.size()) +
                      " tensors that the target lists are made by neither the "
                      "script nor the source: " +
                      nameSome(missing),
                  std::move(notes));
}

void Analyzer::checkReplaced() {
  for (const Replaced &each : replaced) {
    if (each.source->removed)
      continue;
    bool lost = isPaddle() && !target.list && !target.layout;
    reporter.report(
        lost ? diag::LostBinding : diag::UnusedSource, *each.statement,
        each.name->range,
        lost ? quote(each.name->text) +
                   " is bound over a tensor of the source that nothing reads: "
                   "upstream keeps that one and loses this; remove it with " +
                   quote(each.name->text + " -> _") + " if this one is meant"
             : "source tensor " + quote(each.name->text) +
                   " is read by nothing: its name is bound anew here");
  }
}

void Analyzer::warnUnused() {
  warnUnusedParts();
  if (target.list) {
    warnUnusedBindings();
    warnUnusedSources();
  }
}

void Analyzer::warnUnusedSources() {
  std::vector<const Tensor *> unused;
  for (size_t i = 0; i != names.sources.size(); ++i) {
    const std::string &name = source.tensors[i].name;
    // What is hidden by a binding has been reported there.
    if (names.sources[i].isUntouched() &&
        !names.findBound(NameTable::keyOf(name)) && !target.list->find(name))
      unused.push_back(&source.tensors[i]);
  }
  if (unused.empty())
    return;
  reporter.report(diag::UnusedSource, unused.front()->range,
                  unused.size() == 1
                      ? "source tensor " + quote(unused.front()->name) +
                            " is read by nothing, and the target does not "
                            "list it"
                      : std::to_string(unused.size()) +
                            " source tensors are read by nothing, and the "
                            "target does not list them: " +
                            nameSome(unused));
}

// With a full target all parts unread are results on purpose; some read and
// some not is what a forgotten part looks like.
void Analyzer::warnUnusedParts() {
  for (const auto &[statement, parts] : splits) {
    auto isUnread = [&](ValueId id) { return program.value(id).numUses == 0; };
    size_t numUnread = 0, numNamed = 0;
    for (size_t i = 0; i != parts.size(); ++i) {
      bool isNamed = isPaddle() || !statement->right[i].isDiscard();
      numNamed += isNamed;
      numUnread += isNamed && isUnread(parts[i]);
    }
    if (numUnread == 0 || (!target.list && numUnread == numNamed))
      continue;
    for (size_t i = 0; i != parts.size(); ++i) {
      const ast::Name &name = statement->right[i];
      std::string key = NameTable::keyOf(name);
      if (!isUnread(parts[i]) || NameTable::isTemporary(key) ||
          (name.isDiscard() && !isPaddle()) || !takesResult(name.text))
        continue;
      if (target.list && target.list->find(name.text))
        continue;
      reporter.report(diag::UnusedPart, *statement, name.range,
                      "part " + quote(name.text) + " of " +
                          quote(statement->left.front().text) +
                          " is read by nothing" +
                          (target.list ? ", and the target does not list it"
                                       : ", so it becomes a result"));
    }
  }
}

void Analyzer::warnUnusedBindings() {
  int64_t comparisonsLeft = 1'000'000;
  for (llvm::StringRef key : names.boundKeys) {
    const Meaning &meaning = *names.findBound(key);
    llvm::StringRef name = NameTable::nameOfKey(key);
    if (NameTable::isTemporary(key) || !meaning.isUntouched() ||
        !takesResult(name) || meaning.statement->right.size() > 1 ||
        target.list->find(name))
      continue;
    comparisonsLeft -= target.list->tensors.size();
    NearestName nearest{std::string_view(name)};
    if (comparisonsLeft > 0)
      for (const Tensor &listed : target.list->tensors)
        nearest.consider(listed.name);
    reporter.report(diag::UnusedBinding, *meaning.statement, meaning.range,
                    quote(name) +
                        " is read by nothing, and the target does not list "
                        "it" +
                        nearest.hint());
  }
}
