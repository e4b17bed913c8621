//===- PrintTrace.cpp - Ways of elements as text --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   `c` [0, 0:3], 3 elements
//     in `model.safetensors` (rank 0), bytes 128 to 139
//     by r.aoa:2:1: a, b -> c, axis=0
//   `a` [0:3, 0] of the source
//     in `model.safetensors` (rank 0), bytes 96 to 143 by 16
//===----------------------------------------------------------------------===//
#include "PrintTrace.h"
#include "TraceText.h"
#include "aoa/Basic/Showable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace aoa;
using namespace aoa::driver;

namespace {

constexpr size_t maxStatement = 200;
/// Of an element that thousands of ranks hold so many places are shown.
constexpr size_t maxFiles = 16;

std::string quoted(llvm::StringRef name) { return "`" + showable(name) + "`"; }

/// Numbers that are equally far apart, in the order they come in.
struct Row {
  int64_t first = 0, step = 0, count = 0;
  int64_t last() const { return first + step * (count - 1); }
};

std::vector<Row> rowsOf(llvm::ArrayRef<int64_t> numbers) {
  std::vector<Row> rows;
  for (int64_t number : numbers) {
    if (!rows.empty() && rows.back().count == 1) {
      rows.back().step = number - rows.back().first;
      rows.back().count = 2;
    } else if (!rows.empty() &&
               number == rows.back().last() + rows.back().step) {
      ++rows.back().count;
    } else {
      rows.push_back({number, 0, 1});
    }
  }
  return rows;
}

/// `7`, `0:16`, `0:16:4`
std::string rangeText(const Row &row) {
  if (row.count == 1)
    return std::to_string(row.first);
  std::string text =
      std::to_string(row.first) + ":" + std::to_string(row.last() + 1);
  return row.step == 1 ? text : text + ":" + std::to_string(row.step);
}

/// Shows elements as the box they fill, else as the first and the last of them.
std::string indexesText(const std::vector<int64_t> &addresses,
                        llvm::ArrayRef<int64_t> shape) {
  std::vector<std::set<int64_t>> axes(shape.size());
  std::set<int64_t> distinct(addresses.begin(), addresses.end());
  for (int64_t address : distinct)
    for (auto [axis, index] : llvm::zip(axes, affine::indexOf(address, shape)))
      axis.insert(index);
  std::string text = "[";
  size_t count = 1;
  bool isBox = true;
  for (const std::set<int64_t> &axis : axes) {
    std::vector<int64_t> sorted(axis.begin(), axis.end());
    std::vector<Row> rows = rowsOf(sorted);
    count *= sorted.size();
    isBox = isBox && rows.size() == 1 && count <= distinct.size();
    text += (text.size() == 1 ? "" : ", ") + rangeText(rows.front());
  }
  if (isBox && count == distinct.size())
    return text + "]";
  return formatShape(affine::indexOf(addresses.front(), shape)) + " … " +
         formatShape(affine::indexOf(addresses.back(), shape));
}

/// `byte 96`, `bytes 96 to 143`, `bytes 96, 112, … 160, 16 apart`
std::string bytesText(std::vector<int64_t> bytes, int64_t sizeBytes) {
  constexpr size_t maxRows = 4;
  llvm::sort(bytes);
  bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  std::vector<Row> rows = rowsOf(bytes);
  std::string text;
  for (const Row &row : llvm::ArrayRef(rows).take_front(maxRows)) {
    text += text.empty() ? "" : "; ";
    text += std::to_string(row.first);
    if (row.count == 1)
      continue;
    if (row.step == sizeBytes)
      text += " to " + std::to_string(row.last() + sizeBytes - 1);
    else
      text += (row.count == 2 ? " and " : " … ") + std::to_string(row.last()) +
              (row.count == 2 ? ""
                              : " (" + std::to_string(row.count) + ", " +
                                    std::to_string(row.step) + " apart)");
  }
  if (rows.size() > maxRows)
    text += "; … " + std::to_string(bytes.back());
  return (bytes.size() == 1 ? "byte " : "bytes ") + text;
}

/// What elements have in common that are printed as one chain.
struct WayKey {
  uint32_t result;
  std::vector<std::tuple<ir::OpId, uint32_t, ir::ValueId>> hops;
  ir::ValueId end;
  using File = std::pair<uint32_t, std::string>;
  std::vector<std::pair<File, File>> files;
  std::vector<std::string> ops; ///< As text.
  friend auto operator<=>(const WayKey &, const WayKey &) = default;
};

WayKey keyOf(const TracedElement &element) {
  WayKey key{element.result, {}, element.way.end, {}, {}};
  for (const trace::Hop &hop : element.way.hops)
    key.hops.emplace_back(hop.op, hop.operand, hop.made);
  for (const trace::WrittenPlace &place : element.places) {
    trace::FilePlace source = place.source.value_or(trace::FilePlace());
    key.files.push_back(
        {{place.at.rank, place.at.file}, {source.rank, source.file}});
    key.ops.push_back(format(place.ops));
  }
  return key;
}

using Chain = std::vector<const TracedElement *>;

/// The elements of each way, ways in the order of their first elements.
std::vector<Chain> chainsOf(llvm::ArrayRef<const TracedElement *> elements) {
  std::vector<Chain> chains;
  std::map<WayKey, size_t> numberOf;
  for (const TracedElement *element : elements) {
    auto [known, isNew] = numberOf.try_emplace(keyOf(*element), chains.size());
    if (isNew)
      chains.emplace_back();
    chains[known->second].push_back(element);
  }
  return chains;
}

class TracePrinter {
public:
  TracePrinter(const Compilation &compilation, llvm::raw_ostream &os)
      : compilation(compilation), program(compilation.program), os(os) {}

