//===- LanguageFuzzer.cpp - Any script through the whole compiler ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The first byte chooses dialect and ends, the rest is a script, whose includes
// take known texts in turn, none from the disk. It goes the way of a
// compilation: parse, expand, analyze, all passes up to fold. Reports
// point into texts; an expanded script prints to text that parses and expands
// to itself; the IR is whole, behind every pass too, and its text reads back;
// the oracle evaluates what the analysis accepts, to the same results, and
// pieces that move bytes as they are move the bytes that it says. Where the
// first byte asks for it, what is printed as the way back is proved to be one,
// and parses.
//===----------------------------------------------------------------------===//
#include "LanguageEnds.h"
#include "aoa/Basic/DiagnosticEngine.h"
#include "aoa/Catalog/StateIndex.h"
#include "aoa/Expand/Expand.h"
#include "aoa/IRText/IRText.h"
#include "aoa/Invert/Invert.h"
#include "aoa/Parse/LoadScript.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Sema/FollowShapes.h"
#include "aoa/Transforms/Pipeline.h"

#include <cstdlib>

using namespace aoa;
using namespace aoa::fuzz;

namespace {

constexpr int64_t maxStatements = 2'000;
constexpr int64_t maxPieces = 10'000;
/// Of all values together; programs with more are not evaluated.
constexpr int64_t maxElements = 20'000;

void require(bool holds, llvm::StringRef what, llvm::StringRef text) {
  if (holds)
    return;
  llvm::errs() << what << ":\n" << text << "\n";
  std::abort();
}

/// What the first byte says. `@` chooses the first of all, and a blank the way
/// back of what knows no parameters: corpus files stay readable.
struct Choice {
  explicit Choice(uint8_t byte)
      : dialect(byte & 1 ? ast::Dialect::Paddle : ast::Dialect::Aoa),
        target(byte >> 1 & 3),
        states(byte & 8 ? StateConvention::Paddle : StateConvention::None),
        isReversed(byte & 16 && dialect == ast::Dialect::Paddle),
        hasParameters(!(byte & 32)), inverts(!(byte & 64)) {}

  ast::Dialect dialect;
  unsigned target;
  StateConvention states;
  bool isReversed, hasParameters, inverts;
};

std::vector<llvm::StringRef> namesOf(const StateIndex &index) {
  std::vector<llvm::StringRef> names;
  for (const StateIndex::ModelTensor &tensor : index.model())
    names.push_back(tensor.name);
  llvm::sort(names);
  return names;
}

/// What the includes of a script stand for, the first and those behind it.
const IncludedTexts &includedTexts() {
  static const IncludedTexts texts = {
      {{"one.aoa", "macro pack(a, b -> c; n=2, axis=0) {\n"
                   "  a -> (%p[i] for i in 0..n-1), axis=axis\n"
                   "  b -> (%q[i] for i in 0..n-1), axis=axis\n"
                   "  (%p[i], %q[i] for i in 0..n-1) -> c, axis=axis\n}\n"},
       {"two.aoa", "include 'one.aoa'\nlet k = 2\n"
                   "macro turn(a -> b) { if rank(a) > 1 { a^T -> b } else { a "
                   "-> b } }\n"}},
      {1, 0, 1, 0}};
  return texts;
}

class Compiled {
public:
  Compiled(std::string text, Choice choice);
  void run();

private:
  void runStages();
  const Tensor *find(const Catalog &catalog, const StateIndex &index,
                     llvm::StringRef name) const;
  ExpandInputs inputs();
  ast::Script parse(std::string script);
  void checkPrinted(const ast::Script &expanded);
  void checkInverse(const ast::Script &script);
  bool runPasses(llvm::StringRef first, llvm::StringRef last);
  bool isSmall() const;
  void compareWithOracle();
  void compareBytes(const ir::Result &result,
                    const reference::WholeTensor &expected);
  void checkReports(const DiagnosticList &list);
  std::string reports() const;

