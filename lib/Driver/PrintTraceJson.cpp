//===- PrintTraceJson.cpp - Ways of elements as JSON ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/Tracing.md describes the form.
//===----------------------------------------------------------------------===//
#include "PrintTrace.h"
#include "TraceText.h"

#include <nlohmann/json.hpp>

using namespace aoa;
using namespace aoa::driver;
using Json = nlohmann::ordered_json;

namespace {

/// A list of ten thousand elements repeats each of its statements.
constexpr size_t maxStatement = 500;

Json indexJson(int64_t address, llvm::ArrayRef<int64_t> shape) {
  affine::Extents index = affine::indexOf(address, shape);
  return Json(std::vector<int64_t>(index.begin(), index.end()));
}

Json textOrNull(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}

class JsonMaker {
public:
  explicit JsonMaker(const Compilation &compilation)
      : compilation(compilation), program(compilation.program) {}

  Json element(const TracedElement &traced) const {
    return {{"target", target(traced)},
            {"steps", steps(traced)},
            {"source", source(traced)}};
  }

private:
  Json elementRef(const trace::ElementRef &element) const {
    const ir::Value &value = program.value(element.value);
    return {{"tensor", value.name},
            {"index", indexJson(element.address, value.shape)}};
  }
  static void addPlace(Json &json, const trace::FilePlace &place) {
    json["rank"] = place.rank;
    json["file"] = textOrNull(place.file);
    json["byte"] = place.file.empty() ? Json() : Json(place.byte);
  }
  Json target(const TracedElement &traced) const;
  Json steps(const TracedElement &traced) const;
  Json source(const TracedElement &traced) const;

  const Compilation &compilation;
  const ir::Program &program;
};

Json JsonMaker::target(const TracedElement &traced) const {
  const ir::Result &result = program.results[traced.result];
  const ir::Value &value = program.value(result.value);
  Json places = Json::array();
  for (const trace::WrittenPlace &written : traced.places) {
    Json place;
    addPlace(place, written.at);
    place["operations"] = operationsOf(written.ops);
    place["source"] = Json();
    if (written.source)
      addPlace(place["source"], *written.source);
    places.push_back(std::move(place));
  }
  return {
      {"tensor", result.name},
      {"dtype", std::string(nameOf(value.dtype))},
      {"shape", std::vector<int64_t>(value.shape.begin(), value.shape.end())},
      {"index", indexJson(traced.way.address, value.shape)},
      {"places", std::move(places)}};
}

Json JsonMaker::steps(const TracedElement &traced) const {
  Json all = Json::array();
  for (const trace::Step &step : traced.steps) {
    Json json = {
        {"statement", textOrNull(statementOf(compilation, step, maxStatement))},
        {"location", textOrNull(locationOf(compilation, step))},
        {"expansions", expansionsOf(compilation, step)}};
    if (step.reason != trace::StepReason::Statement)
      json["reason"] = reasonOf(step);
    json.update(elementRef(step.made));
    json["operations"] = operationsOf(step.ops);
    if (!step.compared.empty()) {
      for (const trace::ElementRef &other : step.compared)
        json["comparedWith"].push_back(elementRef(other));
      json["moreCompared"] = step.numMoreCompared;
    }
    all.push_back(std::move(json));
  }
  const ir::Op &end = program.definition(traced.way.end);
  if (end.kind == ir::OpKind::Fill)
    std::visit([&](auto number) { all.back()["value"] = number; }, end.value);
  return all;
}

Json JsonMaker::source(const TracedElement &traced) const {
  if (program.definition(traced.way.end).kind != ir::OpKind::Source)
    return nullptr;
  const Tensor &tensor = program.sourceTensor(traced.way.end);
  Json json = {{"tensor", tensor.name},
               {"index", indexJson(traced.way.endAddress, tensor.shape)}};
  // Every place is made of an element; where copies of it are read for several
  // of them, the first is named here and the others there.
  trace::FilePlace place;
  if (!traced.places.empty() && traced.places.front().source)
    place = *traced.places.front().source;
  addPlace(json, place);
  return json;
}

/// A single element is spread out; a list has one a line, and is made one by
/// one: each repeats all its statements and their calls.
void printJson(size_t count, bool isOneElement,
               llvm::function_ref<Json(size_t)> elementOf,
               llvm::raw_ostream &os) {
  constexpr auto replace = Json::error_handler_t::replace;
  if (isOneElement) {
    os << elementOf(0).dump(2, ' ', false, replace) << "\n";
    return;
  }
  os << "[";
  for (size_t i = 0; i != count; ++i)
    os << (i == 0 ? "\n" : ",\n") << elementOf(i).dump(-1, ' ', false, replace);
  os << "\n]\n";
}

} // namespace

void driver::printTraceJson(const Compilation &compilation,
                            llvm::ArrayRef<TracedElement> elements,
                            bool isOneElement, llvm::raw_ostream &os) {
  JsonMaker maker(compilation);
  printJson(
      elements.size(), isOneElement,
      [&](size_t i) { return maker.element(elements[i]); }, os);
}

void driver::printTraceJson(const Compilation &compilation,
                            const TracedSource &source, bool isOneElement,
                            llvm::raw_ostream &os) {
  JsonMaker maker(compilation);
  auto elementOf = [&](size_t i) -> Json {
    Json ends = Json::array();
    for (const TracedElement &end : source.ends[i])
      ends.push_back(maker.element(end));
    return {{"source",
             {{"tensor", source.tensor},
              {"index", indexJson(source.elements[i], source.shape)}}},
            {"ends", std::move(ends)}};
  };
  printJson(source.elements.size(), isOneElement, elementOf, os);
}
