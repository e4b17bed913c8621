//===- SourceManagerTest.cpp - Lines and columns ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/SourceManager.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

std::string lineAndColumn(const SourceManager &sources, FileId file,
                          uint32_t offset) {
  SourceManager::Position at = sources.position(file, offset);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
         at.lineText.str();
}

TEST(SourceManager, positionsCountLinesAndBytesFromOne) {
  SourceManager sources;
  FileId file = sources.add("a.aoa", "ab\ncd\r\ne\rf");
  EXPECT_EQ(lineAndColumn(sources, file, 0), "1:1 ab");
  EXPECT_EQ(lineAndColumn(sources, file, 2), "1:3 ab");
  EXPECT_EQ(lineAndColumn(sources, file, 3), "2:1 cd");
  EXPECT_EQ(lineAndColumn(sources, file, 5), "2:3 cd");
  EXPECT_EQ(lineAndColumn(sources, file, 7), "3:1 e");
  EXPECT_EQ(lineAndColumn(sources, file, 9), "4:1 f");
  EXPECT_EQ(lineAndColumn(sources, file, 10), "4:2 f");
}

TEST(SourceManager, offsetsBehindTheTextAreItsEnd) {
  SourceManager sources;
  EXPECT_EQ(lineAndColumn(sources, sources.add("e", ""), 7), "1:1 ");
  EXPECT_EQ(lineAndColumn(sources, sources.add("n", "a\n"), 7), "2:1 ");
}

TEST(SourceManager, mapsBytesOfStringsWithoutEscapes) {
  SourceManager sources;
  FileId json = sources.add("s.json", R"({"aoa_statements": ["a -> b"]})");
  FileId script = sources.add("s.json", "a -> b\n");
  sources.mapRange(script, 0, 6, {json, 21, 27});
  EXPECT_EQ(sources.resolve({script, 2, 4}), (SourceRange{json, 23, 25}));
  EXPECT_EQ(sources.resolve({script, 6, 7}), (SourceRange{json, 27, 27}));
  EXPECT_EQ(sources.resolve({json, 1, 2}), (SourceRange{json, 1, 2}));
  EXPECT_EQ(sources.resolve({}), SourceRange{});
}

TEST(SourceManager, mapsEscapesAsAWhole) {
  SourceManager sources;
  FileId json = sources.add("s.json", std::string(60, 'x'));
  FileId script = sources.add("s.json", "a -> b\nc -> d\n");
  sources.mapRange(script, 0, 6, {json, 10, 22});
  sources.mapRange(script, 7, 13, {json, 30, 36});
  EXPECT_EQ(sources.resolve({script, 5, 6}), (SourceRange{json, 10, 22}));
  EXPECT_EQ(sources.resolve({script, 7, 8}), (SourceRange{json, 30, 31}));
  EXPECT_EQ(sources.resolve({script, 0, 13}), (SourceRange{json, 10, 36}));
  EXPECT_TRUE(sources.isMappedWithoutGap({script, 7, 13}));
  EXPECT_FALSE(sources.isMappedWithoutGap({script, 5, 8}));
  EXPECT_FALSE(sources.isMappedWithoutGap({script, 7, 14}));
}

TEST(SourceManager, mapsRunsBetweenEscapes) {
  SourceManager sources;
  FileId json = sources.add("s.json", R"(["\"a\" -> b"])");
  FileId script = sources.add("s.json", "\"a\" -> b\n");
  sources.mapRange(script, 0, 1, {json, 2, 4});
  sources.mapRange(script, 1, 2, {json, 4, 5});
  sources.mapRange(script, 2, 3, {json, 5, 7});
  sources.mapRange(script, 3, 8, {json, 7, 12});
  EXPECT_EQ(sources.resolve({script, 0, 3}), (SourceRange{json, 2, 7}));
  EXPECT_EQ(sources.resolve({script, 1, 2}), (SourceRange{json, 4, 5}));
  EXPECT_EQ(sources.resolve({script, 7, 8}), (SourceRange{json, 11, 12}));
  EXPECT_TRUE(sources.isMappedWithoutGap({script, 0, 8}));
  EXPECT_FALSE(sources.isMappedWithoutGap({script, 0, 9}));
}

TEST(SourceManager, placesBehindAnEscapeAreBehindIt) {
  SourceManager sources;
  FileId json = sources.add("s.json", R"(["a\""])");
  FileId script = sources.add("s.json", "a\"\n");
  sources.mapRange(script, 0, 1, {json, 2, 3});
  sources.mapRange(script, 1, 2, {json, 3, 5});
  EXPECT_EQ(sources.resolve({script, 2, 2}), (SourceRange{json, 5, 5}));
}

TEST(SourceManager, openSaysWhatCouldNotBeRead) {
  SourceManager sources;
  auto missing = sources.open("/no/such/file.aoa");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind(), ErrorKind::Io);
  EXPECT_EQ(missing.error().str(),
            "reading `/no/such/file.aoa`: No such file or directory");
  auto folder = sources.open("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().str(), "reading `/`: it is a directory");
}

} // namespace
