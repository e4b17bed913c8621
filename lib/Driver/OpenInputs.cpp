//===- OpenInputs.cpp - The two ends of a conversion and its script -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Part of Compilation: decides what the things that the user named are.
//===----------------------------------------------------------------------===//
#include "Compilation.h"

#include "Invocation.h"
#include "aoa/Catalog/AffineMapJson.h"
#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/ModelPlacement.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Transforms/TransformsDiagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<256> absolute = path;
  llvm::sys::fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute);
  return absolute.str().str();
}

std::string folderOf(llvm::StringRef path) {
  return llvm::sys::path::parent_path(absolutePath(path)).str();
}

/// Whether a path names a JSON text (a layout, a catalog) and not tensors.
bool isJsonFile(llvm::StringRef path) {
  return path == "-" || (path.ends_with(".json") &&
                         !path.ends_with(".safetensors.index.json") &&
                         !llvm::sys::fs::is_directory(path));
}

} // namespace

bool Compilation::open(const CompilationInputs &inputs) {
  dialect = inputs.dialect;
  maxPieces = inputs.maxPieces;
  states = inputs.states;
  origin.states = states == StateConvention::None ? "" : nameOf(states);
  origin.dialect = dialect == ast::Dialect::Paddle ? "paddle" : "aoa";
  origin.version = AOA_VERSION;
  origin.isReversed = inputs.isReversed;
  if (inputs.isReversed && !reverse("--reverse"))
    return false;
  useResults(inputs.results);
  if (!useParameters(inputs) || !useIncludes(inputs.includes))
    return false;
  if (!inputs.sourceLayout.empty()) {
    sourceLayout = readLayout(inputs.sourceLayout);
    if (!sourceLayout)
      return false;
    origin.sourceLayout = sources.text(sourceLayout->file).str();
  }
  if (!inputs.source.empty() && !openSource(inputs.source, inputs.output))
    return false;
  if (!openTarget(inputs.target) || !openScript(inputs.script))
    return false;
  keepParameters();
  return check();
}

void Compilation::keepParameters() {
  if (configIsAsked || !parameters.parameterNames().empty())
    origin.parameters = parameters.text(configIsAsked);
}

bool Compilation::open(const PlanOrigin &from, const std::string &sourcePath) {
  origin = from;
  isOfPlan = true;
  states = findStateConvention(from.states).value_or(StateConvention::None);
  dialect = from.dialect == "paddle" ? ast::Dialect::Paddle : ast::Dialect::Aoa;
  if (!readResults(from) || (from.isReversed && !reverse("the plan's script")))
    return false;
  if (!from.parameters.empty()) {
    auto read = Parameters::fromText(from.parameters);
    if (!read)
      return report(read.error());
    parameters = std::move(*read);
  }
  if (!from.sourceLayout.empty()) {
    FileId file = sources.add("<source layout of the plan>", from.sourceLayout);
    sourceLayout = parseSourceLayout(file);
    if (!sourceLayout)
      return check();
  }
  if (!openSource(sourcePath))
    return false;
  if (!from.target.empty() &&
      !useTargetText(sources.add("<target of the plan>", from.target), ""))
    return false;
  if (from.scriptName.empty())
    return check();
  return useScript(sources.add(from.scriptName, from.script)) && check();
}

bool Compilation::useParameters(const CompilationInputs &inputs) {
  parameters = inputs.parameters;
  if (!inputs.config.empty())
    return setConfig(inputs.config);
  if (!inputs.source.empty() && inputs.source != "-") {
    llvm::SmallString<256> path(inputs.source);
    if (!llvm::sys::fs::is_directory(path))
      path = folderOf(path);
    llvm::sys::path::append(path, "config.json");
    defaultConfig = path.str().str();
  }
  return true;
}

