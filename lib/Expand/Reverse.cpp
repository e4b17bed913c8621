//===- Reverse.cpp - Scripts that run from right to left --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Reverse.h"

#include "Expander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace aoa::expand {

ExpandInputs swapEnds(const ExpandInputs &inputs) {
  ExpandInputs swapped = inputs;
  swapped.sourceNames = inputs.targetNames;
  swapped.targetNames = inputs.sourceNames;
  // The source always lists what it has.
  swapped.targetListsNames = true;
  // A target of rules is asked for a matrix, which is what macros act on.
  swapped.sourcePartition = [&inputs](llvm::StringRef name) {
    return inputs.targetPartition(name, 2);
  };
  swapped.targetPartition = [&inputs](llvm::StringRef name, unsigned) {
    return inputs.sourcePartition(name);
  };
  swapped.sourceRank = [](llvm::StringRef) -> std::optional<unsigned> {
    return std::nullopt;
  };
  return swapped;
}

namespace {

using Axes = llvm::SmallVector<int64_t, 4>;

/// The entries of a quoted permutation, negative ones counted from the end as
/// upstream does; nothing where it is none of all its axes, which the analysis
/// reports.
std::optional<Axes> permutationOf(llvm::StringRef text) {
  text = text.trim(" \t");
  if (!text.consume_front("[") || !text.consume_back("]"))
    return std::nullopt;
  Axes axes;
  llvm::SmallVector<llvm::StringRef, 4> items;
  if (!text.trim(" \t").empty())
    text.split(items, ',');
  for (llvm::StringRef item : items) {
    int64_t axis;
    if (item.trim(" \t").getAsInteger(10, axis))
      return std::nullopt;
    axes.push_back(axis);
  }
  for (int64_t &axis : axes)
    if (axis < 0)
      axis += static_cast<int64_t>(axes.size());
  Axes seen = axes;
  llvm::sort(seen);
  for (size_t i = 0; i != seen.size(); ++i)
    if (seen[i] != static_cast<int64_t>(i))
      return std::nullopt;
  return axes;
}

std::string inverseOf(const Axes &axes) {
  Axes inverse(axes.size());
  for (size_t i = 0; i != axes.size(); ++i)
    inverse[axes[i]] = static_cast<int64_t>(i);
  std::string text = "[";
  for (int64_t axis : inverse)
    text += (text.size() == 1 ? "" : ", ") + std::to_string(axis);
  return text + "]";
}

class Turner {
public:
  Turner(ast::Script &script, bool keepsAll, DiagnosticSink &sink)
      : script(script), keepsAll(keepsAll), sink(sink) {}

  void run();

private:
  bool turn(ast::Statement &statement);
  bool turnAttribute(const ast::Statement &statement,
                     ast::Attribute &attribute);
  void checkBindings();
  void report(const DiagnosticKind &kind, const ast::Statement &statement,
              SourceRange range, std::string message,
              std::vector<Note> notes = {});

  ast::Script &script;
  bool keepsAll;
  DiagnosticSink &sink;
};

void Turner::report(const DiagnosticKind &kind, const ast::Statement &statement,
                    SourceRange range, std::string message,
                    std::vector<Note> notes) {
  for (Note &note : ast::expansionNotes(script, statement.expansion))
    notes.push_back(std::move(note));
  sink.report({.kind = &kind,
               .range = range.isKnown() ? range : statement.range,
               .message = std::move(message),
               .notes = std::move(notes)});
}

bool Turner::turnAttribute(const ast::Statement &statement,
                           ast::Attribute &attribute) {
  if (attribute.name == "dtype") {
    report(diag::IrreversibleCast, statement, attribute.range,
           "`dtype` alone does not say what the way back casts to; write "
           "`src_dtype` and `dst_dtype`");
    return false;
  }
  // The order of the pair stays, so the names do and the values change places.
  if (attribute.name == "permute")
    if (auto *text = std::get_if<ast::Text>(&attribute.value.data))
      if (auto axes = permutationOf(text->text); axes && !axes->empty())
        text->text = inverseOf(*axes);
  return true;
}

bool Turner::turn(ast::Statement &statement) {
  std::swap(statement.left, statement.right);
  statement.firstLateName = ~0u;
  ast::Attribute *from = nullptr, *to = nullptr;
  for (ast::Attribute &attribute : statement.attributes) {
    if (!turnAttribute(statement, attribute))
      return false;
    if (attribute.name == "src_dtype")
      from = &attribute;
    else if (attribute.name == "dst_dtype")
      to = &attribute;
  }
  if (from && to)
    std::swap(from->value, to->value);
  return true;
}

/// Whether a statement removes a tensor or declares one.
bool isRemoveOrAdd(const ast::Statement &statement) {
  auto isDiscard = [](const auto &names) {
    return names.size() == 1 && names.front().isDiscard();
  };
  return isDiscard(statement.left) || isDiscard(statement.right);
}

/// Finds names that are bound anew before anything read them.
void Turner::checkBindings() {
  struct Binding {
    const ast::Statement *statement;
    SourceRange range;
  };
  llvm::StringMap<Binding> unread;
  for (const ast::Statement &statement : script.statements) {
    if (isRemoveOrAdd(statement))
      continue;
    for (const ast::Name &name : statement.left)
      unread.erase(name.text);
    for (const ast::Name &name : statement.right) {
      SourceRange range = name.range.isKnown() ? name.range : statement.range;
      auto [old, isNew] = unread.try_emplace(name.text, &statement, range);
      if (isNew)
        continue;
      report(diag::ReversedFanOut, *old->second.statement, old->second.range,
             quoted(name.text) +
                 " is read by two statements: reversed both bind it, and the "
                 "tensor that the later one is made of would vanish; write "
                 "the way back by hand",
             {{range, "also read here"}});
      old->second = {&statement, range};
    }
  }
}

void Turner::run() {
  std::reverse(script.statements.begin(), script.statements.end());
  llvm::erase_if(script.statements,
                 [&](ast::Statement &statement) { return !turn(statement); });
  if (keepsAll)
    checkBindings();
  script.isReversed = false;
}

} // namespace

void turnRound(ast::Script &script, bool keepsAll, DiagnosticSink &sink) {
  Turner(script, keepsAll, sink).run();
}

} // namespace aoa::expand
