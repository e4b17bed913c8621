//===- Layout.cpp - Mesh, rules, names of files -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/Layout.h"

#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace aoa {

int64_t Mesh::numRanks() const {
  int64_t count = 1;
  for (const MeshAxis &axis : axes)
    count *= axis.size;
  return count;
}

int Mesh::findAxis(std::string_view name) const {
  auto found = std::ranges::find(axes, name, &MeshAxis::name);
  return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
}

bool FlattenRule::isSameAs(const FlattenRule &other) const {
  return axis == other.axis && align == other.align &&
         alignEach == other.alignEach && each == other.each &&
         std::ranges::equal(order, other.order, {}, &NamePattern::text,
                            &NamePattern::text);
}

std::vector<int64_t> Mesh::coordinates(int64_t rank) const {
  std::vector<int64_t> coordinates(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    coordinates[i] = rank % axes[i].size;
    rank /= axes[i].size;
  }
  return coordinates;
}

std::optional<HolderRule::Fit> HolderRule::fit(std::string_view name) const {
  if (std::optional<Captures> own = match.match(name))
    return Fit{std::move(*own)};
  if (states == StateConvention::None)
    return std::nullopt;
  std::optional<StateName> state = stateName(states, name);
  if (!state)
    return std::nullopt;
  std::optional<Captures> caught = match.match(state->tensor);
  if (!caught)
    return std::nullopt;
  return Fit{std::move(*caught), state->text};
}

void Layout::useStates(StateConvention convention) {
  states = convention;
  for (LayoutRule &rule : rules)
    rule.states = convention;
  for (HolderRule &place : places)
    place.states = convention;
}

const LayoutRule *Layout::findRule(std::string_view name) const {
  const LayoutRule *rule = findOwnRule(name);
  if (rule || states == StateConvention::None)
    return rule;
  std::optional<StateName> state = stateName(states, name);
  return state ? findOwnRule(state->tensor) : nullptr;
}

const LayoutRule *Layout::findOwnRule(std::string_view name) const {
  if (!ruleOfName.empty()) {
    auto known = ruleOfName.find(std::string(name));
    return known == ruleOfName.end() ? nullptr : &rules[known->second];
  }
  for (const LayoutRule &rule : rules)
    if (rule.match.matches(name))
      return &rule;
  return nullptr;
}

namespace {

std::unexpected<Error> wrongName(std::string message) {
  return fail(ErrorKind::Format, std::move(message));
}

/// Checks what can be seen of a file's name before its numbers are put in:
/// numbers add neither `/` nor `.`.
Expected<void> checkFileName(std::string_view text) {
  if (text.empty())
    return wrongName("file name is empty");
  if (text.starts_with('/'))
    return wrongName(fmt::format("absolute file name `{}`, expected one below "
                                 "the directory",
                                 text));
  for (char c : text)
    if (static_cast<unsigned char>(c) < 0x20)
      return wrongName(fmt::format("control character 0x{:02X} in a file name",
                                   static_cast<unsigned char>(c)));
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('/', begin), text.size());
    std::string_view component = text.substr(begin, end - begin);
    if (component == "..")
      return wrongName(fmt::format(
          "`..` in file name `{}`, expected one below the directory", text));
    if (component.starts_with(".aoac"))
      return wrongName(fmt::format("file name `{}`: names from `.aoac` on are "
                                   "those of runs under way",
                                   text));
    if (component.empty() || component == ".")
      return wrongName(
          fmt::format("empty name between `/` in file name `{}`", text));
    begin = end + 1;
  }
  return {};
}

} // namespace

Expected<FileNamePattern> FileNamePattern::parse(std::string_view text,
                                                 const Mesh &mesh) {
  if (auto checked = checkFileName(text); !checked)
    return failWith(std::move(checked));
  FileNamePattern pattern;
  pattern.source = text;
  for (size_t at = 0; at < text.size();) {
    size_t brace = std::min(text.find_first_of("{}", at), text.size());
    if (brace != at)
      pattern.parts.push_back(
          {.literal = std::string(text.substr(at, brace - at))});
    if (brace == text.size())
      break;
    size_t close = text.find_first_of("{}", brace + 1);
    if (text[brace] == '}')
      return wrongName(fmt::format("`}}` without `{{` at byte {}", brace));
    if (close == std::string_view::npos || text[close] == '{')
      return wrongName(fmt::format("`{{` without `}}` at byte {}", brace));
    auto part =
        parsePlaceholder(text.substr(brace + 1, close - brace - 1), mesh);
    if (!part)
      return failWith(std::move(part));
    pattern.parts.push_back(std::move(*part));
    at = close + 1;
  }
  return pattern;
}

Expected<FileNamePattern::Part>
FileNamePattern::parsePlaceholder(std::string_view text, const Mesh &mesh) {
  constexpr int maxWidth = 32;
  size_t colon = std::min(text.find(':'), text.size());
  std::string_view name = text.substr(0, colon);
  Part part;
  if (name == "rank")
    part.axis = rankAxis;
  else if (name == "world")
    part.axis = worldAxis;
  else if (part.axis = mesh.findAxis(name); part.axis < 0) {
    NearestName nearest(name);
    nearest.consider("rank");
    nearest.consider("world");
    for (const MeshAxis &axis : mesh.axes)
      nearest.consider(axis.name);
    return wrongName(fmt::format("unknown placeholder `{{{}}}`, expected "
                                 "`{{rank}}`, `{{world}}` or a mesh axis{}",
                                 text, nearest.hint()));
  }
  if (colon == text.size())
    return part;
  std::string_view width = text.substr(colon + 1);
  auto [end, error] =
      std::from_chars(width.data(), width.data() + width.size(), part.width);
  if (error != std::errc() || end != width.data() + width.size() ||
      part.width < 0 || part.width > maxWidth)
    return wrongName(fmt::format("width `{}` of `{{{}}}`, expected a number up "
                                 "to {}",
                                 width, text, maxWidth));
  return part;
}

std::string FileNamePattern::fileOf(int64_t rank, const Mesh &mesh) const {
  std::vector<int64_t> coordinates = mesh.coordinates(rank);
  std::string name;
  for (const Part &part : parts) {
    if (part.axis == -1) {
      name += part.literal;
      continue;
    }
    int64_t number = part.axis == rankAxis ? rank
                     : part.axis == worldAxis
                         ? mesh.numRanks()
                         : coordinates[static_cast<size_t>(part.axis)];
    name += fmt::format("{:0{}}", number, part.width);
  }
  return name;
}

} // namespace aoa
