//===- Provenance.cpp - Where expanded statements came from ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Provenance.h"

#include "aoa/Basic/Showable.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::ast {

/// `llama.aoa:3`, in the file that the user named.
static std::string placeOf(SourceRange range, const SourceManager &sources) {
  range = sources.resolve(range);
  if (!range.isKnown())
    return "no text";
  return sources.name(range.file).str() + ":" +
         std::to_string(sources.position(range.file, range.begin).line);
}

static bool contains(SourceRange outer, SourceRange inner) {
  return outer.file == inner.file && outer.begin <= inner.begin &&
         inner.end <= outer.end;
}

std::string provenanceOf(const Statement &statement, const Script &script,
                         const SourceManager &sources) {
  llvm::SmallVector<const Expansion *, 8> steps;
  for (ExpansionId id = statement.expansion; !id.isNone();
       id = steps.back()->parent)
    steps.push_back(&script.expansions[id.index()]);
  // What stands in the body of a macro came from the outermost call; all else
  // is the user's statement, which may have several lines.
  bool isOfBody = !steps.empty() && steps.back()->site.isKnown() &&
                  !contains(statement.range, steps.back()->site);
  std::string place =
      placeOf(isOfBody ? steps.back()->site : statement.range, sources);
  std::string text = place;
  for (const Expansion *step : llvm::reverse(steps)) {
    // The detail of a template begins with its placeholder.
    llvm::StringRef detail = step->detail;
    text += " > ";
    if (detail.starts_with(step->macro + " = "))
      text += detail;
    else
      text += step->macro + (detail.empty() ? "" : " (" + step->detail + ")");
    std::string site = placeOf(step->site, sources);
    if (!step->site.isKnown() || site == place ||
        contains(statement.range, step->site))
      continue;
    text += " at " + site;
    place = site;
  }
  std::string own = placeOf(statement.range, sources);
  if (isOfBody && own != place)
    text += " > " + own;
  // A placeholder that stands for nothing leaves a blank.
  return showable(llvm::StringRef(text).rtrim());
}

std::string printWithProvenance(const Script &script,
                                const SourceManager &sources) {
  std::string text, comment;
  for (const Statement &statement : script.statements) {
    std::string next = provenanceOf(statement, script, sources);
    if (next != comment)
      text += "# " + next + "\n";
    comment = std::move(next);
    text += printStatement(statement, script.dialect) + "\n";
  }
  return text;
}

} // namespace aoa::ast
