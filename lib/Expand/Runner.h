//===- Runner.h - What is written, run --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the items of a script in order: variables, loops, conditions, statements
// and calls of macros. It does so in two stages, as all of Expand:
//
//   Names       the items of the script, one after the other. A call runs at
//               once, unless its macro is built in or asks degrees.
//   Operations  the calls that waited: all statements have their names now, so
//               that a degree can be followed to the source and the target.
//
// RunItems.cpp has the items, CallMacro.cpp calls, DefineMacro.cpp definitions,
// AskTensors.cpp what expressions ask of tensors.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_RUNNER_H
#define AOA_LIB_EXPAND_RUNNER_H

#include "Expander.h"
#include "PutInValues.h"
#include "llvm/ADT/BitVector.h"

namespace aoa::expand {

/// What the items of a script became.
struct Group {
  Statements statements;
  /// They act one after the other; else all read before one of them binds.
  bool isSequence = false;
};

class Runner final : public ExprScope, private NameResolver {
public:
  Runner(Expander &expander, MacroSet enabled);
  ~Runner() override;

  /// Stage Names.
  std::vector<Group> runScript(const ast::Block &body);

  /// Stage Operations: gives out what statement `index` is without macros;
  /// `statement` is what is left of it.
  void runOperations(size_t index, ast::Statement statement);

  // ---- What expressions see
  std::optional<Constant> variable(std::string_view name) const override;
  std::optional<Constant> parameter(std::string_view name) const override;
  std::optional<Constant> config(std::string_view path) const override;
  bool hasConfig() const override;
  ExprResult<Constant> ask(const TensorQuestion &question) const override;
  bool takeSteps(uint64_t count, const Expr &expr) const override;
  std::vector<std::string> variableNames() const override;
  std::vector<std::string> parameterNames() const override;
  std::vector<std::string> configPaths() const override;

  bool exists(llvm::StringRef name);
  /// Whether a limit is reached, which has been reported: all that is left is
  /// to give up.
  bool isOverLimit() const { return stopped || expander.isOverLimit(); }

private:
  /// A turn of a loop. What is made in it remembers it.
  struct Turn {
    const ast::For &loop;
    int64_t number;
    std::optional<ast::ExpansionId> expansion = {}; ///< Made when it is needed.
  };
  using Turns = llvm::SmallVector<Turn, 2>;

  /// A call whose body runs.
  struct Frame {
    const KnownMacro &macro;
    ast::Statement site; ///< With the names that the parameters stand for.
    Frame *caller = nullptr;
    unsigned number = 0;
    ast::ExpansionId expansion = {};
    /// Of which right parameters the body has bound, and which were not when
    /// the statement at hand began.
    llvm::BitVector bound = {};
    /// What the statement at hand reads and binds.
    llvm::SmallVector<unsigned, 2> readsRight = {}, binds = {};
    bool readsSide = true;
    /// The names of its temporaries, by what the body calls them.
    llvm::StringMap<ast::Name> temporaries = {};
    /// Of a built-in macro: its statements, until it is through.
    Statements made = {};
    Turns turns = {}; ///< Of the loops that are open, the outermost first.
    const SourceRange &range() const { return site.tags.front().range; }
  };

  // ---- RunItems.cpp. They return false where the block cannot go on.
  bool runBlock(const ast::Block &block);
  bool run(const ast::Statement &written);
  bool run(const ast::Let &let);
  bool run(const ast::For &loop);
  bool run(const ast::If &choice);
  bool run(const ast::Assert &assertion);
  bool run(const ast::Include &include);
  bool run(const std::shared_ptr<const ast::MacroDefinition> &definition);
  void runAtTop(const ast::Statement &written);
  bool runInBody(const ast::Statement &written);
  void runCalls(Statements group);
  /// Gives out a statement of a body whose names are final.
  bool emit(ast::Statement statement);
  bool takeStep(SourceRange range);
  bool countExprSteps(uint64_t count, const Expr &expr);
  bool canGoOn() const;
  std::optional<Constant> valueOf(const Expr &expr);
  std::optional<int64_t> boundOf(const Expr &expr);
  std::optional<bool> truthOf(const Expr &expr);
  bool faultOf(const ExprFault &fault);
  /// Reports, also what is but a warning; returns false.
  bool error(const DiagnosticKind &kind, SourceRange range, std::string message,
             std::vector<Note> notes = {});
  /// What a statement at this point is an expansion of.
  ast::ExpansionId context();
  Turns &turns() { return frame ? frame->turns : turnsAtTop; }
  /// A statement for reports about what is none.
  ast::Statement placeOf(SourceRange range);

