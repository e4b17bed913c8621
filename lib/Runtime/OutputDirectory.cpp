//===- OutputDirectory.cpp - The result appears at once or not at all -----===//
// SPDX-License-Identifier: Apache-2.0
#include "OutputDirectory.h"

#include "aoa/Support/JoinPath.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace aoa {

namespace {

constexpr std::string_view partialSuffix = ".aoac-partial";

std::string parentOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string lastNameOf(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

/// Returns the names in a folder, sorted.
Expected<std::set<std::string>> namesIn(const std::string &folder) {
  DIR *open = opendir(folder.c_str());
  if (!open)
    return failErrno(errno, "listing", folder);
  std::set<std::string> names;
  while (const dirent *entry = readdir(open)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..")
      names.emplace(name);
  }
  closedir(open);
  return names;
}

/// Removes a file or a folder with all that is in it; follows no links.
Expected<void> removeAll(const std::string &path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error)
    return failErrno(error.value(), "removing", path);
  return {};
}

bool isSameInode(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::unexpected<Error> failBusy(const OutputPlace &place) {
  return fail(ErrorKind::Busy,
              fmt::format("another run is writing to `{}`", place.path));
}

std::unexpected<Error> failHolds(const OutputPlace &place,
                                 const std::string &name) {
  return fail(ErrorKind::Exists,
              fmt::format("output `{}` exists and is not empty: it holds `{}`; "
                          "--overwrite replaces it",
                          place.path, name));
}

/// Renames without replacing what may stand at `to`.
int renameToNew(const std::string &from, const std::string &to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno;
  // The file system cannot do it in one step; the lock keeps others of us out.
  struct stat info;
  if (lstat(to.c_str(), &info) == 0)
    return EEXIST;
  return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

} // namespace

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

Expected<OutputPlace> findOutputPlace(const std::string &output,
                                      bool overwrite) {
  OutputPlace place{output, "", "", OutputPlace::Absent};
  while (place.path.size() > 1 &&
         (place.path.ends_with('/') || place.path.ends_with("/.")))
    place.path.pop_back();
  if (place.path.empty())
    return fail(ErrorKind::Io, "the output has no name");

  struct stat info;
  const bool exists = lstat(place.path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT)
    return failErrno(errno, "looking at", place.path);
  if (exists) {
    char *real = realpath(place.path.c_str(), nullptr);
    if (!real && errno == ENOENT)
      return fail(
          ErrorKind::Exists,
          fmt::format("output `{}` is a link that leads nowhere", place.path));
    if (!real)
      return failErrno(errno, "resolving", place.path);
    place.path = real;
    std::free(real);
    if (stat(place.path.c_str(), &info) != 0)
      return failErrno(errno, "looking at", place.path);
    if (!S_ISDIR(info.st_mode))
      return fail(ErrorKind::Exists,
                  fmt::format("output `{}` is a file, expected a directory or "
                              "nothing",
                              place.path));
    Expected<std::set<std::string>> names = namesIn(place.path);
    if (!names)
      return failWith(std::move(names));
    names->erase(std::string(partialSuffix));
    place.state = names->empty() ? OutputPlace::Empty : OutputPlace::Full;
    if (!names->empty() && !overwrite)
      return failHolds(place, *names->begin());
  }
  place.parent = parentOf(place.path);
  place.name = lastNameOf(place.path);
  if (place.name.empty() || place.name == "..")
    return fail(ErrorKind::Exists,
                fmt::format("output `{}` cannot be replaced", place.path));
  struct stat parent;
  if (place.state == OutputPlace::Full &&
      stat(place.parent.c_str(), &parent) == 0 && parent.st_dev != info.st_dev)
    return fail(ErrorKind::Exists,
                fmt::format("output `{}` is a mount point, which cannot be "
                            "replaced; empty it, or name a folder in it",
                            place.path));
  return place;
}

Expected<int64_t> freeBytesAt(const OutputPlace &place) {
  std::string folder =
      place.state == OutputPlace::Absent ? place.parent : place.path;
  struct statvfs info;
  while (statvfs(folder.c_str(), &info) != 0) {
    if (errno != ENOENT || folder == parentOf(folder))
      return failErrno(errno, "looking for free space at", folder);
    folder = parentOf(folder);
  }
  if (info.f_blocks == 0) // no disk behind it, so it says nothing
    return INT64_MAX;
  int64_t bytes;
  if (__builtin_mul_overflow(info.f_bavail, info.f_frsize, &bytes))
    return INT64_MAX;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Preparing
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<OutputDirectory>>
OutputDirectory::prepare(const OutputPlace &place) {
  std::unique_ptr<OutputDirectory> directory(new OutputDirectory(place));
  directory->staging =
      place.state == OutputPlace::Empty
          ? joinPath(place.path, std::string(partialSuffix))
          : joinPath(place.parent,
                     fmt::format(".{}{}", place.name, partialSuffix));
  if (Expected<void> done = place.state == OutputPlace::Absent
                                ? directory->makeParents()
                                : directory->lockOutput();
      !done)
    return failWith(std::move(done));
  if (Expected<void> done = directory->lockStaging(); !done)
    return failWith(std::move(done));
  return directory;
}

Expected<void> OutputDirectory::makeParents() {
  std::vector<std::string> missing;
  struct stat info;
  for (std::string folder = place.parent;
       stat(folder.c_str(), &info) != 0 && folder != parentOf(folder);
       folder = parentOf(folder)) {
    if (errno != ENOENT)
      return failErrno(errno, "looking at", folder);
    missing.push_back(folder);
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (mkdir(missing.back().c_str(), 0777) == 0)
      madeParents.push_back(missing.back());
    else if (errno != EEXIST)
      return failErrno(errno, "creating folder", missing.back());
  }
  return {};
}

/// Locks the output itself, and makes sure that it is still what was found.
Expected<void> OutputDirectory::lockOutput() {
  outputLock = FileDescriptor(
      open(place.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!outputLock.isOpen())
    return failErrno(errno, "opening", place.path);
  if (flock(outputLock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return failBusy(place);
    return failErrno(errno, "locking", place.path);
  }
  struct stat locked, found;
  if (fstat(outputLock.get(), &locked) != 0 ||
      stat(place.path.c_str(), &found) != 0 || !isSameInode(locked, found))
    return failBusy(place); // Exchanged by a run that has just ended.
  if (place.state != OutputPlace::Empty)
    return {};
  Expected<std::set<std::string>> names = namesIn(place.path);
  if (!names)
    return failWith(std::move(names));
  names->erase(std::string(partialSuffix));
  if (!names->empty())
    return failHolds(place, *names->begin());
  return {};
}

Expected<void> OutputDirectory::lockStaging() {
  // Between making and locking the folder another run may have published or
  // removed it; then what is locked has lost its name.
  constexpr int maxTries = 100;
  for (int tries = 0; tries < maxTries; ++tries) {
    if (mkdir(staging.c_str(), 0777) != 0 && errno != EEXIST)
      return failErrno(errno, "creating folder", staging);
    FileDescriptor lock(
        open(staging.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!lock.isOpen() && errno == ENOENT)
      continue;
    if (!lock.isOpen())
      return failErrno(errno, "opening", staging);
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        return failBusy(place);
      return failErrno(errno, "locking", staging);
    }
    struct stat locked, found;
    if (fstat(lock.get(), &locked) != 0)
      return failErrno(errno, "looking at", staging);
    if (lstat(staging.c_str(), &found) != 0 || !isSameInode(locked, found))
      continue;
    stagingLock = std::move(lock);
    ownsStaging = true;
    if (place.state == OutputPlace::Absent &&
        lstat(place.path.c_str(), &found) == 0)
      return fail(
          ErrorKind::Exists,
          fmt::format("output `{}` has appeared meanwhile", place.path));
    Expected<std::set<std::string>> stale = namesIn(staging);
    if (!stale)
      return failWith(std::move(stale));
    for (const std::string &name : *stale)
      if (Expected<void> done = removeAll(joinPath(staging, name)); !done)
        return done;
    return {};
  }
  return failBusy(place);
}

OutputDirectory::~OutputDirectory() {
  if (ownsStaging) {
    // There is nobody to tell that this failed; the next run tries again.
    [[maybe_unused]] const Expected<void> removed = removeAll(staging);
  }
  // The locks go after the folder, so that nobody locks one that disappears.
  while (!madeParents.empty()) {
    rmdir(madeParents.back().c_str());
    madeParents.pop_back();
  }
}

Expected<NamedFile> OutputDirectory::create(const std::string &file) {
  for (size_t slash = file.find('/'); slash != file.npos;
       slash = file.find('/', slash + 1)) {
    const std::string folder = joinPath(staging, file.substr(0, slash));
    if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
      return failErrno(errno, "creating folder",
                       joinPath(place.path, file.substr(0, slash)));
  }
  NamedFile created{
      FileDescriptor(open(joinPath(staging, file).c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          0666)),
      joinPath(place.path, file)};
  if (!created.fd.isOpen())
    return failErrno(errno, "creating", created.path);
  return created;
}

//===----------------------------------------------------------------------===//
// Publishing
//===----------------------------------------------------------------------===//

Expected<void>
OutputDirectory::publish(const std::vector<std::string> &lastFiles) {
  Expected<void> done;
  switch (place.state) {
  case OutputPlace::Absent:
    done = publishFolder();
    break;
  case OutputPlace::Empty:
    done = publishEntries(lastFiles);
    break;
  case OutputPlace::Full:
    done = exchangeFolders();
    break;
  }
  if (done)
    madeParents.clear();
  return done;
}

Expected<void> OutputDirectory::publishFolder() {
  const int error = renameToNew(staging, place.path);
  if (error == EEXIST || error == ENOTEMPTY)
    return fail(ErrorKind::Exists,
                fmt::format("output `{}` has appeared meanwhile", place.path));
  if (error)
    return failErrno(error, "renaming the result to", place.path);
  ownsStaging = false;
  return {};
}

Expected<void>
OutputDirectory::publishEntries(const std::vector<std::string> &lastFiles) {
  Expected<std::set<std::string>> names = namesIn(staging);
  if (!names)
    return failWith(std::move(names));
  std::set<std::string> last;
  for (const std::string &file : lastFiles)
    last.insert(file.substr(0, file.find('/')));
  std::vector<std::string> order;
  for (const bool isLast : {false, true})
    for (const std::string &name : *names)
      if (last.contains(name) == isLast)
        order.push_back(name);

  for (size_t i = 0; i < order.size(); ++i) {
    const std::string to = joinPath(place.path, order[i]);
    const int error = renameToNew(joinPath(staging, order[i]), to);
    if (!error)
      continue;
    while (i-- > 0)
      rename(joinPath(place.path, order[i]).c_str(),
             joinPath(staging, order[i]).c_str());
    if (error == EEXIST || error == ENOTEMPTY)
      return fail(ErrorKind::Exists,
                  fmt::format("`{}` has appeared meanwhile", to));
    return failErrno(error, "renaming a file of the result to", to);
  }
  return {}; // The destructor removes the staging folder, now empty.
}

Expected<void> OutputDirectory::exchangeFolders() {
  struct stat old;
  if (fstat(outputLock.get(), &old) == 0) {
    // As the folder that is replaced; not worth failing for.
    [[maybe_unused]] const int changed =
        fchmod(stagingLock.get(), old.st_mode & 07777);
  }
  if (renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, place.path.c_str(),
                RENAME_EXCHANGE) != 0) {
    if (errno == EINVAL || errno == ENOSYS)
      return replaceFolder();
    return failErrno(errno, "exchanging the result with", place.path);
  }
  ownsStaging = false;
  if (Expected<void> done = removeAll(staging); !done)
    return failWith(std::move(done), "the result is in place, but not all of "
                                     "what it replaces could be removed");
  return {};
}

/// Exchanges in two steps, for file systems that cannot do it in one.
Expected<void> OutputDirectory::replaceFolder() {
  const std::string old =
      joinPath(place.parent, fmt::format(".{}.aoac-old", place.name));
  if (Expected<void> done = removeAll(old); !done)
    return done;
  if (rename(place.path.c_str(), old.c_str()) != 0)
    return failErrno(errno, "renaming", place.path);
  if (rename(staging.c_str(), place.path.c_str()) != 0) {
    const int error = errno;
    if (rename(old.c_str(), place.path.c_str()) != 0)
      return failErrno(errno, "renaming back `" + old + "` to", place.path);
    return failErrno(error, "renaming the result to", place.path);
  }
  ownsStaging = false;
  return removeAll(old);
}

} // namespace aoa
