//===- Placeholders.cpp - `$LAYER_ID` in names ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Placeholders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace aoa::expand {

/// Returns the placeholder that begins behind the `$` that `text` begins with;
/// empty if that `$` is an ordinary character.
static llvm::StringRef placeholderAt(llvm::StringRef text,
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
  case PlaceholderRule::Aoa: {
    llvm::StringRef run = text.take_while([](char c) {
      return llvm::isDigit(c) || (c >= 'A' && c <= 'Z') || c == '_';
    });
    run = run.rtrim('_');
    bool isName = !run.empty() && run.front() >= 'A' && run.front() <= 'Z';
    return isName ? run : llvm::StringRef();
  }
  }
  return {};
}

static bool isNumber(llvm::StringRef placeholder) {
  return placeholder.ends_with("_ID") || placeholder == layerIdOffset;
}

static unsigned numberOf(llvm::StringRef name, PlaceholderNames &names) {
  auto *known = llvm::find(names, name);
  if (known == names.end()) {
    names.push_back(name);
    return names.size() - 1;
  }
  return known - names.begin();
}

NameTemplate parseTemplate(llvm::StringRef text, PlaceholderRule rule,
                           PlaceholderNames &names) {
  NameTemplate result;
  auto addLiteral = [&](llvm::StringRef literal) {
    if (!literal.empty())
      result.parts.push_back({NameTemplate::Part::Literal, literal});
  };
  bool stars = rule == PlaceholderRule::Aoa;
  size_t from = 0;
  while (true) {
    size_t at = text.find_first_of(stars ? "$*" : "$", from);
    if (at == llvm::StringRef::npos)
      break;
    size_t end = at + 1;
    if (text[at] == '*') {
      addLiteral(text.take_front(at));
      result.parts.push_back({NameTemplate::Part::Star, {}});
    } else {
      llvm::StringRef name = placeholderAt(text.substr(at), rule);
      if (name.empty() || !(isNumber(name))) {
        from = end;
        continue;
      }
      addLiteral(text.take_front(at));
      result.parts.push_back(
          {NameTemplate::Part::Placeholder, {}, numberOf(name, names)});
      end += name.size();
    }
    text = text.drop_front(end);
    from = 0;
  }
  addLiteral(text);
  return result;
}

llvm::StringRef unknownPlaceholder(llvm::StringRef text) {
  for (size_t at = text.find('$'); at != llvm::StringRef::npos;
       at = text.find('$', at + 1)) {
    llvm::StringRef rest = text.substr(at);
    if (rest.starts_with("$$") || rest.starts_with("$("))
      return rest.take_until([](char c) { return c == '.'; });
    llvm::StringRef name = placeholderAt(rest, PlaceholderRule::Aoa);
    if (!name.empty() && !isNumber(name))
      return rest.take_front(name.size() + 1);
  }
  return {};
}

} // namespace aoa::expand
