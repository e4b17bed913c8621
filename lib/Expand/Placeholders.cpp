//===- Placeholders.cpp - `$LAYER_ID` in names ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Placeholders.h"

#include "LinearForm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace aoa::expand {

static llvm::StringRef paddlePlaceholderAt(llvm::StringRef text,
                                           PlaceholderRule rule) {
  text = text.drop_front();
  switch (rule) {
  case PlaceholderRule::PaddleOffset:
    return text.starts_with(layerIdOffset) ? llvm::StringRef(layerIdOffset)
                                           : llvm::StringRef();
  case PlaceholderRule::PaddleId:
    for (llvm::StringRef name : {"LAYER_ID", "EXPERT_ID"})
      if (text.starts_with(name))
        return name;
    return {};
  }
  return {};
}

template <typename List, typename Name>
static unsigned numberOf(const Name &name, List &names) {
  auto *known = llvm::find(names, name);
  if (known == names.end()) {
    names.push_back(name);
    return names.size() - 1;
  }
  return known - names.begin();
}

static void addLiteral(NameTemplate &shape, llvm::StringRef literal) {
  if (!literal.empty())
    shape.parts.push_back({NameTemplate::Part::Literal, literal});
}

NameTemplate parseTemplate(llvm::StringRef text, PlaceholderRule rule,
                           PlaceholderNames &names) {
  NameTemplate result;
  size_t from = 0;
  while (true) {
    size_t at = text.find('$', from);
    if (at == llvm::StringRef::npos)
      break;
    llvm::StringRef name = paddlePlaceholderAt(text.substr(at), rule);
    if (name.empty()) {
      from = at + 1;
      continue;
    }
    addLiteral(result, text.take_front(at));
    result.parts.push_back(
        {NameTemplate::Part::Placeholder, {}, numberOf(name, names)});
    text = text.drop_front(at + 1 + name.size());
    from = 0;
  }
  addLiteral(result, text);
  return result;
}

static bool isCapital(char c) { return c >= 'A' && c <= 'Z'; }

/// Takes the placeholder that begins with the `$` that `text` begins with off
/// its front; nothing if that `$` is an ordinary character.
static std::optional<Placeholder> takePlaceholder(llvm::StringRef &text) {
  llvm::StringRef rest = text.drop_front();
  bool isRest = rest.consume_front("$");
  bool isDelimited = rest.consume_front("(");
  llvm::StringRef name = rest.take_while(
      [](char c) { return llvm::isDigit(c) || isCapital(c) || c == '_'; });
  name = name.rtrim('_');
  if (name.empty() || !isCapital(name.front()))
    return std::nullopt;
  rest = rest.drop_front(name.size());
  if (isDelimited && !rest.consume_front(")"))
    return std::nullopt;
  text = rest;
  return Placeholder{name, isRest};
}

std::optional<Placeholder> placeholderOf(llvm::StringRef text) {
  if (!text.starts_with("$"))
    return std::nullopt;
  std::optional<Placeholder> placeholder = takePlaceholder(text);
  return text.empty() ? placeholder : std::nullopt;
}

static NameTemplate::Part::Kind kindOf(const Placeholder &placeholder) {
  return placeholder.isRest       ? NameTemplate::Part::Rest
         : placeholder.isNumber() ? NameTemplate::Part::Placeholder
                                  : NameTemplate::Part::Word;
}

static void addBareText(NameTemplate &shape, llvm::StringRef text,
                        Placeholders &known) {
  size_t from = 0;
  while (true) {
    size_t at = text.find_first_of("$*", from);
    if (at == llvm::StringRef::npos)
      break;
    llvm::StringRef behind = text.drop_front(at);
    if (behind.consume_front("*")) {
      addLiteral(shape, text.take_front(at));
      shape.parts.push_back({NameTemplate::Part::Star});
    } else if (auto placeholder = takePlaceholder(behind)) {
      addLiteral(shape, text.take_front(at));
      shape.parts.push_back(
          {kindOf(*placeholder), {}, numberOf(*placeholder, known)});
    } else {
      from = at + 1;
      continue;
    }
    text = behind;
    from = 0;
  }
  addLiteral(shape, text);
}

/// What stands between the braces of `piece` in the text it is a piece of.
static llvm::StringRef writtenText(const Expr &text, const Expr &piece) {
  llvm::StringRef written = text.written;
  if (piece.range.begin < text.range.begin ||
      piece.range.end - text.range.begin > written.size())
    return written;
  return written.slice(piece.range.begin - text.range.begin,
                       piece.range.end - text.range.begin);
}

NameTemplate parseTemplate(const ast::Name &name, const ExprScope &scope,
                           Placeholders &known) {
  NameTemplate shape;
  auto addText = [&](llvm::StringRef text) {
    if (name.quoted)
      addLiteral(shape, text);
    else
      addBareText(shape, text, known);
  };
  if (!name.interpolation) {
    addText(name.text);
    return shape;
  }
  for (const Expr &piece : name.interpolation->operands) {
    if (piece.kind == Expr::Kind::Literal) {
      addText(piece.text);
      continue;
    }
    NameTemplate::Part part{NameTemplate::Part::Expression,
                            writtenText(*name.interpolation, piece)};
    part.expr = &piece;
    if (std::optional<LinearForm> form = linearForm(piece, scope)) {
      part.kind = NameTemplate::Part::Shifted;
      part.placeholder = numberOf(Placeholder{form->placeholder}, known);
      part.shift = form->shift;
    }
    shape.parts.push_back(part);
  }
  return shape;
}

} // namespace aoa::expand