/// Reads the source's own config when `text` may ask for it: one that nobody
/// asks for may be missing or broken.
bool Compilation::findConfig(llvm::StringRef text) {
  if (!text.contains("config:"))
    return true;
  configIsAsked = true;
  if (parameters.hasConfig() || !llvm::sys::fs::exists(defaultConfig))
    return true;
  return setConfig(defaultConfig);
}

bool Compilation::setConfig(const std::string &path) {
  auto file = sources.open(path);
  if (!file)
    return report(file.error());
  if (auto set = parameters.setConfig(sources.text(*file)); !set)
    return report(std::move(set.error()).withContext("`" + path + "`"));
  return true;
}

/// The statements are to be read from right to left, as `what` says.
bool Compilation::reverse(const char *what) {
  if (dialect == ast::Dialect::Aoa)
    return report(
        Error(ErrorKind::Unsupported,
              std::string(what) +
                  " belongs to --std=paddle; for the aoa dialect "
                  "`aoac invert` writes the script for the way back"));
  isReversed = true;
  return true;
}

void Compilation::useResults(const ResultOptions &options) {
  results = options;
  if (options.dtype)
    origin.resultDType = nameOf(*options.dtype);
  for (const NamePattern &pattern : options.include)
    origin.include.push_back(pattern.text());
  for (const NamePattern &pattern : options.exclude)
    origin.exclude.push_back(pattern.text());
}

/// The options that a plan keeps, which may be damaged.
bool Compilation::readResults(const PlanOrigin &from) {
  if (!from.resultDType.empty()) {
    results.dtype = dtypeFromSafetensors(from.resultDType);
    if (!results.dtype || classOf(*results.dtype) != DTypeClass::Float)
      return report(Error(ErrorKind::Format, "the plan's dtype of results, `" +
                                                 from.resultDType +
                                                 "`, is no floating dtype"));
  }
  auto read = [&](const std::vector<std::string> &texts,
                  std::vector<NamePattern> &patterns) {
    for (const std::string &text : texts) {
      auto pattern = NamePattern::parse(text);
      if (!pattern)
        return report(pattern.error());
      patterns.push_back(std::move(*pattern));
    }
    return true;
  };
  return read(from.include, results.include) &&
         read(from.exclude, results.exclude);
}

std::optional<Layout> Compilation::readLayout(const std::string &path) {
  auto file = sources.open(path);
  if (!file) {
    report(file.error());
    return std::nullopt;
  }
  if (!findConfig(sources.text(*file)))
    return std::nullopt;
  auto layout = parseSourceLayout(*file);
  check();
  return layout;
}

/// A layout, or an affine map as one.
std::optional<Layout> Compilation::parseSourceLayout(FileId file) {
  llvm::StringRef text = sources.text(file);
  std::optional<Layout> layout =
      classifyJsonInput(text) == JsonInputKind::AffineMap
          ? parseAffineMap(text, file, diagnostics)
          : parseLayout(text, file, diagnostics, &parameters);
  if (layout)
    layout->useStates(states);
  return layout;
}

bool Compilation::openSource(const std::string &path,
                             const std::string &output) {
  origin.sourcePath = path == "-" ? path : absolutePath(path);
  if (isJsonFile(path)) {
    auto file = sources.open(path);
    if (!file)
      return report(file.error());
    auto catalog =
        parseCatalog(sources.text(*file), *file, folderOf(path), diagnostics);
    if (!catalog)
      return check();
    source = std::move(*catalog);
    sourceOpened = true;
    return !sourceLayout || placeSourceByLayout();
  }
  auto catalog = openCheckpoint(path, sourceLayout ? &*sourceLayout : nullptr,
                                diagnostics);
  if (!catalog)
    return report(catalog.error());
  source = std::move(*catalog);
  auto beside = findSideFiles(source, path, output);
  if (!beside)
    return report(beside.error());
  sideFiles = std::move(*beside);
  sourceOpened = true;
  return check();
}

