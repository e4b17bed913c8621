//===- RoundTripTest.cpp - A program as text and back -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IRText/IRText.h"

#include "gtest/gtest.h"

#include <random>

using namespace aoa;

namespace {

const char sound[] = R"(aoir 1
source a : F32 [4] {
  shard 0 on ranks {0..1} [2] scale 2 {
    box [2] full [0] shard [0]
  }
  shard 1 on ranks {2} [2] {
    block [2] full{2 : 1} shard{0 : 1}
  }
}
graph {
  %0 = source a : F32 [4]
  %1, %2 = split %0 axis=0 : F32 [2] as b, c
}
result b = %1 : F32 [2] {
  piece [2] a{0 : 1} b{0 : 1}
}
result c = %2 : F32 [2] {
  piece [2] a{2 : 1} c{0 : 1}
}
layout b {
  shard 0 on ranks {0} [2] {
    box [2] full [0] shard [0]
  }
}
layout c {
  shard 0 on ranks {1} [2] {
    box [2] full [0] shard [0]
  }
}
transfer b = F32 [2] {
  shard 0 on ranks {0} [2] {
    piece [2] a@0{0 : 1} b@0{0 : 1} ops F32 -> /2
  }
}
transfer c = F32 [2] {
  shard 0 on ranks {1} [2] {
    piece [2] a@1{0 : 1} c@0{0 : 1}
  }
}
)";

std::optional<ParsedProgram> parse(const std::string &text,
                                   DiagnosticSink &sink) {
  SourceManager sources;
  return parseProgram(sources, sources.add("x.aoir", text), sink);
}

TEST(RoundTrip, KeepsWhatTextLacks) {
  DiagnosticList sink;
  auto parsed = parse(sound, sink);
  ASSERT_TRUE(parsed);
  ir::Program &program = parsed->program;
  program.ops[1].range = {FileId(7), 11, 13};
  program.ops[1].expansion = ast::ExpansionId(3);
  EXPECT_EQ(roundTrip(program), std::nullopt);
  EXPECT_EQ(program.ops[1].range, (SourceRange{FileId(7), 11, 13}));
  EXPECT_EQ(program.ops[1].expansion, ast::ExpansionId(3));
  EXPECT_EQ(program.source, parsed->source.get());
  EXPECT_EQ(ir::verify(program), std::nullopt);
}

TEST(RoundTrip, SaysWhatDoesNotComeBack) {
  DiagnosticList sink;
  auto parsed = parse(sound, sink);
  ASSERT_TRUE(parsed);
  parsed->program.values[1].dtype = DType::F16;
  auto fault = roundTrip(parsed->program);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->find("F16"), std::string::npos) << *fault;
}

/// Classes are divided by geometry: b is scaled and c is not.
TEST(RoundTrip, FindsClasses) {
  DiagnosticList sink;
  auto parsed = parse(sound, sink);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->program.classes.size(), 2u);
  std::string text = sound;
  auto replaceAll = [&](const std::string &from, const std::string &to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  };
  replaceAll("piece [2] a{2 : 1} c", "piece [2] a{0 : 1} c");
  replaceAll("a@1{0 : 1} c@0{0 : 1}", "a@0{0 : 1} c@0{0 : 1} ops F32 -> /2");
  parsed = parse(text, sink);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->program.classes.size(), 1u);
  EXPECT_EQ(parsed->program.classes[0].numResults, 2u);
}

/// Texts with bytes and lines changed at random are refused or come back.
TEST(ParseProgram, SurvivesChangedTexts) {
  constexpr uint64_t seed = 4;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::string bytes = "{}[]:,=@%*/.-0129 \n\"\\a;\xC3 piece shard";
  unsigned refused = 0, taken = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = sound;
    for (unsigned changes = 1 + random() % 3; changes != 0; --changes) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = bytes[random() % bytes.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, 1, bytes[random() % bytes.size()]);
        break;
      case 3: { // A line goes elsewhere.
        size_t begin = text.rfind('\n', at) + 1;
        std::string line = text.substr(begin, text.find('\n', at) - begin + 1);
        text.erase(begin, line.size());
        text.insert(text.rfind('\n', random() % (text.size() + 1)) + 1, line);
        break;
      }
      }
      if (text.empty())
        break;
    }
    DiagnosticList sink;
    auto parsed = parse(text, sink);
    EXPECT_EQ(parsed.has_value(), sink.numErrors() == 0) << text;
    ++(parsed ? taken : refused);
    if (parsed) {
      EXPECT_EQ(roundTrip(parsed->program), std::nullopt) << text;
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(taken, 50u);
}

TEST(ParseProgram, GivesUpOnATextOfErrors) {
  DiagnosticList sink;
  std::string text = "aoir 1\n";
  for (int i = 0; i < 100000; ++i)
    text += "{[{[{[\n";
  EXPECT_FALSE(parse(text, sink));
  EXPECT_EQ(sink.numErrors(), 100u);
  DiagnosticList deep;
  EXPECT_FALSE(parse("aoir 1\n" + std::string(1000000, '['), deep));
  DiagnosticList wide;
  EXPECT_FALSE(parse("aoir 1\n" + std::string(5000000, 'a'), wide));
}

} // namespace
