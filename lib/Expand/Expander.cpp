//===- Expander.cpp - What all macros of one run share ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Expander.h"

#include "NameChain.h"
#include "OptimizerStates.h"
#include "Runner.h"
#include "Temporaries.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

Expander::Expander(const ast::Script &script, const ExpandInputs &inputs,
                   DiagnosticSink &sink)
    : inputs(inputs), sink(sink), names{"names", inputs.maxNames},
      statementsMade{"statements", inputs.maxStatements},
      valueBytes{"bytes of texts and lists", inputs.maxValueBytes} {
  result.file = script.file;
  result.dialect = script.dialect;
  result.expansions = script.expansions;
  result.numWritten = script.numWritten;
  result.isReversed = script.isReversed;
}

Expander::~Expander() = default;

void Expander::report(const DiagnosticKind &kind,
                      const ast::Statement &statement, SourceRange range,
                      std::string message, std::vector<Note> notes,
                      std::vector<FixIt> fixIts) {
  if (quietFault && &kind != &diag::TooManyStatements) {
    if (quietFault->empty() && kind.severity == Severity::Error)
      *quietFault = std::move(message);
    return;
  }
  for (Note &note : ast::expansionNotes(result, statement.expansion))
    notes.push_back(std::move(note));
  numReported += kind.severity == Severity::Error;
  if (builtInSite)
    range = *builtInSite;
  sink.report({.kind = &kind,
               .range = range.isKnown() ? range : statement.range,
               .message = std::move(message),
               .notes = std::move(notes),
               .fixIts = std::move(fixIts)});
}

bool Expander::take(const ast::Statement &statement, Budget &budget,
                    uint64_t count) {
  uint64_t limit = std::max<int64_t>(budget.limit, 0);
  if (!overLimit && count <= limit - std::min(limit, budget.used)) {
    budget.used += count;
    return true;
  }
  if (!overLimit)
    report(diag::TooManyStatements, statement, statement.range,
           "expansion makes more than " + std::to_string(budget.limit) + " " +
               budget.what);
  overLimit = true;
  return false;
}

bool Expander::takeNames(const ast::Statement &statement, uint64_t count) {
  return take(statement, names, count);
}

static uint64_t sizeBytesOf(const ast::Value &value) {
  if (const auto *text = std::get_if<ast::Text>(&value.data))
    return text->text.size();
  if (const auto *word = std::get_if<ast::Word>(&value.data))
    return word->text.size();
  uint64_t size = 0;
  if (const auto *list = std::get_if<ast::List>(&value.data))
    for (const ast::Value &entry : *list)
      size += sizeof(ast::Value) + sizeBytesOf(entry);
  return size;
}

/// What is no longer is counted by the number of names or statements.
static uint64_t ifLong(uint64_t sizeBytes) {
  return sizeBytes > 256 ? sizeBytes : 0;
}

bool Expander::takeValue(const ast::Statement &statement,
                         const Constant &value) {
  return take(statement, valueBytes, sizeBytesOf(value));
}

bool Expander::takeText(const ast::Statement &statement, llvm::StringRef text,
                        uint64_t numCopies) {
  return take(statement, valueBytes, ifLong(text.size()) * numCopies);
}

bool Expander::takeStatements(const ast::Statement &statement, uint64_t count) {
  if (!take(statement, statementsMade, count))
    return false;
  uint64_t sizeBytes = 0;
  for (const ast::Name &name :
       llvm::concat<const ast::Name>(statement.left, statement.right))
    sizeBytes += ifLong(name.text.size());
  for (const ast::Attribute &attribute : statement.attributes)
    sizeBytes += ifLong(sizeBytesOf(attribute.value));
  return take(statement, valueBytes, sizeBytes * count);
}

const ExprScope &Expander::scope() const { return *runner; }

bool Expander::exists(llvm::StringRef name) { return runner->exists(name); }

void Expander::indexNames() {
  for (llvm::StringRef name : inputs.sourceNames)
    liveNames.add(isPaddle() ? modelName(name) : name);
  if (inputs.targetListsNames)
    for (llvm::StringRef name : inputs.targetNames)
      targetNames.add(isPaddle() ? modelName(name) : name);
}

static bool isModelName(const std::vector<llvm::StringRef> &sorted,
                        llvm::StringRef name) {
  auto has = [&](llvm::StringRef key) {
    return llvm::binary_search(sorted, key);
  };
  return has(name) ||
         llvm::any_of(stateSuffixes(StateConvention::Paddle),
                      [&](const StateSuffix &suffix) {
                        return has(name.str() + std::string(suffix.text));
                      });
}

bool Expander::isSourceName(llvm::StringRef name) const {
  return isModelName(inputs.sourceNames, name);
}

bool Expander::isTargetName(llvm::StringRef name) const {
  return inputs.targetListsNames && isModelName(inputs.targetNames, name);
}

std::string quoted(llvm::StringRef name) { return "`" + name.str() + "`"; }

ast::Statement makeStatement(const ast::Statement &origin,
                             ast::ExpansionId expansion) {
  ast::Statement statement;
  statement.range = origin.range;
  statement.arrow = origin.arrow;
  statement.expansion = expansion;
  return statement;
}

} // namespace aoa::expand
