//===- ReadSource.cpp - Whole tensors out of shards -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Elements.h"
#include "aoa/Reference/Evaluate.h"
#include "aoa/Support/CheckedMath.h"

#include <cstring>
#include <fstream>

using namespace aoa;
using namespace aoa::reference;

static Expected<std::string> readBytes(const std::string &path, int64_t at,
                                       int64_t size) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!file || !file.seekg(at) || !file.read(bytes.data(), size))
    return fail(ErrorKind::Io, "cannot read " + std::to_string(size) +
                                   " bytes at " + std::to_string(at) + " of `" +
                                   path + "`");
  return bytes;
}

namespace {

/// Copies the shards' elements one by one and notes which have been seen.
class Assembly {
public:
  explicit Assembly(const Tensor &tensor)
      : tensor(tensor), elementBytes(bytesPerElement(tensor.dtype)) {}

  Expected<WholeTensor> run(const Catalog &source);

private:
  Expected<WholeTensor> moveWhole(const Catalog &source) const;
  Expected<std::string> read(const Catalog &source, size_t shard) const;
  void take(const Shard &shard, const Block &block, const std::string &local);
  void take(const Shard &shard, const StridedBlock &block,
            const std::string &local);
  void takeElement(int64_t to, int64_t from, const std::string &local,
                   double scale);

  const Tensor &tensor;
  int64_t elementBytes;
  WholeTensor whole;
  std::vector<bool> seen;
};

Expected<std::string> Assembly::read(const Catalog &source,
                                     size_t index) const {
  const Shard &shard = tensor.shards[index];
  auto size = checkedSizeBytes(tensor.dtype, shard.localShape);
  if (!size)
    return fail(ErrorKind::Limit,
                "shard of `" + tensor.name + "` has no size in bytes");
  if (*size == 0)
    return std::string();
  ShardPlace place = tensor.placeOf(index);
  if (place.storage.isNone())
    return fail(ErrorKind::Format,
                "the catalog says no storage of `" + tensor.name + "`");
  const Storage &storage = source.storages[place.storage.index()];
  return readBytes(source.root + "/" + storage.file, place.atBytes, *size);
}

/// Elements of less than a byte are not told apart: one block or nothing.
Expected<WholeTensor> Assembly::moveWhole(const Catalog &source) const {
  for (size_t i = 0; i != tensor.shards.size(); ++i) {
    if (tensor.shards[i].localShape != tensor.shape ||
        !tensor.shards[i].strided.empty())
      continue;
    auto bytes = read(source, i);
    if (!bytes)
      return failWith(std::move(bytes));
    return WholeTensor{tensor.dtype, tensor.shape, std::move(*bytes)};
  }
  return fail(ErrorKind::Unsupported, "`" + tensor.name + "` is " +
                                          std::string(nameOf(tensor.dtype)) +
                                          " and cut in shards");
}

void Assembly::take(const Shard &shard, const Block &block,
                    const std::string &local) {
  forEachIndex(block.shape, [&](const Index &index) {
    Index inFull = index, inShard = index;
    for (size_t dim = 0; dim != index.size(); ++dim) {
      inFull[dim] += block.fullOffset[dim];
      inShard[dim] += block.localOffset[dim];
    }
    int64_t to = placeOf(inFull, tensor.shape);
    int64_t from = placeOf(inShard, shard.localShape);
    takeElement(to, from, local, shard.scale);
  });
}

void Assembly::take(const Shard &shard, const StridedBlock &block,
                    const std::string &local) {
  forEachIndex(block.shape, [&](const Index &index) {
    int64_t to = block.fullOffset, from = block.shardOffset;
    for (size_t dim = 0; dim != index.size(); ++dim) {
      to += index[dim] * block.fullStrides[dim];
      from += index[dim] * block.shardStrides[dim];
    }
    takeElement(to, from, local, shard.scale);
  });
}

/// Takes an element out of a shard: its value divided by the shard's scale, in
/// double precision, rounded once to the dtype.
void Assembly::takeElement(int64_t to, int64_t from, const std::string &local,
                           double scale) {
  std::string element = local.substr(from * elementBytes, elementBytes);
  if (scale != 1) {
    element = castElement(element, tensor.dtype, DType::F64);
    double value;
    std::memcpy(&value, element.data(), sizeof value);
    value /= scale;
    std::memcpy(element.data(), &value, sizeof value);
    element = castElement(element, DType::F64, tensor.dtype);
  }
  whole.bytes.replace(to * elementBytes, elementBytes, element);
  seen[to] = true;
}

Expected<WholeTensor> Assembly::run(const Catalog &source) {
  auto size = checkedSizeBytes(tensor.dtype, tensor.shape);
  if (!size)
    return fail(ErrorKind::Limit, "`" + tensor.name + "` has no size in bytes");
  if (tensor.shards.empty() && *size != 0)
    return fail(ErrorKind::Format,
                "the catalog says no shards of `" + tensor.name + "`");
  if (!hasWholeBytes(tensor.dtype))
    return moveWhole(source);
  whole = {tensor.dtype, tensor.shape, std::string(*size, '\0')};
  seen.assign(*size / elementBytes, false);
  for (size_t i = 0; i != tensor.shards.size(); ++i) {
    const Shard &shard = tensor.shards[i];
    auto local = read(source, i);
    if (!local)
      return failWith(std::move(local));
    for (const Block &block : shard.blocks)
      take(shard, block, *local);
    for (const StridedBlock &block : shard.strided)
      take(shard, block, *local);
  }
  for (size_t i = 0; i != seen.size(); ++i)
    if (!seen[i])
      return fail(ErrorKind::Format, "no shard holds element " +
                                         std::to_string(i) + " of `" +
                                         tensor.name + "`");
  return std::move(whole);
}

} // namespace

Expected<Tensors> reference::readSource(const Catalog &source) {
  Tensors tensors;
  for (const Tensor &tensor : source.tensors) {
    auto whole = Assembly(tensor).run(source);
    if (!whole)
      return failWith(std::move(whole), "reading `" + tensor.name + "`");
    tensors.emplace(tensor.name, std::move(*whole));
  }
  return tensors;
}