  const LanguageEnds &ends = languageEnds();
  Choice choice;
  std::string text;
  SourceManager sources;
  DiagnosticList found;
  Target target;
  StateIndex sourceIndex, listIndex;
  Partitions partitions;
  ast::Script expanded;
  std::vector<AnalyzedStatement> analyzed;
  ir::Program program;
};

Compiled::Compiled(std::string script, Choice choice)
    : choice(choice), text(std::move(script)),
      target(ends.target(choice.target, choice.states)),
      sourceIndex(ends.source, choice.states) {
  for (const std::string &known : ends.texts)
    sources.add("end.json", known);
  if (target.list)
    listIndex = StateIndex(*target.list, choice.states);
}

ast::Script Compiled::parse(std::string script) {
  FileId file = sources.add("s.aoa", std::move(script));
  return reloadScript(sources, file, choice.dialect, includedTexts(), found);
}

const Tensor *Compiled::find(const Catalog &catalog, const StateIndex &index,
                             llvm::StringRef name) const {
  if (const Tensor *tensor = catalog.find(name))
    return tensor;
  const StateIndex::ModelTensor *model = index.findModel(name);
  return model ? model->tensor : nullptr;
}

/// What macros may ask about both ends, as the driver tells them.
ExpandInputs Compiled::inputs() {
  ExpandInputs inputs;
  inputs.maxStatements = maxStatements;
  inputs.parameters =
      choice.hasParameters ? &ends.parameters : &ends.noParameters;
  inputs.sourceNames = namesOf(sourceIndex);
  inputs.sourcePartition =
      [this](llvm::StringRef name) -> std::optional<PartitionInfo> {
    const Tensor *tensor = find(ends.source, sourceIndex, name);
    return tensor ? std::optional(partitions.of(*tensor)) : std::nullopt;
  };
  inputs.sourceRank = [this](llvm::StringRef name) -> std::optional<unsigned> {
    const Tensor *tensor = find(ends.source, sourceIndex, name);
    return tensor ? std::optional<unsigned>(tensor->shape.size())
                  : std::nullopt;
  };
  if (target.list) {
    inputs.targetNames = namesOf(listIndex);
    inputs.targetListsNames = true;
  }
  inputs.targetPartition =
      [this](llvm::StringRef name,
             unsigned rank) -> std::optional<PartitionInfo> {
    if (target.layout)
      if (const LayoutRule *rule = target.layout->findRule(name))
        return partitionOf(*target.layout, *rule, rank);
    if (target.list)
      if (const Tensor *tensor = find(*target.list, listIndex, name))
        return partitions.of(*tensor);
    return std::nullopt;
  };
  inputs.followShapes = [this] {
    return std::make_unique<FollowShapes>(choice.dialect, &ends.source, target);
  };
  return inputs;
}

std::string Compiled::reports() const {
  std::string all;
  for (const Diagnostic &report : found.list)
    all += report.message + " [" + std::string(report.kind->name) + "]\n";
  return all;
}

void Compiled::checkReports(const DiagnosticList &list) {
  auto check = [&](SourceRange range, llvm::StringRef message) {
    require(!message.empty(), "a report says nothing", text);
    if (range.isKnown())
      require(range.begin <= range.end &&
                  range.end <= sources.text(range.file).size(),
              "a report points outside of the text", message);
  };
  DiagnosticEngine engine(sources, {});
  for (const Diagnostic &report : list.list) {
    check(report.range, report.message);
    for (const Note &note : report.notes)
      check(note.range, note.message);
    engine.report(report);
  }
  engine.flush(llvm::nulls());
}

void Compiled::checkPrinted(const ast::Script &script) {
  std::string printed = ast::printScript(script);
  ast::Script again = parse(printed);
  require(found.numErrors() == 0, "an expanded script does not parse",
          printed + reports());
  require(ast::printScript(again) == printed,
          "an expanded script parses to other statements",
          printed + ast::printScript(again));
  std::string twice = ast::printScript(expandScript(again, inputs(), found));
  require(found.numErrors() == 0, "an expanded script does not expand",
          printed + reports());
  require(twice == printed, "an expanded script expands to another one",
          printed + twice);
}

bool Compiled::runPasses(llvm::StringRef first, llvm::StringRef last) {
  PassContext context{target, expanded, found, maxPieces};
  PipelineReport done = runPipeline(
      program, passesBetween(first, last), context,
      {.dumps = &llvm::errs(), .verifyEach = true, .roundTrip = roundTrip});
  require(!done.bug, "the passes broke the program", done.bug.value_or(""));
  require(!done.refusal, "a pass was refused", done.refusal.value_or(""));
  return found.numErrors() == 0;
}

int64_t numElements(llvm::ArrayRef<int64_t> shape, int64_t limit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent == 0)
      return 0;
  for (int64_t extent : shape) {
    if (extent > limit / count)
      return limit + 1;
    count *= extent;
  }
  return count;
}

bool Compiled::isSmall() const {
  int64_t sum = 0;
  for (const ir::Value &value : program.values)
    if (sum <= maxElements)
      sum += numElements(value.shape, maxElements);
  return sum <= maxElements;
}

