//===- NameTable.cpp - What names stand for, in order -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "NameTable.h"

using namespace aoa;
using namespace aoa::sema;

NameTable::NameTable(const ast::Script &script, const Catalog &source)
    : sources(source.tensors.size()), script(script), source(source),
      sourceIndex(source.tensors.size() * 2) {
  for (size_t i = 0; i != source.tensors.size(); ++i)
    sourceIndex[source.tensors[i].name] = i;
}

std::string NameTable::keyOf(llvm::StringRef tensorName) {
  // A NUL cannot stand in a name that the analysis lets through.
  return tensorName.starts_with("%") ? std::string(1, '\0') + tensorName.str()
                                     : tensorName.str();
}

std::string NameTable::keyOf(const ast::Name &name) {
  return name.quoted ? keyOf(llvm::StringRef(name.text)) : name.text;
}

llvm::StringRef NameTable::nameOfKey(llvm::StringRef key) {
  return key.starts_with(llvm::StringRef("\0%", 2)) ? key.drop_front() : key;
}

Meaning *NameTable::findBound(llvm::StringRef key) {
  auto it = bound.find(key);
  return it == bound.end() ? nullptr : &it->second;
}

Meaning *NameTable::findSource(llvm::StringRef tensorName) {
  auto it = sourceIndex.find(tensorName);
  return it == sourceIndex.end() ? nullptr : &sources[it->second];
}

Meaning *NameTable::find(const ast::Name &name) {
  std::string key = keyOf(name);
  if (Meaning *meaning = findBound(key))
    return meaning;
  return isTemporary(key) ? nullptr : findSource(name.text);
}

void NameTable::bind(llvm::StringRef key, Meaning meaning) {
  auto [it, isNew] = bound.try_emplace(key);
  it->second = meaning;
  if (isNew)
    boundKeys.push_back(it->first());
}

NearestName NameTable::nearest(llvm::StringRef wanted) {
  NearestName nearest{std::string_view(wanted)};
  comparisonsLeft -= boundKeys.size() + source.tensors.size();
  if (comparisonsLeft < 0)
    return nearest;
  for (llvm::StringRef key : boundKeys)
    if (!isTemporary(key))
      nearest.consider(nameOfKey(key));
  for (const Tensor &tensor : source.tensors)
    nearest.consider(tensor.name);
  return nearest;
}

const ast::Name *NameTable::findLaterBinding(const ast::Name &name) {
  // All names bound so far are known, so the first binding of an unknown name
  // comes later.
  if (!allBindings) {
    allBindings.emplace();
    for (const ast::Statement &statement : script.statements)
      for (const ast::Name &right : statement.right)
        if (!right.isDiscard())
          allBindings->try_emplace(keyOf(right), &right);
  }
  auto it = allBindings->find(keyOf(name));
  return it == allBindings->end() ? nullptr : it->second;
}