/// A catalog of names and shapes is cut as the source layout says.
bool Compilation::placeSourceByLayout() {
  std::vector<TensorToPlace> tensors;
  for (const Tensor &tensor : source.tensors)
    tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
  ModelPlacement placement(*sourceLayout, tensors);
  for (size_t i = 0; i != source.tensors.size(); ++i) {
    Tensor &tensor = source.tensors[i];
    const LayoutRule *rule = placement.ruleOf(i);
    const Expected<ShardList> &shards = placement.shardsOf(i);
    if (!rule) {
      diagnostics.report(
          {&diag::UnplacedTensor,
           {sourceLayout->file, 0, 0},
           "no rule of the source layout matches `" + tensor.name + "`"});
    } else if (!shards) {
      diagnostics.report({&diag::RefusedPlacement, rule->range,
                          "`" + tensor.name + "`: " + shards.error().str()});
    } else {
      tensor.shards = *shards;
      tensor.places.clear();
    }
  }
  return check();
}

bool Compilation::openTarget(const std::string &path) {
  if (path.empty() || path == "full")
    return true;
  if (isJsonFile(path)) {
    auto file = sources.open(path);
    if (!file)
      return report(file.error());
    return findConfig(sources.text(*file)) &&
           useTargetText(*file, folderOf(path));
  }
  auto catalog = openCheckpoint(path, nullptr, diagnostics);
  if (!catalog)
    return report(catalog.error());
  targetList = std::move(*catalog);
  origin.target = printCatalog(*targetList);
  return check();
}

bool Compilation::useTargetText(FileId file, const std::string &root) {
  llvm::StringRef text = sources.text(file);
  origin.target = text.str();
  switch (classifyJsonInput(text)) {
  case JsonInputKind::Catalog:
    targetList = parseCatalog(text, file, root, diagnostics);
    break;
  case JsonInputKind::AffineMap:
    targetIsMap = true;
    if (auto map = parseAffineMap(text, file, diagnostics))
      targetList = tensorsOfAffineMap(*map);
    break;
  case JsonInputKind::Layout:
  case JsonInputKind::Statements:
  case JsonInputKind::Other:
    targetLayout = parseLayout(text, file, diagnostics, &parameters);
    if (targetLayout)
      targetLayout->useStates(states);
    break;
  }
  return check();
}

bool Compilation::openScript(const std::string &path) {
  if (path.empty())
    return true;
  auto file = sources.open(path);
  if (!file)
    return report(file.error());
  origin.scriptName = path == "-" ? "<stdin>" : path;
  origin.script = sources.text(*file).str();
  return findConfig(origin.script) && useScript(*file);
}

/// A directory that is not there is a slip: the file may be found elsewhere,
/// and be another one.
bool Compilation::useIncludes(const IncludeOptions &options) {
  includes = options;
  for (const std::string &directory : includes.directories)
    if (!llvm::sys::fs::is_directory(directory))
      return report(
          Error(ErrorKind::Io, "-I: `" + directory + "` is no directory"));
  return true;
}

/// Parses the script. What it includes may ask for the config, too.
bool Compilation::loadWithIncludes() {
  if (isOfPlan) {
    script = reloadScript(sources, scriptFile, dialect, origin.includes,
                          diagnostics);
    return true;
  }
  script = loadScript(sources, scriptFile, dialect, includes, diagnostics,
                      &origin.includes);
  for (const IncludedTexts::File &file : origin.includes.files)
    if (!findConfig(file.text))
      return false;
  keepParameters();
  return true;
}

bool Compilation::useScript(FileId file) {
  origin.scriptIsJson = isJsonScript(sources.text(file));
  if (!origin.scriptIsJson) {
    scriptFile = file;
    return true;
  }
  bool reversed = false;
  auto statements = extractStatements(sources, file, reversed, diagnostics);
  if (!statements)
    return check();
  if (reversed && !reverse("`aoa_config_reverse`"))
    return false;
  scriptFile = *statements;
  return true;
}
