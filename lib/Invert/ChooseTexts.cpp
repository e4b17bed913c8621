//===- ChooseTexts.cpp - The shortest text that is proved -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ChooseTexts.h"

#include "RestrictTemplate.h"
#include "RollUp.h"

using namespace aoa;
using namespace aoa::invert;

namespace {

/// A part of the text, and what it must do.
struct Segment {
  std::vector<const FlatStatement *> flat;
  std::vector<std::string> texts; ///< The best first; the last is right.
  bool isTurned = false;          ///< Whether they are guesses of TurnRound.
  size_t chosen = 0;
  bool hasMoved = false; ///< Behind one whose names it would take.
  bool hasClause = false;
  size_t begin = 0, end = 0; ///< Where the chosen text stands.
};

class Chooser {
public:
  Chooser(const InvertInputs &inputs, const Forward &forward,
          FlatStatements flat, const WayBack &wayBack)
      : forward(forward), wayBack(wayBack),
        turnRound(inputs.script, inputs.expanded, forward) {
    makeSegments(flat, inputs.script.body.size());
  }

  std::string run() {
    // Templates of later segments may see names that a wrong one left, so only
    // the first that is wrong gives way; many wrong ones do so together.
    constexpr unsigned maxSingleSteps = 24;
    for (unsigned step = 0;; ++step) {
      std::string text = assemble();
      std::vector<size_t> wrong = findWrong(text);
      if (std::exchange(foundBroken, false))
        continue;
      if (wrong.empty())
        return text;
      if (step < maxSingleSteps)
        wrong.resize(1);
      if (wrong.size() == 1 && tryOtherwise(wrong.front()))
        continue;
      lastMove.reset();
      for (size_t segment : llvm::reverse(wrong))
        giveWay(segment);
    }
  }

private:
  /// Statements of one item stand together, as the items were run in turn.
  void makeSegments(FlatStatements flat, size_t numItems) {
    auto itemOf = [&](const FlatStatement *each) {
      return each->forward == FlatStatement::none
                 ? numItems
                 : turnRound.itemOf(each->forward);
    };
    for (size_t i = 0; i != flat.size();) {
      size_t item = itemOf(flat[i]), end = i;
      while (end != flat.size() && itemOf(flat[end]) == item)
        ++end;
      FlatStatements own = flat.slice(i, end - i);
      Segment segment{{own.begin(), own.end()}, {}};
      if (item != numItems)
        segment.texts = turnRound.guess(item, own);
      segment.isTurned = true;
      i = end;
      if (segment.texts.empty())
        for (Segment &rolled : rollUpSegment(segment))
          segments.push_back(std::move(rolled));
      else
        segments.push_back(std::move(segment));
    }
  }

  std::vector<Segment> rollUpSegment(const Segment &segment) const {
    auto placeholdersOf = [&](const FlatStatement &flat) {
      return flat.forward == FlatStatement::none
                 ? PlaceholderNumbers()
                 : turnRound.placeholdersOf(flat.forward);
    };
    std::vector<Segment> rolled;
    if (canBeRolledUp(segment.flat))
      for (Roll &roll : rollUp(segment.flat, placeholdersOf))
        rolled.push_back({std::move(roll.flat), std::move(roll.texts)});
    else
      rolled.push_back({segment.flat, {printFlat(segment.flat)}});
    return rolled;
  }

  std::string assemble() {
    std::string turned;
    for (const Segment &segment : segments)
      if (segment.isTurned)
        turned += segment.texts[segment.chosen];
    std::string text;
    definitions.clear();
    for (const auto &[item, written] :
         turnRound.definitionsFor(turned, broken)) {
      text += written;
      definitions.emplace_back(text.size(), item);
    }
    for (Segment &segment : segments) {
      segment.begin = text.size();
      text += segment.texts[segment.chosen];
      segment.end = text.size();
    }
    return text;
  }

  size_t segmentAt(uint32_t offset) const {
    auto at = llvm::partition_point(segments, [&](const Segment &segment) {
      return segment.end <= offset;
    });
    bool isInside = at != segments.end() && at->begin <= offset;
    return isInside ? at - segments.begin() : segments.size();
  }

  /// The segment whose text made a statement; number of segments for none.
  size_t segmentOf(const ast::Script &script,
                   const ast::Statement &statement) const {
    size_t segment = segmentAt(statement.range.begin);
    for (ast::ExpansionId id = statement.expansion;
         segment == segments.size() && !id.isNone();) {
      const ast::Expansion &step = script.expansions[id.index()];
      segment = segmentAt(step.site.begin);
      id = step.parent;
    }
    return segment;
  }

  /// Returns the segments that do not do what they must, in order.
  std::vector<size_t> findWrong(const std::string &text) {
    DiagnosticList faults;
    ast::Script expanded = wayBack.expand(text, faults);
    std::vector<std::vector<const ast::Statement *>> made(segments.size());
    namesTaken.clear();
    captures.clear();
    std::vector<bool> isWrong(segments.size());
    for (const ast::Statement &statement : expanded.statements)
      if (size_t segment = segmentOf(expanded, statement);
          segment != segments.size())
        made[segment].push_back(&statement);
    // Behind the first fault names may be missing.
    size_t numReliable = segments.size();
    for (const Diagnostic &fault : faults.list) {
      if (fault.kind->severity != Severity::Error)
        continue;
      if (auto segment = segmentOfFault(fault)) {
        isWrong[*segment] = true;
        numReliable = std::min(numReliable, *segment);
      }
    }
    std::vector<size_t> wrong;
    for (size_t i = 0; i != segments.size(); ++i) {
      const Segment &segment = segments[i];
      bool isLast =
          segment.chosen + 1 == segment.texts.size() && !segment.isTurned;
      if (isLast)
        continue;
      if (isWrong[i] ||
          (i < numReliable &&
           !haveSameEffect(forward.program, segment.flat, made[i]))) {
        if (wrong.empty() && segment.isTurned)
          lookAtFirstWrong(expanded, segment, made[i]);
        wrong.push_back(i);
      }
    }
    return wrong;
  }

