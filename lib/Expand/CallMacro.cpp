//===- CallMacro.cpp - A statement with a tag, run ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The parameters stand for the names of the statement, the attributes for its
// values; `%name` is a temporary that no other call has. What the body makes of
// a built-in macro is given out when it is through: parts that only a right
// name `_` would have got are thrown away where they are cut.
//===----------------------------------------------------------------------===//
#include "OptimizerStates.h"
#include "Runner.h"
#include "Temporaries.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"

#include <utility>

namespace aoa::expand {

static constexpr unsigned maxCalls = 100;

static std::string formOf(size_t numLeft, size_t numRight) {
  return std::to_string(numLeft) + " to " + std::to_string(numRight);
}

const KnownMacro *Runner::macroOf(const ast::Statement &site) {
  const ast::Tag &tag = site.tags.front();
  if (const KnownMacro *macro =
          expander.macros.find(tag.text, site.left.size(), site.right.size())) {
    if (!frame || macro->isBuiltIn || macro->number < frame->macro.number)
      return macro;
    expander.report(diag::MacroBeforeDefinition, site, tag.range,
                    "the macro " + quoted(tag.text) + " of " +
                        formOf(site.left.size(), site.right.size()) +
                        " names is used before it is defined",
                    {{macro->definition->tagRange, "defined here"}});
    return nullptr;
  }
  std::string forms;
  std::vector<Note> notes;
  const MacroTable::Overloads &all = expander.macros.overloads(tag.text);
  for (size_t i = 0; i < all.size(); ++i) {
    const ast::MacroDefinition &macro = *all[i]->definition;
    std::string form = formOf(macro.left.size(), macro.right.size());
    forms += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + form;
    if (!all[i]->isBuiltIn)
      notes.push_back({macro.tagRange, "defined for " + form + " names here"});
  }
  WordHint hint = wordHint(expander, site);
  if (hint.text.empty() && site.left.size() == 1 && site.right.size() == 1)
    hint.text = "; `" + site.left.front().text + " -> " +
                site.right.front().text +
                "` without it leaves the elements as they are";
  expander.report(diag::MacroArity, site, tag.range,
                  quoted(tag.text) + " is given " +
                      formOf(site.left.size(), site.right.size()) +
                      " names, expected " + forms + hint.text,
                  std::move(notes), hint.fixIts);
  return nullptr;
}

bool Runner::checkSite(const ast::Statement &site, const KnownMacro &macro) {
  const ast::Tag &tag = site.tags.front();
  auto refuse = [&](const DiagnosticKind &kind, SourceRange range,
                    std::string message) {
    expander.report(kind, site, range, std::move(message));
    return false;
  };
  if (site.copies)
    return refuse(diag::MacroAttribute, tag.range,
                  "`copy` cannot stand with " + quoted(tag.text) +
                      "; write it as a statement of its own");
  if (expander.isPaddle())
    for (const ast::Name &name :
         llvm::concat<const ast::Name>(site.left, site.right))
      if (modelName(name.text) != name.text)
        return refuse(diag::OptimizerStateInMacro, name.range,
                      quoted(name.text) +
                          " names an optimizer state, which follow their "
                          "tensor by themselves: write " +
                          quoted(modelName(name.text)));
  auto isDiscard = [&](const ast::Name &name) {
    return name.isDiscard() && !expander.isPaddle();
  };
  if (llvm::any_of(site.left, isDiscard) ||
      (site.right.size() == 1 && isDiscard(site.right.front())))
    return refuse(diag::MacroArity, tag.range,
                  quoted(tag.text) + " cannot act on `_`");
  // The body may read the one parameter for the other: no value is lost then,
  // and still the name has but one.
  llvm::StringSet<> bound;
  for (const ast::Name &name : site.right)
    if (!macro.isBuiltIn && !name.isDiscard() &&
        !bound.insert(name.text).second)
      return refuse(diag::MacroArity, name.range,
                    quoted(tag.text) + " would bind " + quoted(name.text) +
                        " twice, expected right names that differ");
  if (macro.isFaulty)
    return false; // Which has been reported.
  unsigned numCallers = 0;
  for (const Frame *each = frame; each; each = each->caller)
    ++numCallers;
  return numCallers < maxCalls ||
         refuse(diag::CallDepth, tag.range,
                "calls are nested more than " + std::to_string(maxCalls) +
                    " deep");
}

std::optional<Constant>
Runner::attributeValue(const ast::Attribute &attribute) {
  struct Converter {
    Constant operator()(int64_t number) const { return {number}; }
    Constant operator()(double number) const { return {number}; }
    Constant operator()(const ast::Word &word) const { return {word.text}; }
    Constant operator()(const ast::Text &text) const { return {text.text}; }
    Constant operator()(const ast::List &list) const {
      std::vector<Constant> entries;
      for (const ast::Value &entry : list)
        entries.push_back(std::visit(*this, entry.data));
      return {std::move(entries)};
    }
    // All other expressions have become values.
    Constant operator()(const ast::ExprRef &expr) const {
      return {expr->integer != 0};
    }
  };
  return std::visit(Converter(), attribute.value.data);
}

std::optional<Constant>
Runner::defaultOf(const ast::MacroDefinition::AttributeParameter &attribute) {
  const Expr &value = *attribute.fallback;
  if (value.kind == Expr::Kind::Variable &&
      isWordValue(attribute.name, value.text))
    return Constant{value.text};
  return valueOf(value);
}

bool Runner::bindAttributes(const ast::Statement &site,
                            const KnownMacro &macro) {
  const ast::MacroDefinition &definition = *macro.definition;
  const ast::Tag &tag = site.tags.front();
  auto refuse = [&](SourceRange range, std::string message) {
    expander.report(diag::MacroAttribute, site, range, std::move(message));
    return false;
  };
  llvm::StringSet<> seen;
  for (const ast::Attribute &attribute : site.attributes) {
    auto isIt = [&](const auto &known) { return known.name == attribute.name; };
    if (llvm::none_of(definition.attributes, isIt)) {
      // Upstream reads no heads for fused_ffn and takes no notice of them.
      if (expander.isPaddle() && (attribute.name == "num_heads" ||
                                  attribute.name == "num_key_value_groups"))
        continue;
      std::vector<std::string> names;
      for (const auto &known : definition.attributes)
        names.push_back(known.name);
      std::string hint = nearestName(attribute.name, names).hint();
      return refuse(
          attribute.range,
          quoted(attribute.name) + " cannot stand with " + quoted(tag.text) +
              (hint.empty() ? "; write it as a statement of its own" : hint));
    }
    if (!seen.insert(attribute.name).second)
      return refuse(attribute.range, quoted(attribute.name) + " stands twice");
  }
  for (const auto &attribute : definition.attributes) {
    const ast::Attribute *given = site.find(attribute.name);
    if (!given && !attribute.fallback)
      return refuse(tag.range,
                    quoted(tag.text) + " needs " + quoted(attribute.name));
    std::optional<Constant> value =
        given ? attributeValue(*given) : defaultOf(attribute);
    if (!value || !expander.takeValue(site, *value))
      return false;
    if (given && macro.isBuiltIn &&
        !std::holds_alternative<int64_t>(value->data))
      return refuse(given->value.range, quoted(attribute.name) + " is " +
                                            ast::printValue(given->value) +
                                            ", expected a whole number");
    expander.variables.push(
        {attribute.name, std::move(*value), attribute.range});
  }
  return true;
}

void Runner::bindParameters(Frame &callee) {
  const ast::MacroDefinition &definition = *callee.macro.definition;
  for (auto [parameter, name] :
       llvm::zip_equal(definition.left, callee.site.left))
    expander.variables.push(
        {parameter.name, Constant{name.text}, parameter.range, &name});
  unsigned number = 0;
  for (auto [parameter, name] :
       llvm::zip_equal(definition.right, callee.site.right))
    expander.variables.push({parameter.name, Constant{name.text},
                             parameter.range, &name, number++});
  if (callee.macro.isBuiltIn)
    expander.variables.push({"is_paddle", Constant{expander.isPaddle()}, {}});
}

bool Runner::putArgumentsAside(ast::Statement &site) {
  llvm::StringMap<ast::Name> aside;
  for (ast::Name &name : site.left) {
    if (llvm::none_of(site.right, [&](const ast::Name &right) {
          return right.text == name.text;
        }))
      continue;
    auto [known, isNew] = aside.try_emplace(name.text);
    if (isNew) {
      known->second.text = expander.temporaryNames.fresh(name.text);
      known->second.range = name.range;
      ast::Statement rename = makeStatement(site, site.expansion);
      rename.left.push_back(name);
      rename.left.front().transposed = false;
      rename.right.push_back(known->second);
      if (!expander.takeStatements(site, 1) || !emit(std::move(rename)))
        return false;
    }
    bool transposed = name.transposed;
    name = known->second;
    name.transposed = transposed;
  }
  return true;
}

void Runner::nameDiscards(ast::Statement &site) {
  for (ast::Name &name : site.right)
    if (name.isDiscard()) {
      name.text = expander.temporaryNames.fresh(name.text);
      name.quoted = false;
    }
}

bool Runner::checkParametersBound(const Frame &callee) {
  const ast::MacroDefinition &definition = *callee.macro.definition;
  for (size_t i = 0; i < definition.right.size(); ++i)
    if (!callee.bound[i]) {
      expander.report(diag::UnboundParameter, callee.site, callee.range(),
                      quoted(definition.tag) + " does not bind its " +
                          quoted(definition.right[i].name) + ", which is " +
                          quoted(callee.site.right[i].text) + " here",
                      {{definition.right[i].range, "declared here"}});
      return false;
    }
  return true;
}

bool Runner::call(ast::Statement site, const KnownMacro &macro) {
  if (!checkSite(site, macro))
    return false;
  if (!macro.isBuiltIn) {
    if (!putArgumentsAside(site))
      return false;
    nameDiscards(site);
  }
  Frame callee{macro, std::move(site)};
  callee.caller = frame;
  callee.number = numCalls++;
  callee.bound.resize(macro.definition->right.size());
  if (macro.isBuiltIn) // Statements are copied when a vector of them grows.
    callee.made.reserve(macro.body.size());
  const ast::Tag &tag = callee.site.tags.front();
  callee.expansion = expander.result.addExpansion(
      {callee.site.expansion, tag.text, tag.range, ""});
  std::optional<SourceRange> outerSite = expander.builtInSite;
  if (macro.isBuiltIn && !outerSite)
    expander.builtInSite = tag.range;
  Variables::Body body(expander.variables, macro.numGlobals);
  Frame *caller = std::exchange(frame, &callee);
  auto leave = llvm::make_scope_exit([&] {
    frame = caller;
    expander.builtInSite = outerSite;
  });
  bindParameters(callee);
  auto bindsAttributes = [&] {
    // The attributes' places are the caller's.
    llvm::SaveAndRestore<std::optional<SourceRange>> outside(
        expander.builtInSite, outerSite);
    return bindAttributes(callee.site, macro);
  };
  if (!bindsAttributes() || !runBlock(macro.body) ||
      !checkParametersBound(callee))
    return false;
  return !macro.isBuiltIn || giveOutBuiltIn(callee);
}

bool Runner::giveOutBuiltIn(Frame &callee) {
  frame = callee.caller;
  expander.builtInSite.reset();
  llvm::StringSet<> thrownAway;
  if (!expander.isPaddle())
    for (ast::Statement &statement : llvm::reverse(callee.made)) {
      for (ast::Name &right : statement.right)
        if (thrownAway.contains(right.text)) {
          right.text = "_";
          right.quoted = false;
        }
      if (statement.right.size() == 1 && statement.right.front().isDiscard()) {
        for (const ast::Name &left : statement.left)
          thrownAway.insert(left.text);
        statement.left.clear();
      }
    }
  for (ast::Statement &statement : callee.made) {
    if (statement.left.empty())
      continue;
    if (shapesOnly)
      shapesOnly->take(statement);
    else if (!emit(std::move(statement)))
      return false;
  }
  return true;
}

// ---- The names of a body

void Runner::beginSide(bool isRight) {
  if (frame)
    frame->readsSide = !isRight;
}

bool Runner::resolve(const ast::Statement &statement, ast::Name &name,
                     NameSource source) {
  bool isTemporary =
      !name.quoted && llvm::StringRef(name.text).starts_with("%");
  if (!isTemporary) {
    if (expander.temporaryNames.isTemporary(name.text)) {
      expander.report(diag::ExpressionFault, statement, name.range,
                      "the name is " + quoted(name.text) +
                          " once its values are put in, which reads as a "
                          "temporary");
      return false;
    }
    return !frame || !source.isWritten || name.quoted || resolveParameter(name);
  }
  if (frame) {
    const ast::Name &made = temporaryOf(statement, name.text, source.element);
    name.text = made.text;
    name.quoted = made.quoted;
    if (frame->macro.isBuiltIn)
      name.range = frame->site.left.front().range;
    return true;
  }
  expander.temporaryNames.separate(name);
  if (source.element)
    name.text += expander.temporaryNames.elementSuffix(name, *source.element);
  return true;
}

bool Runner::resolveParameter(ast::Name &name) {
  const Variables::Variable *known = expander.variables.find(name.text);
  if (!known || !known->tensor)
    return true;
  if (known->right)
    (frame->readsSide ? frame->readsRight : frame->binds)
        .push_back(*known->right);
  name.text = known->tensor->text;
  name.quoted = known->tensor->quoted;
  name.transposed = name.transposed != known->tensor->transposed;
  if (frame->macro.isBuiltIn)
    name.range = known->tensor->range;
  return true;
}

/// Whether `name` may stand bare as a temporary's.
static bool isPlain(llvm::StringRef name) {
  return ast::isBareName(name, ast::Dialect::Aoa) && !name.contains('^') &&
         name.find_first_of("$*") == llvm::StringRef::npos;
}

const ast::Name &Runner::temporaryOf(const ast::Statement &statement,
                                     const std::string &name,
                                     std::optional<int64_t> element) {
  // A name begins with `%` and holds what the caller's tensors are called, so
  // an index behind it could be a part of it: `%${q}` where q is `a[0]`.
  llvm::SmallString<64> key;
  if (element)
    llvm::Twine(*element).toVector(key);
  key += name;
  auto [it, isNew] = frame->temporaries.try_emplace(key);
  ast::Name &known = it->second;
  if (!isNew)
    return known;
  ast::Name made;
  if (frame->macro.isBuiltIn && !shapesOnly) {
    made = expander.temporaries->make(
        statement, name.substr(1) + (element ? std::to_string(*element) : ""),
        frame->site.left.front());
  } else if (element) {
    made = temporaryOf(statement, name, std::nullopt);
    made.text += expander.temporaryNames.elementSuffix(made, *element);
  } else {
    made.text = name;
    expander.temporaryNames.separate(made);
    if (!isPlain(name))
      made.text =
          expander.temporaryNames.fresh(llvm::StringRef(name).drop_front());
    made.text = expander.temporaryNames.ofCall(made.text, frame->number);
  }
  return known = std::move(made);
}

} // namespace aoa::expand
