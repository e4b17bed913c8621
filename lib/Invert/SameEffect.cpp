//===- SameEffect.cpp - Whether statements do the same --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Both lists become programs of their own, whose source has the values that
// they read: the results must be equal as sets of pieces.
//===----------------------------------------------------------------------===//
#include "SameEffect.h"

#include "aoa/Affine/Compare.h"
#include "aoa/Transforms/Pass.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace aoa;
using namespace aoa::invert;
using affine::PieceSet;

namespace {

/// The tensors that `flat` takes from what stands before it.
Catalog readTensors(const ir::Program &forward, FlatStatements flat) {
  Catalog catalog;
  llvm::StringSet<> known;
  for (const FlatStatement *each : flat) {
    for (size_t i = 0; i != each->reads.size(); ++i) {
      const std::string &name = each->statement.left[i].text;
      if (!known.insert(name).second)
        continue;
      const ir::Value &value = forward.value(each->reads[i]);
      catalog.tensors.push_back(
          {.name = name,
           .dtype = value.dtype,
           .shape = Shape(value.shape.begin(), value.shape.end())});
    }
    for (const ast::Name &name : each->statement.right)
      if (!name.isDiscard())
        known.insert(name.text);
  }
  [[maybe_unused]] auto twice = sortByName(catalog.tensors);
  assert(!twice && "each name is taken once");
  return catalog;
}

/// Temporaries become tensors: what they hold is compared as well.
void quoteTemporaries(llvm::SmallVectorImpl<ast::Name> &names) {
  for (ast::Name &name : names)
    name.quoted |= llvm::StringRef(name.text).starts_with("%");
}

class Effect {
public:
  Effect(const Catalog &catalog, Statements statements) {
    script.statements.reserve(statements.size());
    for (const ast::Statement *each : statements) {
      ast::Statement &statement = script.statements.emplace_back(*each);
      statement.expansion = {};
      quoteTemporaries(statement.left);
      quoteTemporaries(statement.right);
    }
    DiagnosticList faults;
    program = analyze(script, catalog, {}, faults);
    isSound = faults.numErrors() == 0;
    if (!isSound)
      return;
    PassContext context{whole, script, faults};
    lowerToPieces(program, context);
    isSound = faults.numErrors() == 0;
    sortComparisons();
  }

  bool equals(const Effect &other) const {
    return isSound && other.isSound &&
           program.results.size() == other.program.results.size() &&
           llvm::all_of(llvm::zip(program.results, other.program.results),
                        [&](const auto &pair) {
                          const auto &[own, others] = pair;
                          // What is compared may be called differently.
                          return own.isCompared == others.isCompared &&
                                 (own.isCompared || own.name == others.name) &&
                                 sameType(own, other, others) &&
                                 sameElements(own, other, others);
                        });
  }

private:
  /// Of which tensor the first element of a result is, and which one.
  std::pair<std::string, int64_t> firstElement(const ir::Result &result) const {
    if (result.pieces.empty())
      return {};
    const affine::PieceRef piece = result.pieces[0];
    return {program.value(program.origins[piece.tag].source).name,
            piece.srcOffset};
  }

  /// Statements that do the same may compare in another order.
  void sortComparisons() {
    auto first = llvm::find_if(program.results, [](const ir::Result &result) {
      return result.isCompared;
    });
    std::vector<std::pair<ir::Result, ir::Result>> pairs;
    for (auto it = first; it != program.results.end(); it += 2)
      pairs.emplace_back(std::move(it[0]), std::move(it[1]));
    program.results.erase(first, program.results.end());
    auto keyOf = [&](const std::pair<ir::Result, ir::Result> &pair) {
      return std::tuple(firstElement(pair.first), firstElement(pair.second),
                        llvm::StringRef(pair.first.name),
                        llvm::StringRef(pair.second.name));
    };
    llvm::sort(pairs, [&](const auto &a, const auto &b) {
      return keyOf(a) < keyOf(b);
    });
    for (auto &[one, other] : pairs) {
      program.results.push_back(std::move(one));
      program.results.push_back(std::move(other));
    }
  }

  bool sameType(const ir::Result &own, const Effect &other,
                const ir::Result &others) const {
    const ir::Value &a = program.value(own.value);
    const ir::Value &b = other.program.value(others.value);
    return a.dtype == b.dtype && a.shape == b.shape;
  }

  bool sameElements(const ir::Result &own, const Effect &other,
                    const ir::Result &others) const {
    std::map<std::string, PieceSet::Tag> tags;
    return affine::equivalent(tagged(own.pieces, tags),
                              other.tagged(others.pieces, tags));
  }

  /// The pieces, tagged by what they are elements of, and how.
  PieceSet tagged(PieceSet pieces,
                  std::map<std::string, PieceSet::Tag> &tags) const {
    for (PieceSet::Entry &entry : pieces.entries()) {
      const ir::Origin &origin = program.origins[entry.tag];
      const ir::Value &source = program.value(origin.source);
      std::string key = format(program.opsOf(origin.ops, source.dtype));
      if (program.isFill(origin.source)) {
        const auto &value = program.definition(origin.source).value;
        const auto *whole = std::get_if<int64_t>(&value);
        key += '\0' +
               ast::printValue(whole ? ast::Value{*whole, {}}
                                     : ast::Value{std::get<double>(value), {}});
      } else {
        key += source.name;
      }
      entry.tag = tags.try_emplace(std::move(key), tags.size()).first->second;
    }
    return pieces;
  }

  ast::Script script;
  Target whole;
  ir::Program program;
  bool isSound = false;
};

bool sameTexts(FlatStatements flat, Statements statements) {
  return flat.size() == statements.size() &&
         llvm::all_of(llvm::zip(flat, statements), [](const auto &pair) {
           const auto &[one, other] = pair;
           return ast::printStatement(one->statement, ast::Dialect::Aoa) ==
                  ast::printStatement(*other, ast::Dialect::Aoa);
         });
}

} // namespace

bool invert::haveSameEffect(const ir::Program &forward, FlatStatements flat,
                            Statements statements) {
  if (sameTexts(flat, statements))
    return true;
  Catalog catalog = readTensors(forward, flat);
  std::vector<const ast::Statement *> own;
  own.reserve(flat.size());
  for (const FlatStatement *each : flat)
    own.push_back(&each->statement);
  return Effect(catalog, own).equals(Effect(catalog, statements));
}
