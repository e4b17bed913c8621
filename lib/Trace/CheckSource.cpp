//===- CheckSource.cpp - Is the source still the plan's? ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/JoinPath.h"
#include "aoa/Trace/Places.h"

#include <unordered_map>

using namespace aoa;

Expected<void> trace::checkSource(const TransferPlan &plan,
                                  const Catalog &source) {
  std::unordered_map<std::string_view, const Storage *> storages;
  for (const Storage &storage : source.storages)
    storages.emplace(storage.file, &storage);
  for (const PlanSource &read : plan.sources) {
    if (read.file.empty())
      continue;
    std::string path = joinPath(source.root, read.file);
    auto found = storages.find(read.file);
    if (found == storages.end())
      return fail(ErrorKind::Mismatch, "the source has no file `" + path +
                                           "`, which the plan reads");
    const Storage &storage = *found->second;
    if (storage.bytes != read.bytes)
      return fail(ErrorKind::Mismatch,
                  "`" + path +
                      "` has changed since the plan was made: it has " +
                      std::to_string(storage.bytes) + " bytes, expected " +
                      std::to_string(read.bytes));
    if (storage.fingerprint != read.fingerprint)
      return fail(ErrorKind::Mismatch,
                  "`" + path +
                      "` has changed since the plan was made: its header is "
                      "another one");
  }
  return {};
}
