//===- StoredNameTest.cpp - What ranks call their tensors -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StoredName.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/PlaceTensor.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace aoa;

namespace {

Layout layoutOf(std::string_view mesh, std::string_view place) {
  DiagnosticList list;
  std::string json = fmt::format(
      R"({{"schema": "aoa.layout/1", "mesh": {}, "rules": [{{"match": "*",
"replicate": true}}], "place": [{}]}})",
      mesh, place);
  std::optional<Layout> layout = parseLayout(json, FileId(0), list);
  EXPECT_TRUE(layout.has_value()) << list.list[0].message;
  return layout ? std::move(*layout) : Layout();
}

std::string storedOn(const Layout &layout, std::string_view name,
                     int64_t rank) {
  StoredNames names(layout, *layout.findRule(name), name);
  auto stored = names.onRank(rank);
  return stored ? std::string(*stored) : "! " + stored.error().str();
}

std::string tensorOf(const Layout &layout, std::string_view stored,
                     int64_t rank) {
  TensorsByStoredName tensors(layout);
  auto tensor = tensors.tensorOf(stored, rank);
  if (!tensor)
    return "! " + tensor.error().str();
  return tensor->value_or("-");
}

/// Stores `names` on every rank that holds them and reads them back.
void checkRoundTrip(const Layout &layout,
                    const std::vector<std::string> &names) {
  TensorsByStoredName tensors(layout);
  for (const std::string &name : names) {
    const LayoutRule &rule = *layout.findRule(name);
    auto holders = ranksHolding(layout, rule, name);
    ASSERT_TRUE(holders.has_value()) << holders.error().str();
    for (uint32_t rank : *holders) {
      std::string stored = storedOn(layout, name, rank);
      auto tensor = tensors.tensorOf(stored, rank);
      ASSERT_TRUE(tensor.has_value()) << stored << tensor.error().str();
      EXPECT_EQ(*tensor, name) << stored << " on rank " << rank;
    }
  }
}

std::vector<std::string> layers(int count) {
  std::vector<std::string> names = {"embed"};
  for (int i = 0; i < count; ++i)
    for (std::string_view rest : {"w", "norm.b", "x.1"})
      names.push_back(fmt::format("layers.{}.{}", i, rest));
  return names;
}

TEST(StoredName, NamesByCapturesAndCoordinates) {
  Layout layout = layoutOf(R"({"pp": 2, "tp": 2})",
                           R"({"match": "layers.{i}.{rest*}",
"on": {"pp": "i // 20"}, "stored_as": "layers.{i - 20*pp}.{rest}"},
{"match": "*x.1", "stored_as": "never"})");
  EXPECT_EQ(storedOn(layout, "layers.3.w", 0), "layers.3.w");
  EXPECT_EQ(storedOn(layout, "layers.23.norm.b", 3), "layers.3.norm.b");
  EXPECT_EQ(storedOn(layout, "layers.23.x.1", 2), "layers.3.x.1")
      << "the first entry decides";
  EXPECT_EQ(storedOn(layout, "embed", 3), "embed");
  EXPECT_EQ(storedOn(layout, "layers.3.w", 2),
            "! `stored_as` of `layers.3.w` on rank 2: `i - 20*pp` is -17, "
            "expected a whole number from 0 on");
  checkRoundTrip(layout, layers(40));
  EXPECT_EQ(tensorOf(layout, "layers.3.w", 3), "layers.23.w");
  EXPECT_EQ(tensorOf(layout, "layers.23.w", 3), "-");
  EXPECT_EQ(tensorOf(layout, "embed", 1), "embed");
}

TEST(StoredName, SolvesWhatIsNotLinear) {
  std::string_view mesh = R"({"pp": 3, "tp": 2})";
  for (
      std::string_view place :
      {R"({"match": "layers.{i}.{r*}", "on": {"pp": "i // 4"},
"stored_as": "layers.{i % 4}.{r}"})",
       R"({"match": "layers.{i}.{r*}", "on": {"pp": "i // 2 % 3"},
"stored_as": "layers.{i // 6 * 2 + i % 2}.{r}"})",
       R"({"match": "layers.{i}.{r*}", "on": {"pp": "(11 - i) // 4"},
"stored_as": "{r}/{11 - i - 4*pp}"})",
       R"({"match": "layers.{i}.{r*}", "on": {"pp": "i // 4"},
"stored_as": "{r}.{-i + 4*pp + 3}"})",
       R"({"match": "layers.{i}.{r*}", "on": {"pp": "i % 3"},
