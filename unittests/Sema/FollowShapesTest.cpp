//===- FollowShapesTest.cpp - Shapes of names, one by one -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SemaTest.h"

#include "aoa/Sema/FollowShapes.h"

#include <chrono>

using namespace aoa;
using namespace aoa::test;

namespace {

ast::Name written(llvm::StringRef text) {
  ast::Name name;
  name.quoted = text.consume_front("\"") && text.consume_back("\"");
  name.transposed = text.consume_back("^T");
  name.text = text.str();
  return name;
}

/// `F32 [2, 3]`, or why nothing is known behind "!".
std::string
print(const std::expected<FollowShapes::Found, std::string> &found) {
  if (!found)
    return "! " + found.error();
  return std::string(nameOf(found->dtype)) + " " + formatShape(found->shape);
}

/// A script of which statements are taken one by one.
struct Following {
  explicit Following(std::string text, std::vector<Tensor> tensors,
                     Target target = {},
                     ast::Dialect dialect = ast::Dialect::Aoa)
      : text(std::move(text)), script(TinyParser(this->text, dialect).parse()),
        source(catalogOf(std::move(tensors))),
        shapes(dialect, &source, target) {}

  Following &take(size_t count = SIZE_MAX) {
    for (; count != 0 && at != script.statements.size(); --count)
      shapes.take(script.statements[at++]);
    return *this;
  }
  std::string find(llvm::StringRef name) {
    return print(shapes.find(written(name)));
  }

