//===- NameTemplate.cpp - A name with holes for numbers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "NameTemplate.h"

#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>
#include <utility>

namespace aoa::expand {

llvm::StringRef canonicalId(llvm::StringRef id) {
  llvm::StringRef digits = id.ltrim('0');
  return digits.empty() ? id.take_back(1) : digits;
}

int compareIds(llvm::StringRef a, llvm::StringRef b) {
  a = canonicalId(a);
  b = canonicalId(b);
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::optional<std::string> previousId(llvm::StringRef id) {
  if (canonicalId(id) == "0")
    return std::nullopt;
  std::string digits = id.str();
  size_t i = digits.size();
  while (digits[--i] == '0')
    digits[i] = '9';
  --digits[i];
  // 10 becomes 9, but 010 becomes 009.
  return id.front() == '0' ? digits : canonicalId(digits).str();
}

std::optional<std::string> shiftedId(llvm::StringRef id, const IdShift &shift) {
  int64_t number = 0;
  if (canonicalId(id).size() > 18 || id.getAsInteger(10, number))
    return std::nullopt;
  std::optional<int64_t> shifted = shift.negated
                                       ? checkedSub(shift.offset, number)
                                       : checkedAdd(shift.offset, number);
  if (!shifted)
    return std::nullopt;
  std::string digits = std::to_string(*shifted);
  bool isWide = id.size() > 1 && id.front() == '0';
  if (isWide && digits.size() < id.size())
    digits.insert(0, id.size() - digits.size(), '0');
  return digits;
}

bool NameTemplate::has(unsigned placeholder) const {
  return llvm::any_of(parts, [&](const Part &part) {
    switch (part.kind) {
    case Part::Placeholder:
    case Part::Shifted:
    case Part::Word:
    case Part::Rest:
      return part.placeholder == placeholder;
    case Part::Literal:
    case Part::Star:
    case Part::Expression:
      return false;
    }
    return false;
  });
}

bool NameTemplate::hasExpression() const {
  return llvm::any_of(
      parts, [](const Part &part) { return part.kind == Part::Expression; });
}

bool NameTemplate::hasText() const {
  return llvm::any_of(parts, [](const Part &part) {
    return part.kind == Part::Word || part.kind == Part::Rest;
  });
}

bool NameTemplate::beginsWith(llvm::StringRef prefix) const {
  return !parts.empty() && parts.front().kind == Part::Literal &&
         parts.front().text.starts_with(prefix);
}

bool NameTemplate::hasStar() const {
  return llvm::any_of(parts,
                      [](const Part &part) { return part.kind == Part::Star; });
}

std::string NameTemplate::signature() const {
  // Any digit does: only that a number stands here counts.
  std::string example;
  for (const Part &part : parts)
    example += part.kind == Part::Literal ? part.text : "0";
  return signatureOf(example + suffix);
}

bool NameTemplate::match(llvm::StringRef name,
                         llvm::MutableArrayRef<llvm::StringRef> ids,
                         llvm::StringRef *star) const {
  if (!name.consume_back(suffix))
    return false;
  for (llvm::StringRef &id : ids)
    id = {};
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part &part = parts[i];
    if (part.kind == Part::Literal) {
      if (!name.consume_front(part.text))
        return false;
      continue;
    }
    llvm::StringRef id = name.take_while(llvm::isDigit);
    // Digits that follow the placeholder in the template are not the id's.
    if (i + 1 < parts.size() && parts[i + 1].kind == Part::Literal)
      id.consume_back(parts[i + 1].text.take_while(llvm::isDigit));
    if (id.empty())
      return false;
    name = name.drop_front(id.size());
    if (part.kind == Part::Star) {
      if (star)
        *star = id;
      continue;
    }
    assert(part.kind == Part::Placeholder && "MatchText.h matches the others");
    llvm::StringRef &known = ids[part.placeholder];
    if (!known.empty() && known != id)
      return false;
    known = id;
  }
  return name.empty();
}

std::string NameTemplate::fill(
    llvm::ArrayRef<std::string> ids,
    llvm::function_ref<std::string(const Part &)> valueOf) const {
  std::string name;
  bool endsWithDot = false; // A dot of the template, not of a value.
  bool skipsDot = false;
  auto isDotBehind = [&](size_t i) {
    return i + 1 < parts.size() && parts[i + 1].kind == Part::Literal &&
           parts[i + 1].text.starts_with(".");
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part &part = parts[i];
    bool endedWithDot = std::exchange(endsWithDot, false);
    switch (part.kind) {
    case Part::Literal: {
      llvm::StringRef text = part.text.drop_front(skipsDot);
      skipsDot = false;
      endsWithDot = text.empty() ? endedWithDot : text.ends_with(".");
      name += text;
      break;
    }
    case Part::Rest:
      if (!ids[part.placeholder].empty())
        name += ids[part.placeholder];
      else if (endedWithDot)
        name.pop_back();
      else
        skipsDot = isDotBehind(i);
      break;
    case Part::Placeholder:
    case Part::Word:
      name += ids[part.placeholder];
      break;
    case Part::Shifted:
    case Part::Expression:
      name += valueOf ? valueOf(part) : "${" + part.text.str() + "}";
      break;
    case Part::Star:
      name += '*';
      break;
    }
  }
  return name + suffix;
}

} // namespace aoa::expand