  /// The segment that gives way to a fault. Where none can that the fault is
  /// in, or a note of it, a definition in that place is left out: the names of
  /// what it asks for may not be there. Then no other fault counts.
  std::optional<size_t> segmentOfFault(const Diagnostic &fault) {
    auto canGiveWay = [&](size_t i) {
      return i != segments.size() &&
             (segments[i].isTurned ||
              segments[i].chosen + 1 != segments[i].texts.size());
    };
    if (size_t segment = segmentAt(fault.range.begin); canGiveWay(segment))
      return segment;
    for (const Note &note : fault.notes)
      if (size_t other = segmentAt(note.range.begin);
          note.range.isKnown() && canGiveWay(other))
        return other;
    auto definition = llvm::find_if(definitions, [&](const auto &each) {
      return fault.range.begin < each.first;
    });
    if (fault.range.isKnown() && definition != definitions.end()) {
      broken.insert(definition->second);
      foundBroken = true;
      return std::nullopt;
    }
    for (size_t i = 0; i != segments.size(); ++i)
      if (canGiveWay(i))
        return i;
    return std::nullopt;
  }

  /// Notes which names a template takes that it should leave, and what its
  /// placeholders stand for in them.
  void lookAtFirstWrong(const ast::Script &expanded, const Segment &segment,
                        llvm::ArrayRef<const ast::Statement *> made) {
    llvm::StringSet<> wanted;
    for (const FlatStatement *each : segment.flat)
      for (const ast::Name &name : each->statement.left)
        wanted.insert(name.text);
    for (const ast::Statement *statement : made) {
      bool isWanted = wanted.contains(statement->left.front().text);
      noteCaptures(expanded, *statement, isWanted, captures);
      if (!isWanted)
        for (const ast::Name &name : statement->left)
          namesTaken.insert(name.text);
    }
  }

  /// Changes a template that takes too much, and returns whether it did: it
  /// stands behind the statements that these names are there for, or gets a
  /// clause.
  bool tryOtherwise(size_t index) {
    if (lastMove && lastMove->second == index) {
      // It takes them there, too.
      auto from = segments.begin() + static_cast<ptrdiff_t>(lastMove->first);
      auto to = segments.begin() + static_cast<ptrdiff_t>(index);
      std::rotate(from, to, to + 1);
      index = lastMove->first;
      lastMove.reset();
      if (!addClauses(index))
        giveWay(index);
      return true;
    }
    lastMove.reset();
    return !namesTaken.empty() && (moveBehind(index) || addClauses(index));
  }

  bool moveBehind(size_t index) {
    Segment &segment = segments[index];
    if (segment.hasMoved)
      return false;
    segment.hasMoved = true;
    size_t last = index;
    std::vector<const FlatStatement *> passed, all;
    for (size_t i = index + 1; i != segments.size(); ++i) {
      llvm::append_range(all, segments[i].flat);
      bool takes = llvm::any_of(segments[i].flat, [&](const auto *each) {
        return llvm::any_of(each->statement.left, [&](const ast::Name &name) {
          return namesTaken.contains(name.text);
        });
      });
      if (takes) {
        last = i;
        passed = all;
      }
    }
    if (last == index || !canStandBehind(segment.flat, passed))
      return false;
    auto from = segments.begin() + static_cast<ptrdiff_t>(index);
    std::rotate(from, from + 1,
                segments.begin() + static_cast<ptrdiff_t>(last) + 1);
    lastMove = {index, last};
    return true;
  }

  bool addClauses(size_t index) {
    Segment &segment = segments[index];
    llvm::StringRef text = segment.texts[segment.chosen];
    if (segment.hasClause || text.starts_with("for "))
      return false;
    segment.hasClause = true;
    std::vector<std::string> texts;
    for (const std::string &clause : separatingClauses(captures))
      texts.push_back(text.rtrim().str() + ", " + clause + "\n");
    segment.texts.insert(segment.texts.begin() +
                             static_cast<ptrdiff_t>(segment.chosen) + 1,
                         texts.begin(), texts.end());
    if (!texts.empty())
      ++segment.chosen;
    return !texts.empty();
  }

  void giveWay(size_t index) {
    Segment &segment = segments[index];
    if (++segment.chosen != segment.texts.size())
      return;
    std::vector<Segment> rolled = rollUpSegment(segment);
    segments.erase(segments.begin() + static_cast<ptrdiff_t>(index));
    segments.insert(segments.begin() + static_cast<ptrdiff_t>(index),
                    std::make_move_iterator(rolled.begin()),
                    std::make_move_iterator(rolled.end()));
  }

  const Forward &forward;
  const WayBack &wayBack;
  TurnRound turnRound;
  std::vector<Segment> segments;
  /// Where the definitions of the text end, and their items.
  std::vector<std::pair<size_t, size_t>> definitions;
  std::set<size_t> broken; ///< Items that cannot be defined on the way back.
  bool foundBroken = false;
  // Of the first segment that is wrong.
  llvm::StringSet<> namesTaken; ///< That it should leave to others.
  CapturesOf captures;
  /// From where to where the last step moved a segment.
  std::optional<std::pair<size_t, size_t>> lastMove;
};

} // namespace

std::string invert::chooseTexts(const InvertInputs &inputs,
                                const Forward &forward, FlatStatements flat,
                                const WayBack &wayBack) {
  return Chooser(inputs, forward, flat, wayBack).run();
}
