//===- TurnRound.cpp - Written statements from right to left --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "TurnRound.h"

#include "RestrictTemplate.h"
#include "TurnPattern.h"
#include "aoa/Expand/Expand.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::invert;

/// How often a text is guessed: with attributes as they are written, and as the
/// undoing statements have them.
static constexpr unsigned numGuesses = 2;

TurnRound::TurnRound(const ast::Script &script, const ast::Script &expanded,
                     const Forward &forward)
    : script(script), forward(forward), expanded(expanded) {
  for (const MacroInfo &macro : allMacros())
    if (!macro.form.empty() && llvm::all_of(macro.form, [](char c) {
          return llvm::isAlnum(c) || c == '_';
        }))
      tags.insert(macro.form);
  for (size_t i = 0; i != script.body.size(); ++i) {
    using Definition = std::shared_ptr<const ast::MacroDefinition>;
    if (const auto *macro = std::get_if<Definition>(&script.body[i].data))
      tags.insert((*macro)->tag);
    index(llvm::ArrayRef<ast::Item>(script.body[i]), i);
  }
  for (const ForwardStatement &statement : forward.statements) {
    const auto *found = find(*statement.written);
    items.push_back(found ? found->item : script.body.size());
  }
}

void TurnRound::index(llvm::ArrayRef<ast::Item> block, size_t item) {
  for (const ast::Item &each : block) {
    if (const auto *statement = std::get_if<ast::Statement>(&each.data)) {
      written.try_emplace(beginOf(statement->range), Place{statement, item});
    } else if (const auto *loop = std::get_if<ast::For>(&each.data)) {
      index(loop->body, item);
    } else if (const auto *choice = std::get_if<ast::If>(&each.data)) {
      for (const ast::If::Branch &branch : choice->branches)
        index(branch.body, item);
    }
  }
}

const TurnRound::Place *TurnRound::find(const ast::Statement &statement) const {
  auto around = [&](SourceRange range) -> const Place * {
    auto next = written.upper_bound(beginOf(range));
    if (!range.isKnown() || next == written.begin())
      return nullptr;
    const Place &place = std::prev(next)->second;
    const SourceRange &whole = place.statement->range;
    return whole.file == range.file && range.begin < whole.end ? &place
                                                               : nullptr;
  };
  const Place *found = around(statement.range);
  // A statement of a macro's body was made by a call, at the tag of this one.
  for (ast::ExpansionId id = statement.expansion; !found && !id.isNone();) {
    const ast::Expansion &step = expanded.expansions[id.index()];
    found = around(step.site);
    id = step.parent;
  }
  return found;
}

std::vector<std::pair<std::string, int64_t>>
TurnRound::placeholdersOf(size_t forwardStatement) const {
  std::vector<std::pair<std::string, int64_t>> found;
  forEachCapture(expanded, *forward.statements[forwardStatement].written,
                 [&](llvm::StringRef placeholder, llvm::StringRef text) {
                   int64_t number;
                   if (placeholder.ends_with("_ID") && placeholder != "$_ID" &&
                       !text.getAsInteger(10, number))
                     found.emplace_back(placeholder.drop_front(), number);
                 });
  return found;
}

std::vector<std::string> TurnRound::guess(size_t item,
                                          FlatStatements flat) const {
  ByStatement own;
  for (const FlatStatement *each : flat)
    if (const Place *place = find(*forward.statements[each->forward].written))
      own[place->statement].push_back(each);
  std::vector<std::string> guesses;
  for (unsigned i = 0; i != numGuesses; ++i)
    if (auto text = turn(script.body[item], i, own, ""))
      if (!llvm::is_contained(guesses, *text))
        guesses.push_back(std::move(*text));
  return guesses;
}

/// Adds the identifiers of `text`, and other words.
static void addWords(llvm::StringRef text, llvm::StringSet<> &words) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isPart);
    words.insert(word);
    text = text.drop_front(word.size()).drop_until(isPart);
  }
}

static std::string printLet(const ast::Let &let) {
  return "let " + let.variable + " = " + let.value->written + "\n";
}

std::optional<std::string>
TurnRound::turnBlock(llvm::ArrayRef<ast::Item> block, unsigned guess,
                     const ByStatement &flat, const std::string &indent) const {
  std::string text;
  for (const ast::Item &item : llvm::reverse(block)) {
    auto turned = turn(item, guess, flat, indent);
    if (!turned)
      return std::nullopt;
    text += *turned;
  }
  // What the statements need stands before them.
  llvm::StringSet<> needed;
  addWords(text, needed);
  for (const ast::Item &item : llvm::reverse(block))
    if (const auto *let = std::get_if<ast::Let>(&item.data);
        let && needed.contains(let->variable)) {
      text.insert(0, indent + printLet(*let));
      addWords(let->value->written, needed);
    }
  return text;
}