  void printChains(llvm::ArrayRef<const TracedElement *> elements) {
    bool isFirst = true;
    for (const Chain &chain : chainsOf(elements)) {
      os << (isFirst ? "" : "\n");
      isFirst = false;
      printChain(chain);
    }
  }

private:
  using AddressOf = llvm::function_ref<int64_t(const TracedElement &)>;
  void printChain(const Chain &chain);
  void printTargetPlaces(const Chain &chain);
  void printStep(const Chain &chain, size_t number);
  void printSource(const Chain &chain);
  void printElements(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                     const Chain &chain, AddressOf addressOf);
  void printFile(const trace::FilePlace &place, std::vector<int64_t> bytes,
                 DType dtype);

  const Compilation &compilation;
  const ir::Program &program;
  llvm::raw_ostream &os;
};

void TracePrinter::printElements(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> shape,
                                 const Chain &chain, AddressOf addressOf) {
  std::vector<int64_t> addresses;
  for (const TracedElement *element : chain)
    addresses.push_back(addressOf(*element));
  os << quoted(name) << " " << indexesText(addresses, shape);
}

void TracePrinter::printFile(const trace::FilePlace &place,
                             std::vector<int64_t> bytes, DType dtype) {
  if (place.file.empty()) {
    os << "  on rank " << place.rank
       << "; the plan was compiled from names and shapes alone\n";
    return;
  }
  os << "  in " << quoted(place.file) << " (rank " << place.rank << ") at "
     << bytesText(std::move(bytes), std::max<int64_t>(bitsOf(dtype) / 8, 1))
     << "\n";
}

void TracePrinter::printTargetPlaces(const Chain &chain) {
  const TracedElement &first = *chain.front();
  DType dtype = program.value(program.results[first.result].value).dtype;
  // The steps are those of the first place.
  for (size_t i = 0; i != first.places.size(); ++i) {
    if (i == maxFiles) {
      os << "  and in " << first.places.size() - maxFiles << " more files\n";
      return;
    }
    std::vector<int64_t> bytes;
    for (const TracedElement *element : chain)
      bytes.push_back(element->places[i].at.byte);
    printFile(first.places[i].at, std::move(bytes), dtype);
    if (first.places[i].ops != first.places.front().ops)
      os << "    by other operations: " << format(first.places[i].ops) << "\n";
  }
}

void TracePrinter::printStep(const Chain &chain, size_t number) {
  const trace::Step &step = chain.front()->steps[number];
  if (number != 0 && step.made != chain.front()->steps[number - 1].made &&
      step.reason != trace::StepReason::SourceScale) {
    const ir::Value &made = program.value(step.made.value);
    printElements(made.name, made.shape, chain,
                  [&](const TracedElement &element) {
                    return element.steps[number].made.address;
                  });
    os << "\n";
  }
  if (step.statement.isNone()) {
    os << "  by " << reasonOf(step) << "\n";
  } else {
    os << "  by " << showable(locationOf(compilation, step)) << ": "
       << showable(statementOf(compilation, step, maxStatement)) << "\n";
    for (const std::string &expansion : expansionsOf(compilation, step))
      os << "    " << showable(expansion) << "\n";
  }
  for (const std::string &operation : operationsOf(step.ops))
    os << "    " << operation << "\n";
  for (const auto &[i, other] : llvm::enumerate(step.compared)) {
    const ir::Value &value = program.value(other.value);
    os << "    compared with ";
    if (chain.size() == 1) {
      os << quoted(value.name) << " "
         << formatShape(affine::indexOf(other.address, value.shape)) << "\n";
      continue;
    }
    os << "elements of " << quoted(value.name) << "\n";
    break;
  }
  if (chain.size() == 1 && step.numMoreCompared != 0)
    os << "    and with " << step.numMoreCompared << " more\n";
}

void TracePrinter::printSource(const Chain &chain) {
  const TracedElement &first = *chain.front();
  const ir::Op &end = program.definition(first.way.end);
  if (end.kind == ir::OpKind::Fill) {
    os << "constant " << constantOf(end) << "\n";
    return;
  }
  const Tensor &tensor = program.sourceTensor(first.way.end);
  printElements(
      tensor.name, tensor.shape, chain,
      [](const TracedElement &element) { return element.way.endAddress; });
  os << " of the source\n";
  // Ranks may read copies of their own.
  std::set<WayKey::File> shown;
  for (size_t i = 0; i != first.places.size(); ++i) {
    const trace::FilePlace &place = *first.places[i].source;
    if (!shown.emplace(place.rank, place.file).second)
      continue;
    if (shown.size() > maxFiles) {
      os << "  and copies of it in other files\n";
      return;
    }
    std::vector<int64_t> bytes;
    for (const TracedElement *element : chain)
      bytes.push_back(element->places[i].source->byte);
    printFile(place, std::move(bytes), tensor.dtype);
  }
}

void TracePrinter::printChain(const Chain &chain) {
  const TracedElement &first = *chain.front();
  const ir::Result &result = program.results[first.result];
  printElements(
      result.name, program.value(result.value).shape, chain,
      [](const TracedElement &element) { return element.way.address; });
  if (chain.size() != 1)
    os << ", " << chain.size() << " elements";
  os << "\n";
  printTargetPlaces(chain);
  for (size_t i = 0; i != first.steps.size(); ++i)
    printStep(chain, i);
  printSource(chain);
}

} // namespace

void driver::printTrace(const Compilation &compilation,
                        llvm::ArrayRef<TracedElement> elements,
                        llvm::raw_ostream &os) {
  std::vector<const TracedElement *> all;
  for (const TracedElement &element : elements)
    all.push_back(&element);
  TracePrinter(compilation, os).printChains(all);
}

void driver::printTrace(const Compilation &compilation,
                        const TracedSource &source, llvm::raw_ostream &os) {
  std::vector<const TracedElement *> all;
  std::vector<int64_t> unused;
  for (auto [element, ends] : llvm::zip(source.elements, source.ends)) {
    if (ends.empty())
      unused.push_back(element);
    for (const TracedElement &end : ends)
      all.push_back(&end);
  }
  TracePrinter(compilation, os).printChains(all);
  if (!unused.empty())
    os << (all.empty() ? "" : "\n") << quoted(source.tensor) << " "
       << indexesText(unused, source.shape)
       << " of the source goes to no tensor of the target\n";
}