  std::string text;
  ast::Script script;
  Catalog source;
  FollowShapes shapes;
  size_t at = 0;
};

/// What the analysis gives a name that reads `name` behind the first `count`
/// statements of `text`.
std::string analyzed(const std::string &text, size_t count,
                     const ast::Name &name, std::vector<Tensor> tensors,
                     ast::Dialect dialect) {
  ast::Script script = TinyParser(text, dialect).parse();
  script.statements.resize(count);
  ast::Statement &probe = script.statements.emplace_back();
  probe.left.push_back(name);
  probe.right.push_back(written("probe"));
  Catalog source = catalogOf(std::move(tensors));
  DiagnosticList diagnostics;
  ir::Program program = analyze(script, source, {}, diagnostics);
  if (diagnostics.numErrors() != 0)
    return diagnostics.list.front().message;
  for (const ir::Result &result : program.results)
    if (result.name == "probe") {
      const ir::Value &value = program.value(result.value);
      return print(FollowShapes::Found{
          value.dtype, Shape(value.shape.begin(), value.shape.end())});
    }
  return "nothing";
}

/// Compares what is found of every right name, right behind the statement that
/// binds it, with what the analysis gives.
void expectTheAnalysis(const std::string &text, std::vector<Tensor> source,
                       ast::Dialect dialect = ast::Dialect::Aoa) {
  Following following(text, source, {}, dialect);
  for (const ast::Statement &statement : following.script.statements) {
    following.take(1);
    for (ast::Name name : statement.right)
      for (bool transposed : {false, true}) {
        if (name.isDiscard())
          continue;
        name.transposed = transposed;
        std::string expected =
            analyzed(text, following.at, name, source, dialect);
        EXPECT_EQ(print(following.shapes.find(name)), expected)
            << text << ", " << name.text;
        EXPECT_TRUE(llvm::StringRef(expected).ends_with("]")) << expected;
      }
  }
}

const std::vector<Tensor> ends = {
    {"a", DType::F32, {4, 6}},     {"b", DType::F32, {4, 6}},
    {"c", DType::BF16, {4, 3, 2}}, {"i", DType::I32, {8}},
    {"e", DType::F32, {0, 6}},     {"s", DType::F32, {}}};

TEST(FollowShapes, GivesWhatTheAnalysisGives) {
  for (const char *text : {
           "a -> x",
           "a^T -> x",
           "c^T -> x",
           "a, b -> x, axis=-1",
           "a^T, b^T -> x, axis=0",
           "a, b -> x, axis=0, groups=2",
           "a -> x, y, axis=1",
           "a -> x, _, y, axis=1, sizes=[1, 2, 3]",
           "a -> x, y, axis=0, groups=2",
           "a, b -> x, stack=-1",
           "c -> x, y, z, unstack=1",
           "a -> x, stack=0",
           "a, b -> x, tie=verify",
           "a -> x, y, copy",
           "c -> x, permute=[2, 0, 1]",
           "c -> x, permute=[]",
           "a -> x, dtype=bfloat16",
           "i -> x, dtype=I64",
           "a -> x, reshape=[3, -1]",
           "e -> x, reshape=[6, 0]",
           "a -> x, rearrange='(h p) c -> p (h c)', h=2",
           "a -> x, slice='1:3, :2'",
           "a -> x, pad=[[0, 3], [1, 0]]",
           "a -> x, pad=[[0, 3], [0, 0]], value=last",
           "a -> x, repeat=3, axis=0, block=2",
           "a -> x, dedup=2, axis=0, block=2",
           "a -> x, scale=0.5, plus=1.0",
           "a, b -> x, axis=0, dtype=bfloat16, reshape=[-1]",
           "a -> x, y, permute=[1, 0], axis=0",
           "_ -> x, shape=[2, 5], dtype=float16, value=1",
           "s -> x, reshape=[1, 1]",
           "a -> %t\n%t^T -> x\nx -> y, z, axis=0",
           "a -> %t\nb -> \"%t\", permute=[]\n%t -> x",
           "a -> x, axis=0\nx -> y, slice=':2'\nb -> _",
       })
    expectTheAnalysis(text, ends);
}

TEST(FollowShapes, GivesWhatTheAnalysisGivesOfPaddle) {
  for (const char *text : {
           "a, b -> x, axis=1",
           "a -> x, y, axis=0",
           "c -> x, permute='[2, 0, 1]'",
           "a -> x, dtype='bfloat16'",
           "a^T -> x",
       })
    expectTheAnalysis(text, ends, ast::Dialect::Paddle);
}

TEST(FollowShapes, FindsWhatANameReadsNow) {
  Following following("a -> a, permute=[]\n"
                      "a -> a, reshape=[3, 8]\n"
                      "a -> %a, reshape=[24]\n"
                      "b -> \"%a\"",
                      ends);
  EXPECT_EQ(following.find("a"), "F32 [4, 6]");
  EXPECT_EQ(following.find("c"), "BF16 [4, 3, 2]");
  EXPECT_EQ(following.find("c^T"), "BF16 [2, 3, 4]");
  EXPECT_EQ(following.find("s^T"), "F32 []");
  following.take(1);
  EXPECT_EQ(following.find("a"), "F32 [6, 4]");
  EXPECT_EQ(following.find("a^T"), "F32 [4, 6]");
  following.take(1);
  EXPECT_EQ(following.find("a"), "F32 [3, 8]");
  following.take();
  EXPECT_EQ(following.find("%a"), "F32 [24]");
  EXPECT_EQ(following.find("\"%a\""), "F32 [4, 6]");
  // What was moved can be read again.
  EXPECT_EQ(following.find("a"), "F32 [3, 8]");
}

TEST(FollowShapes, LooksWithoutReading) {
  Following following("a -> _", ends);
  EXPECT_EQ(following.find("a"), "F32 [4, 6]");
  EXPECT_EQ(following.take().find("a"), "! `a` was removed before");
}

TEST(FollowShapes, SaysWhyNothingIsKnown) {
  Following following("weight -> w\n"
                      "a, c -> x, axis=0\n"
                      "x -> y\n"
                      "y, a -> z, axis=0\n"
                      "a -> p, q, r, s, axis=1\n"
                      "b -> keep\n"
                      "_ -> free",
                      ends);
  following.take();
  EXPECT_EQ(following.find("weight"),
            "! `weight` is neither bound before nor a tensor of the source");
  EXPECT_EQ(following.find("keeq"),
            "! `keeq` is neither bound before nor a tensor of the source; did "
            "you mean `keep`?");
  EXPECT_EQ(following.find("w"),
            "! the statement that binds `w` is at fault: `weight` is neither "
            "bound before nor a tensor of the source");
  const std::string reason = following.find("x");
  EXPECT_TRUE(llvm::StringRef(reason).starts_with(
      "! the statement that binds `x` is at fault: "))
      << reason;
  EXPECT_GT(reason.size(), 50U);
  // Of a consequence the first cause is told.
  for (const char *name : {"y", "z"}) {
    std::string expected = reason;
    expected.replace(expected.find("`x`"), 3, std::string("`") + name + "`");
    EXPECT_EQ(following.find(name), expected);
  }
  EXPECT_EQ(following.find("p"), following.find("p"));
  EXPECT_NE(
      following.find("r").find("the statement that binds `r` is at fault: "),
      std::string::npos);
  EXPECT_EQ(following.find("free"),
            "! the statement that binds `free` is at fault: nothing gives the "
            "shape and dtype of `free`: a full target does not say them");
  EXPECT_EQ(following.find("keep"), "F32 [4, 6]");
  EXPECT_EQ(following.find("_"), "! `_` is no tensor");
}

TEST(FollowShapes, ForgetsAFaultWhereANameIsBoundAnew) {
  Following following("gone -> x\n"
                      "a -> x",
                      ends);
  EXPECT_TRUE(llvm::StringRef(following.take(1).find("x")).contains("fault"));
  EXPECT_EQ(following.take(1).find("x"), "F32 [4, 6]");
}

TEST(FollowShapes, KnowsWhatTheTargetGives) {
  Catalog list = catalogOf({{"n", DType::F16, {7}}});
  Target target;
  target.list = &list;
  Following following("_ -> n", ends, target);
  EXPECT_EQ(following.take().find("n"),
            "! `n` is left to the caller, so nothing can read it");
}

TEST(FollowShapes, KnowsTensorsOfTheModelOnly) {
  Target target;
  target.states = StateConvention::Paddle;
  Following following(
      "w -> x, permute=[]",
      {{"w", DType::BF16, {4, 6}}, {"w.moment1_0", DType::F32, {4, 6}}},
      target);
  EXPECT_EQ(following.take().find("x"), "BF16 [6, 4]");
  EXPECT_EQ(following.find("w.moment1_0"),
            "! `w.moment1_0` is the first moment of `w`, and states follow "
            "their tensor by themselves: name the tensor");
}

TEST(FollowShapes, KnowsNothingWithoutASource) {
  FollowShapes shapes(ast::Dialect::Aoa, nullptr, {});
  const std::string text = "_ -> x, shape=[2], dtype=F32\nx -> y";
  for (const ast::Statement &each :
       TinyParser(text, ast::Dialect::Aoa).parse().statements)
    shapes.take(each);
  EXPECT_EQ(print(shapes.find(written("y"))),
            "! nothing is known of `y` without a source, of which `--source` "
            "names one");
}

TEST(FollowShapes, KeepsNoPlacesOfAScriptInTheMaking) {
  Following following("a -> x", ends);
  // No expansion has this number in the follower's own script.
  following.script.statements[0].expansion = ast::ExpansionId(1234);
  EXPECT_EQ(following.take().find("x"), "F32 [4, 6]");
}

/// Seconds for `count` statements, half of them at fault, with a look after
/// each.
double secondsFor(unsigned count) {
  std::vector<Tensor> tensors;
  std::string text;
  for (unsigned i = 0; i != count / 2; ++i) {
    std::string id = std::to_string(i);
    tensors.push_back({"w." + id, DType::F32, {4, 6}});
    text += "w." + id + "^T -> x." + id + "\nx." + id + ", gone." + id +
            " -> y." + id + ", axis=0\n";
  }
  Following following(text, tensors);
  auto begin = std::chrono::steady_clock::now();
  for (const ast::Statement &statement : following.script.statements) {
    following.shapes.take(statement);
    auto found = following.shapes.find(statement.right.front());
    EXPECT_EQ(found.has_value(), statement.right.front().text[0] == 'x');
    following.shapes.find(written("nothing.of.this"));
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

TEST(FollowShapes, TakesLinearTime) {
  // The nearest spelling is looked for with a bounded effort; with it for every
  // name this would take an hour.
  EXPECT_LT(secondsFor(47'000), 20.0);
}

} // namespace