/// Whether a statement of `block` is undone.
bool TurnRound::undoesAny(llvm::ArrayRef<ast::Item> block,
                          const ByStatement &flat) {
  return llvm::any_of(block, [&](const ast::Item &item) {
    if (const auto *statement = std::get_if<ast::Statement>(&item.data))
      return flat.contains(statement);
    if (const auto *loop = std::get_if<ast::For>(&item.data))
      return undoesAny(loop->body, flat);
    const auto *choice = std::get_if<ast::If>(&item.data);
    return choice &&
           llvm::any_of(choice->branches, [&](const ast::If::Branch &branch) {
             return undoesAny(branch.body, flat);
           });
  });
}

std::optional<std::string> TurnRound::turn(const ast::Item &item,
                                           unsigned guess,
                                           const ByStatement &flat,
                                           const std::string &indent) const {
  if (const auto *statement = std::get_if<ast::Statement>(&item.data)) {
    auto own = flat.find(statement);
    if (own == flat.end())
      return "";
    auto turned = turnStatement(*statement, guess, own->second);
    if (!turned)
      return std::nullopt;
    return indent + ast::printStatement(*turned, ast::Dialect::Aoa) + "\n";
  }
  if (const auto *loop = std::get_if<ast::For>(&item.data)) {
    auto body = turnBlock(loop->body, guess, flat, indent + "  ");
    if (!body || body->empty())
      return body;
    return indent + "for " + loop->variable + " in " + loop->first->written +
           ".." + loop->last->written + " {\n" + *body + indent + "}\n";
  }
  if (const auto *choice = std::get_if<ast::If>(&item.data))
    return turnChoice(*choice, guess, flat, indent);
  return "";
}

std::optional<std::string>
TurnRound::turnChoice(const ast::If &choice, unsigned guess,
                      const ByStatement &flat,
                      const std::string &indent) const {
  std::string text;
  size_t end = 0; // Behind the last branch that undoes something.
  for (const ast::If::Branch &branch : choice.branches) {
    bool isTaken = undoesAny(branch.body, flat);
    if (indent.empty()) {
      // What was true on the way there is known: the branch alone stays.
      if (isTaken)
        return turnBlock(branch.body, guess, flat, indent);
      continue;
    }
    // Each turn of a loop chooses for itself.
    auto body = turnBlock(branch.body, guess, flat, indent + "  ");
    if (!body)
      return std::nullopt;
    text += text.empty() ? indent : " else ";
    if (branch.condition)
      text += "if " + branch.condition->written + " ";
    text += "{\n" + *body + indent + "}";
    if (isTaken)
      end = text.size();
  }
  return end == 0 ? "" : text.substr(0, end) + "\n";
}

std::optional<ast::Statement>
TurnRound::turnStatement(const ast::Statement &statement, unsigned guess,
                         FlatStatements flat) const {
  ast::Statement turned;
  // The parser takes words for names.
  for (const ast::Name &name : statement.right) {
    bool isWord = !turned.left.empty() && !name.quoted;
    if (isWord && tags.contains(name.text))
      turned.tags.push_back({name.text, {}});
    else if (isWord && name.text == "optional")
      turned.isOptional = true;
    else if (isWord && name.text == "copy")
      return std::nullopt;
    else
      turned.left.push_back(name);
  }
  turned.right = statement.left;
  turned.clauses = statement.clauses;
  if (script.isReversed) {
    // It says the way back itself.
    std::swap(turned.left, turned.right);
    turned.attributes = statement.attributes;
    return guess == 0 ? std::optional(turned) : std::nullopt;
  }
  bool isTransposed = false;
  if (statement.find("tie") || turned.tags.size() > 1 ||
      !turnNames(turned, isTransposed) ||
      !useAttributes(statement, turned, guess, isTransposed, flat))
    return std::nullopt;
  return turned;
}

/// Moves `^T` to the side that is read now. Returns whether the names can
/// change sides.
bool TurnRound::turnNames(ast::Statement &turned, bool &isTransposed) const {
  auto cannotMove = [](const ast::Name &name) {
    return name.maybe || name.isDiscard() ||
           (!name.quoted && llvm::StringRef(name.text).contains('*'));
  };
  if (llvm::any_of(turned.left, cannotMove) ||
      llvm::any_of(turned.right, cannotMove))
    return false;
  isTransposed = turned.right.front().transposed;
  for (ast::Name &name : turned.right) {
    if (name.transposed != isTransposed)
      return false;
    name.transposed = false;
  }
  if (isTransposed && turned.left.size() == 1)
    turned.left.front().transposed = true;
  return true;
}

