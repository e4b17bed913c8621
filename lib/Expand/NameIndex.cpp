//===- NameIndex.cpp - Names by what they look like -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "NameIndex.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
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
  auto [entry, isNew] = names.try_emplace(name);
  State &state = entry->second;
  state.isLive = true;
  state.isRead = false;
  if (isNew || !state.isListed)
    unreadNames.push_back(&*entry);
  state.isListed = true;
  if (!isNew)
    return;
  auto [bucket, isNewSignature] = bySignature.try_emplace(signatureOf(name));
  bucket->second.push_back(&*entry);
  if (isNewSignature)
    signatures.push_back(bucket->first());
}

void NameIndex::remove(llvm::StringRef name) {
  if (auto entry = names.find(name); entry != names.end())
    entry->second.isLive = false;
}

void NameIndex::markRead(llvm::StringRef name) {
  if (auto entry = names.find(name); entry != names.end())
    entry->second.isRead = true;
}

bool NameIndex::contains(llvm::StringRef name) const {
  auto entry = names.find(name);
  return entry != names.end() && entry->second.isLive;
}

std::vector<llvm::StringRef> NameIndex::unread() {
  llvm::erase_if(unreadNames, [](Entry *entry) {
    State &state = entry->second;
    state.isListed = state.isLive && !state.isRead;
    return !state.isListed;
  });
  std::vector<llvm::StringRef> result;
  result.reserve(unreadNames.size());
  for (const Entry *entry : unreadNames)
    result.push_back(entry->first());
  return result;
}

std::vector<llvm::StringRef>
NameIndex::withSignature(llvm::StringRef signature) const {
  std::vector<llvm::StringRef> result;
  auto bucket = bySignature.find(signature);
  if (bucket == bySignature.end())
    return result;
  result.reserve(bucket->second.size());
  for (const Entry *entry : bucket->second)
    if (entry->second.isLive)
      result.push_back(entry->first());
  return result;
}

llvm::StringRef NameIndex::nearest(llvm::StringRef signature) const {
  std::optional<std::string> best = nearestName(signature, signatures).best();
  if (!best)
    return {};
  for (const Entry *entry : bySignature.at(*best))
    if (entry->second.isLive)
      return entry->first();
  return {};
}

} // namespace aoa::expand
