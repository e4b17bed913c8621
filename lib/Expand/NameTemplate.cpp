//===- NameTemplate.cpp - A name with holes for numbers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "NameTemplate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

bool NameTemplate::has(unsigned placeholder) const {
  return llvm::any_of(parts, [&](const Part &part) {
    return part.kind == Part::Placeholder && part.placeholder == placeholder;
  });
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
    llvm::StringRef &known = ids[part.placeholder];
    if (!known.empty() && known != id)
      return false;
    known = id;
  }
  return name.empty();
}

std::string NameTemplate::fill(llvm::ArrayRef<std::string> ids) const {
  std::string name;
  for (const Part &part : parts)
    switch (part.kind) {
    case Part::Literal:
      name += part.text;
      break;
    case Part::Placeholder:
      name += ids[part.placeholder];
      break;
    case Part::Star:
      name += '*';
      break;
    }
  return name + suffix;
}

} // namespace aoa::expand
