//===- NameIndex.cpp - Names by what they look like -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "NameIndex.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/StringExtras.h"

namespace aoa::expand {

std::string signatureOf(llvm::StringRef name) {
  std::string signature;
  signature.reserve(name.size());
  bool inNumber = false;
  for (char c : name) {
    bool digit = llvm::isDigit(c);
    if (!digit)
      signature += c;
    else if (!inNumber)
      signature += '#';
    inNumber = digit;
  }
  return signature;
}

void NameIndex::add(llvm::StringRef name) {
  auto [entry, isNew] = live.try_emplace(name, true);
  entry->second = true;
  if (!isNew)
    return;
  auto [bucket, isNewSignature] = bySignature.try_emplace(signatureOf(name));
  bucket->second.push_back(&*entry);
  if (isNewSignature)
    signatures.push_back(bucket->first());
}

void NameIndex::remove(llvm::StringRef name) {
  if (auto entry = live.find(name); entry != live.end())
    entry->second = false;
}

bool NameIndex::contains(llvm::StringRef name) const {
  auto entry = live.find(name);
  return entry != live.end() && entry->second;
}

std::vector<llvm::StringRef>
NameIndex::withSignature(llvm::StringRef signature) const {
  std::vector<llvm::StringRef> names;
  auto bucket = bySignature.find(signature);
  if (bucket == bySignature.end())
    return names;
  names.reserve(bucket->second.size());
  for (const llvm::StringMapEntry<bool> *entry : bucket->second)
    if (entry->second)
      names.push_back(entry->first());
  return names;
}

llvm::StringRef NameIndex::nearest(llvm::StringRef signature) const {
  std::optional<std::string> best = nearestName(signature, signatures).best();
  if (!best)
    return {};
  for (const llvm::StringMapEntry<bool> *entry : bySignature.at(*best))
    if (entry->second)
      return entry->first();
  return {};
}

} // namespace aoa::expand