/// Returns the different lists of attributes of `flat`, without those of
/// renames.
static llvm::SmallVector<const ast::Statement *, 2>
differentAttributes(FlatStatements flat) {
  llvm::SmallVector<const ast::Statement *, 2> different;
  llvm::StringSet<> seen;
  for (const FlatStatement *each : flat) {
    std::string text;
    for (const ast::Attribute &attribute : each->statement.attributes)
      text += attribute.name + "=" + ast::printValue(attribute.value) + ",";
    if (!text.empty() && seen.insert(text).second)
      different.push_back(&each->statement);
  }
  return different;
}

static bool isReversal(const ast::Attribute &attribute) {
  const auto *list = std::get_if<ast::List>(&attribute.value.data);
  return attribute.name == "permute" && list && list->empty();
}

/// The only attribute of `statement` called `name`, or null.
static const ast::Attribute *only(const ast::Statement &statement,
                                  llvm::StringRef name) {
  const ast::Attribute *found = nullptr;
  for (const ast::Attribute &attribute : statement.attributes)
    if (attribute.name == name) {
      if (found)
        return nullptr;
      found = &attribute;
    }
  return found;
}

bool TurnRound::useAttributes(const ast::Statement &statement,
                              ast::Statement &turned, unsigned guess,
                              bool isTransposed, FlatStatements flat) const {
  bool joins = turned.left.size() > 1;
  if (!turned.tags.empty()) {
    if (guess != 0)
      return false;
    turned.attributes = statement.attributes;
    if (!isTransposed)
      return true;
    if (joins)
      return false;
    return flipAxis(turned, flat);
  }
  llvm::SmallVector<const ast::Statement *, 2> different =
      differentAttributes(flat);
  for (const ast::Statement *each : different)
    for (const ast::Attribute &attribute : each->attributes)
      if (!isTransposed || !isReversal(attribute))
        turned.attributes.push_back(attribute);
  size_t numLists = llvm::count_if(different, [&](const auto *each) {
    return !isTransposed || !llvm::all_of(each->attributes, isReversal);
  });
  if (numLists > 1)
    return false;
  if (isTransposed && joins)
    turned.attributes.push_back(attribute("permute", ast::List{}));
  if (guess == 0) {
    for (llvm::StringRef name : {"axis", "groups", "block", "states"})
      if (const ast::Attribute *kept = only(statement, name))
        for (ast::Attribute &own : turned.attributes)
          if (own.name == name && only(turned, name))
            own.value = kept->value;
    if (const ir::Op *op = rearrangeOf(flat);
        op && only(statement, "rearrange") && only(turned, "rearrange"))
      keepPattern(statement, *op, turned);
  }
  bool cuts = turned.right.size() > 1;
  return !isTransposed || !cuts || flipAxis(turned, flat);
}

/// The only Rearrange of the statement that `flat` undoes first, or null.
const ir::Op *TurnRound::rearrangeOf(FlatStatements flat) const {
  const ir::Op *found = nullptr;
  for (const Step &step : forward.statements[flat.front()->forward].steps)
    if (step.kind == ir::OpKind::Rearrange) {
      if (found)
        return nullptr;
      found = &forward.program.op(step.op);
    }
  return found;
}

/// The axis of a cut, counted in the tensor with its axes reversed.
bool TurnRound::flipAxis(ast::Statement &turned, FlatStatements flat) const {
  for (ast::Attribute &attribute : turned.attributes) {
    if (attribute.name != "axis")
      continue;
    const auto *axis = std::get_if<int64_t>(&attribute.value.data);
    if (!axis || flat.empty() || flat.front()->reads.empty())
      return false;
    auto rank = static_cast<int64_t>(
        forward.program.value(flat.front()->reads.front()).shape.size());
    // Macros may call other numbers so.
    if (*axis >= -rank && *axis < rank)
      attribute.value.data = *axis < 0 ? -1 - *axis : rank - 1 - *axis;
    return true;
  }
  return turned.tags.empty();
}

std::vector<TurnRound::Definition>
TurnRound::definitionsFor(llvm::StringRef text,
                          const std::set<size_t> &broken) const {
  llvm::StringSet<> needed;
  addWords(text, needed);
  // What a definition needs stands before it.
  std::vector<Definition> found;
  for (size_t i = script.body.size(); i-- != 0;) {
    using Macro = std::shared_ptr<const ast::MacroDefinition>;
    std::string written;
    if (const auto *let = std::get_if<ast::Let>(&script.body[i].data)) {
      if (needed.contains(let->variable))
        written = printLet(*let);
    } else if (const auto *macro = std::get_if<Macro>(&script.body[i].data)) {
      if (needed.contains((*macro)->tag))
        written = (*macro)->written + "\n";
    }
    if (written.empty() || broken.count(i) != 0)
      continue;
    addWords(written, needed);
    found.push_back({i, std::move(written)});
  }
  std::reverse(found.begin(), found.end());
  return found;
}
