//===- SourceFiles.cpp - The files a plan reads -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SourceFiles.h"

#include "aoa/Formats/Safetensors/Header.h"
#include "aoa/Support/JoinPath.h"

#include <algorithm>
#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>

namespace aoa {

namespace {

std::unexpected<Error> failStale(const std::string &path, int64_t found,
                                 int64_t expected) {
  return fail(ErrorKind::Mismatch,
              fmt::format("`{}` has changed since the plan was made: it has {} "
                          "bytes, expected {}",
                          path, found, expected));
}

Expected<void> checkSource(const PlanSource &source, const std::string &root) {
  if (!source.inlined.empty())
    return {};
  if (source.file.empty())
    return fail(ErrorKind::Mismatch,
                "the plan was compiled from names and shapes alone: it has no "
                "files to read");
  const std::string path = joinPath(root, source.file);
  Expected<NamedFile> file = openUnchanged(path, source.bytes);
  if (!file)
    return failWith(std::move(file));
  if (source.fingerprint == 0)
    return {};
  Expected<safetensors::Header> header = safetensors::readHeader(path);
  if (!header)
    return failWith(std::move(header));
  if (header->fingerprint != source.fingerprint)
    return fail(ErrorKind::Mismatch,
                fmt::format("`{}` has changed since the plan was made: the "
                            "fingerprint of its header is {:016x}, expected "
                            "{:016x}",
                            path, header->fingerprint, source.fingerprint));
  return {};
}

/// Returns how many files this process has open.
int64_t countOpenFiles() {
  constexpr int64_t likely = 16;
  DIR *folder = opendir("/proc/self/fd");
  if (!folder)
    return likely;
  int64_t count = -1; // The folder itself.
  while (const dirent *entry = readdir(folder))
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

/// Half of what the threads leave, and not more than pays: there may be a
/// second one of us.
size_t maxOpenFiles(unsigned numThreads) {
  const int64_t left = openableFiles() - filesPerThread * numThreads;
  return static_cast<size_t>(std::clamp<int64_t>(left / 2, 1, 256));
}

} // namespace

Expected<NamedFile> openUnchanged(const std::string &path, int64_t bytes) {
  struct stat info;
  Expected<NamedFile> file = openForReading(path, &info);
  if (file && info.st_size != bytes)
    return failStale(path, info.st_size, bytes);
  return file;
}

Expected<void> checkSources(const TransferPlan &plan, const std::string &root) {
  for (const PlanSource &source : plan.sources)
    if (Expected<void> same = checkSource(source, root); !same)
      return same;
  for (const CopiedFile &copy : plan.copies)
    if (Expected<NamedFile> file =
            openUnchanged(joinPath(root, copy.file), copy.bytes);
        !file)
      return failWith(std::move(file));
  return {};
}

int64_t openableFiles() {
  constexpr rlim_t plenty = 1 << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 64;
  return static_cast<int64_t>(std::min(limit.rlim_cur, plenty)) -
         countOpenFiles();
}

SourceFiles::SourceFiles(const TransferPlan &plan, std::string root,
                         unsigned numThreads)
    : plan(plan), root(std::move(root)), maxOpen(maxOpenFiles(numThreads)) {}

Expected<std::shared_ptr<const NamedFile>> SourceFiles::open(uint32_t source) {
  const std::lock_guard lock(mutex);
  if (const auto found = entries.find(source); found != entries.end()) {
    found->second.lastUse = ++numUses;
    return found->second.file;
  }
  if (entries.size() >= maxOpen)
    entries.erase(std::ranges::min_element(
        entries, {}, [](const auto &entry) { return entry.second.lastUse; }));
  const PlanSource &wanted = plan.sources[source];
  Expected<NamedFile> file =
      openUnchanged(joinPath(root, wanted.file), wanted.bytes);
  if (!file)
    return failWith(std::move(file));
  auto shared = std::make_shared<const NamedFile>(std::move(*file));
  entries.emplace(source, Entry{shared, ++numUses});
  return shared;
}

} // namespace aoa