void copyElements(const affine::Piece &piece, unsigned dim, int64_t src,
                  int64_t dst,
                  llvm::function_ref<void(int64_t, int64_t)> move) {
  if (dim == piece.rank())
    return move(src, dst);
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    copyElements(piece, dim + 1, src + i * piece.src.strides[dim],
                 dst + i * piece.dst.strides[dim], move);
}

/// Compares what moves as it is, which bytes of tensors are; what is filled,
/// cast or computed is for the tests of the runtime.
void Compiled::compareBytes(const ir::Result &result,
                            const reference::WholeTensor &expected) {
  const ir::Value &value = program.value(result.value);
  if (!hasWholeBytes(value.dtype))
    return;
  size_t size = bitsOf(value.dtype) / 8;
  for (size_t i = 0; i < result.pieces.size(); ++i) {
    const ir::Origin &origin = program.origins[result.pieces[i].tag];
    if (!origin.ops.isNone() || program.isFill(origin.source))
      continue;
    const std::string &bytes =
        ends.sourceElements.at(program.sourceTensor(origin.source).name).bytes;
    affine::Piece piece = result.pieces[i].piece();
    copyElements(
        piece, 0, piece.src.offset, piece.dst.offset,
        [&](int64_t src, int64_t dst) {
          bool isRight = bytes.compare(src * size, size, expected.bytes,
                                       dst * size, size) == 0;
          require(isRight, "wrong bytes in `" + result.name + "`", text);
        });
  }
}

void Compiled::compareWithOracle() {
  auto results = reference::evaluate(expanded, ends.sourceElements, target);
  bool compares = llvm::any_of(program.results, [](const ir::Result &result) {
    return result.isCompared;
  });
  if (compares && !results)
    return; // What is compared differs here.
  require(results.has_value(), "the oracle does not read the script",
          results ? "" : results.error().str() + "\n" + text);
  size_t numWritten = 0;
  for (const ir::Result &result : program.results) {
    if (result.isCompared || result.leftToCaller)
      continue;
    ++numWritten;
    auto at = results->find(result.name);
    require(at != results->end(), "the oracle lacks `" + result.name + "`",
            text);
    const ir::Value &value = program.value(result.value);
    require(at->second.dtype == value.dtype &&
                llvm::ArrayRef(at->second.shape) == llvm::ArrayRef(value.shape),
            "the oracle has another type of `" + result.name + "`", text);
    compareBytes(result, at->second);
  }
  require(numWritten == results->size(), "the oracle has more results", text);
}

void Compiled::checkInverse(const ast::Script &script) {
  DiagnosticList losses;
  ExpandInputs ofMacros = inputs();
  Inversion inversion = invertScript({.script = script,
                                      .expanded = expanded,
                                      .program = program,
                                      .analyzed = analyzed,
                                      .source = ends.source,
                                      .target = target,
                                      .expandInputs = ofMacros,
                                      .scriptName = "s.aoa"},
                                     losses);
  require(!inversion.bug, "what should be the way back is none",
          inversion.bug.value_or("") + "\n" + text);
  require(inversion.text.empty() == (losses.numErrors() != 0),
          "a way back that is reported to be none, or none without a report",
          text + "\n" + inversion.text);
  checkReports(losses);
  DiagnosticList faults;
  FileId file = sources.add("back.aoa", inversion.text);
  parseScript(sources, file, ast::Dialect::Aoa, faults);
  require(faults.numErrors() == 0, "the way back does not parse",
          inversion.text);
}

/// Runs the stages up to the first that reports errors.
void Compiled::runStages() {
  ast::Script script = parse(text);
  script.isReversed = choice.isReversed;
  if (found.numErrors() != 0)
    return;
  expanded = expandScript(script, inputs(), found);
  if (found.numErrors() != 0)
    return;
  if (choice.dialect == ast::Dialect::Aoa)
    checkPrinted(expanded);
  program = analyze(expanded, ends.source, target, found, &analyzed);
  if (found.numErrors() != 0)
    return;
  auto fault = ir::verify(program);
  require(!fault, "the analysis makes a broken program", fault.value_or(""));
  if (!runPasses("place-results", "check-coverage"))
    return;
  if (isSmall())
    compareWithOracle();
  if (choice.inverts)
    checkInverse(script);
  runPasses("compose-layouts", "fold");
}

void Compiled::run() {
  runStages();
  checkReports(found);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::string text(reinterpret_cast<const char *>(data + 1), size - 1);
  Compiled(std::move(text), Choice(*data)).run();
  return 0;
}