"stored_as": "layers.{(i - pp) / 3}.{r}"})",
       R"({"match": "layers.{i}.{r*}", "stored_as": "{2*i + 1}.{r}"})",
       R"({"match": "layers.{i}.{r*}", "stored_as": "layers.{max(i, 0)}.{r}"})",
       R"({"match": "layers.{i}.{r*}", "on": {"pp": {"blocks": [1, 9, 2], "of": "i"}},
"stored_as": "layers.{i - min(pp, 1) - 9*max(pp - 1, 0)}.{r}"})"})
    checkRoundTrip(layoutOf(mesh, place), layers(12));
}

TEST(StoredName, SolvesOneExpressionAfterTheOther) {
  Layout layout = layoutOf(R"({"ep": 2})",
                           R"({"match": "{a*}.{i}.e.{e}.{b*}",
"on": {"ep": "e % 2"}, "stored_as": "{b}.{i + 10*(e // 2)}.{e // 2}.{a}"})");
  std::vector<std::string> names;
  for (int i = 0; i < 3; ++i)
    for (int e = 0; e < 6; ++e)
      names.push_back(fmt::format("m.l.{}.e.{}.up.w", i, e));
  checkRoundTrip(layout, names);
}

TEST(StoredName, RefusesWhatMayBeSeveral) {
  Layout modulo = layoutOf(R"({"pp": 2})", R"({"match": "l.{i}.w",
"stored_as": "l.{i % 4}.w"})");
  EXPECT_EQ(tensorOf(modulo, "l.1.w", 0),
            "! there are more than 10000 tensors that place[0] may store so");
  Layout half = layoutOf(R"({"pp": 2})", R"({"match": "l.{i}.w",
"stored_as": "l.{i // 2}.w"})");
  EXPECT_EQ(tensorOf(half, "l.1.w", 0), "! it may be `l.2.w` or `l.3.w`: the "
                                        "layout stores both under this name");
  Layout star = layoutOf(R"({"pp": 2})", R"({"match": "l.{i}.*",
"stored_as": "l.{i + 1}.w"})");
  EXPECT_EQ(tensorOf(star, "l.4.w", 0), "-") << "what `*` was is not said";
  Layout clash = layoutOf(R"({"pp": 2})", R"({"match": "a",
"stored_as": "b"})");
  EXPECT_EQ(tensorOf(clash, "b", 1), "a") << "not the one that is called so";
  EXPECT_EQ(tensorOf(clash, "a", 1), "-");
  std::string many = R"({"match": "{a*}{b*}{c*}{d*}{e*}{f*}",
"stored_as": "{f}{e}{d}{c}{b}{a}"})";
  EXPECT_NE(tensorOf(layoutOf("{}", many), std::string(200, 'x'), 0)
                .find("more than 10000 ways"),
            std::string::npos);
}

TEST(StoredName, KeepsTheEndOfStates) {
  Layout layout = layoutOf(R"({"pp": 2})", R"({"match": "l.{i}.w",
"on": {"pp": "i // 2"}, "stored_as": "l.{i - 2*pp}.w"})");
  layout.useStates(StateConvention::DeepSpeed);
  EXPECT_EQ(storedOn(layout, "l.3.w.exp_avg", 1), "l.1.w.exp_avg");
  checkRoundTrip(
      layout, {"l.3.w.exp_avg", "l.3.w.step", "l.0.w.fp32", "l.2.w", "l.3.w"});
}

TEST(StoredName, SaysWhatIsWrong) {
  auto fault = [](std::string_view text) {
    auto name = StoredName::parse(text, FileId(0), 10);
    return name ? ""
                : fmt::format("{}: {}", name.error().range.begin,
                              name.error().message);
  };
  EXPECT_EQ(fault(""), "10: the name is empty");
  EXPECT_EQ(fault("a}"), "11: `}` without `{`");
  EXPECT_EQ(fault("a{i"), "11: `{` is not closed by `}`");
  EXPECT_EQ(fault("{i}{}").substr(0, 14), "14: found `}`,");
  EXPECT_EQ(fault("{i j}"), "13: found `j`, expected an operator or `}`");
  EXPECT_EQ(fault(std::string(5000, 'a')),
            "10: the name has 5000 bytes, more than 4096");
  EXPECT_EQ(fault("{'}'}{[1, {2}][0]}").substr(0, 2), "20");
  Layout empty = layoutOf("{}", R"({"match": "{a*}", "stored_as": "{a}"})");
  EXPECT_EQ(storedOn(empty, "", 0),
            "! `stored_as` of `` on rank 0: the name is empty");
  Layout half = layoutOf("{}", R"({"match": "a{i}", "stored_as": "{0.5*i}"})");
  EXPECT_EQ(storedOn(half, "a3", 0), "! `stored_as` of `a3` on rank 0: "
                                     "`0.5*i` is 1.5, expected a whole number "
                                     "from 0 on");
}

} // namespace