  // ---- WarnBlocks.cpp
  void warnBlocks(const ast::Block &body);

  // ---- DefineMacro.cpp
  bool checkParameters(const ast::MacroDefinition &definition);
  bool prepare(ast::Block &block, const ast::MacroDefinition &definition);

  // ---- CallMacro.cpp
  /// The macro of a statement with a tag; reports and returns null where none
  /// takes as many names.
  const KnownMacro *macroOf(const ast::Statement &site);
  bool waits(const KnownMacro &macro) const {
    return macro.isBuiltIn || macro.asksDegrees;
  }
  bool call(ast::Statement site, const KnownMacro &macro);
  bool checkSite(const ast::Statement &site, const KnownMacro &macro);
  bool bindAttributes(const ast::Statement &site, const KnownMacro &macro);
  std::optional<Constant> attributeValue(const ast::Attribute &attribute);
  std::optional<Constant>
  defaultOf(const ast::MacroDefinition::AttributeParameter &attribute);
  void bindParameters(Frame &callee);
  /// Emits renames so that the left names which the call binds anew are read
  /// before.
  bool putArgumentsAside(ast::Statement &site);
  /// Puts temporaries in place of right names `_`, as a body may do with a
  /// parameter what cannot be done with `_`.
  void nameDiscards(ast::Statement &site);
  bool checkParametersBound(const Frame &callee);
  bool giveOutBuiltIn(Frame &callee);
  bool resolve(const ast::Statement &statement, ast::Name &name,
               NameSource source) override;
  const ast::Name &temporaryOf(const ast::Statement &statement,
                               const std::string &name,
                               std::optional<int64_t> element);
  bool resolveParameter(ast::Name &name);
  void beginSide(bool isRight) override;
  bool namesMayHoldAnything() const override { return frame != nullptr; }

  // ---- AskTensors.cpp
  ExprResult<Constant> askTensor(const TensorQuestion &question);
  ExprResult<ast::Name> tensorOf(const Expr &expr);
  ExprResult<Constant> askShape(const TensorQuestion &question,
                                const ast::Name &name);
  ExprResult<Constant> askDegree(const TensorQuestion &question,
                                 const ast::Name &name);
  std::expected<ShapesSoFar::Found, std::string> shapeOf(const ast::Name &name);
  ShapesSoFar *shapes();
  void followNames(ShapesSoFar &following);
  void follow(ShapesSoFar &following, const Group &group, size_t begin);

  Expander &expander;
  MacroSet enabled;
  Frame *frame = nullptr; ///< Of the body that runs.
  Turns turnsAtTop;
  unsigned numCalls = 0, depth = 0;
  uint64_t numSteps = 0, numExprSteps = 0;
  bool stopped = false;

  /// Stage Names.
  bool keepsLive = false;
  std::vector<Group> groups;
  /// Stage Operations: the statement at hand.
  std::optional<size_t> index;

  std::unique_ptr<ShapesSoFar> following;
  /// How much of the groups, or of the result, it has taken.
  size_t numGroupsFollowed = 0, numFollowed = 0;
  bool followsOperations = false;
  /// While a built-in call runs for its shapes only.
  ShapesSoFar *shapesOnly = nullptr;
  /// Names whose shapes are not known yet: the tag that makes them, and what is
  /// wrong with its call. Nothing is: they depend on ranks.
  struct Waiting {
    std::string tag, fault;
  };
  llvm::StringMap<Waiting> waiting;
  /// Names by stage Operations, made when something asks.
  std::unique_ptr<NameIndex> lateNames;
  size_t numLate = 0;
};

/// What one written statement becomes by the macros of stage Names.
Statements expandNames(Expander &expander, ast::Statement statement,
                       bool hadList, MacroSet enabled);

/// Takes note of what statements read, remove and bind. All of a group's read
/// before one of them binds.
void updateNames(NameIndex &names, llvm::ArrayRef<ast::Statement> group);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_RUNNER_H
