//===- HeaderTest.cpp - Reading safetensors headers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/Safetensors/Header.h"
#include "HeaderBytes.h"

#include <chrono>
#include <fmt/format.h>

using namespace aoa;
using namespace aoa::safetensors;

namespace {

Expected<Header> parse(std::string_view json, int64_t dataBytes) {
  std::string prefix = headerBytes(json);
  return parseHeader(prefix, static_cast<int64_t>(prefix.size()) + dataBytes);
}

std::string errorOf(std::string_view json, int64_t dataBytes) {
  Expected<Header> header = parse(json, dataBytes);
  return header ? "no error" : header.error().str();
}

std::string errorOf(const Expected<Header> &header) {
  return header ? "no error" : header.error().str();
}

/// An entry of two bytes at offset 0, with its fields as given.
std::string oneEntry(std::string_view fields) {
  return fmt::format(R"({{"a":{{{}}}}})", fields);
}

TEST(Header, ReadsEntriesInFileOrder) {
  auto header = parse(R"({"__metadata__":{"format":"pt"},)"
                      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},)"
                      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                      6);
  ASSERT_TRUE(header) << errorOf(header);
  ASSERT_EQ(header->entries.size(), 2u);
  EXPECT_EQ(header->entries[0].name, "a");
  EXPECT_EQ(header->entries[0].dtype, DType::F32);
  EXPECT_EQ(header->entries[0].shape, Shape());
  EXPECT_EQ(header->entries[0].atBytes, header->dataStart);
  EXPECT_EQ(header->entries[0].sizeBytes, 4);
  EXPECT_EQ(header->entries[1].name, "b");
  EXPECT_EQ(header->entries[1].atBytes, header->dataStart + 4);
  EXPECT_EQ(header->metadata, (Metadata{{"format", "pt"}}));
  EXPECT_EQ(header->fileBytes, header->dataStart + 6);
  EXPECT_NE(header->fingerprint, 0u);
}

TEST(Header, TakesWhatTheReferenceTakes) {
  EXPECT_TRUE(parse("{}", 0));
  EXPECT_TRUE(parse(" \n\t\r{}  ", 0));
  EXPECT_TRUE(parse(R"({"__metadata__":{}})", 0));
  // Empty tensors at the start, between and at the end, a name with escapes.
  EXPECT_TRUE(parse(R"({"e":{"dtype":"U8","shape":[0],"data_offsets":[2,2]},)"
                    R"("a":{"data_offsets":[0,2],"dtype":"U8","shape":[2]},)"
                    R"("\u00e9\n\ud83d\ude00":{"dtype":"F64","shape":[3,0],)"
                    R"("data_offsets":[0,0]}})",
                    2));
  // Sub-byte elements: shapes count elements, two a byte.
  EXPECT_TRUE(
      parse(R"({"a":{"dtype":"F4","shape":[2,2],"data_offsets":[0,2]}})", 2));
}

TEST(Header, FingerprintDependsOnHeaderAndSize) {
  auto one =
      parse(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 2);
  auto same =
      parse(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 2);
  auto other =
      parse(R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}})", 2);
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->fingerprint, same->fingerprint);
  EXPECT_NE(one->fingerprint, other->fingerprint);
}

TEST(Header, ChecksTheLength) {
  EXPECT_EQ(errorOf(parseHeader("1234567", 7)),
            "file of 7 bytes is shorter than the 8 bytes of the header's "
            "length");
  std::string bytes("\0\0\0\0\0\0\0\x80{}", 10);
  EXPECT_EQ(errorOf(parseHeader(bytes, 10)),
            "byte 0: header of 9223372036854775808 bytes is longer than the "
            "100000000 bytes that the format takes");
  bytes = std::string("\3\0\0\0\0\0\0\0{}", 10);
  EXPECT_EQ(errorOf(parseHeader(bytes, 10)),
            "byte 0: header of 3 bytes ends behind the file of 10 bytes");
  EXPECT_NE(errorOf(parseHeader(bytes, 11)), "no error");
}

TEST(Header, RefusesWhatIsNotJson) {
  EXPECT_EQ(errorOf("", 0),
            "byte 8: found the end of the text, expected a value");
  EXPECT_EQ(errorOf("[]", 0), "byte 8: found a list, expected an object");
  EXPECT_EQ(errorOf("\xef\xbb\xbf{}", 0),
            "byte 8: text starts with a byte order mark");
  EXPECT_EQ(errorOf("{}x", 0), "byte 10: `x` follows the end of the value");
  EXPECT_EQ(errorOf("{}{}", 0), "byte 10: `{` follows the end of the value");
  EXPECT_EQ(errorOf(std::string("{}\0", 3), 0),
            "byte 10: byte 0x00 follows the end of the value");
  EXPECT_EQ(errorOf("{\"\xff\":1}", 0), "byte 10: byte 0xFF is not UTF-8");
  EXPECT_EQ(errorOf("{\"a\n\":1}", 0),
            "byte 11: byte 0x0A in a string must be escaped");
  EXPECT_NE(errorOf("{\"a\":1", 0), "no error");
  EXPECT_NE(errorOf("{,}", 0), "no error");
  EXPECT_NE(errorOf(R"({"\ud800":{}})", 0), "no error");
}

TEST(Header, ChecksTheFields) {
  std::string good = R"("dtype":"U8","shape":[2],"data_offsets":[0,2])";
  EXPECT_EQ(errorOf(oneEntry(good), 2), "no error");
  EXPECT_EQ(errorOf(oneEntry(R"("dtype":"U8","shape":[2])"), 2),
            "byte 13: `a`: field `data_offsets` is missing");
  EXPECT_EQ(
      errorOf(oneEntry(good + R"(,"shape":[2])"), 2),
      "byte 60: name `shape` is given twice in one object (first at byte 27)");
  EXPECT_EQ(errorOf(oneEntry(good + R"(,"shap":[2])"), 2),
            "byte 60: `a`: unknown field `shap`; did you mean `shape`?");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U7","shape":[2],"data_offsets":[0,2])"), 2),
      "byte 22: `a`: unknown dtype `U7`");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U8","shape":[2.0],"data_offsets":[0,2])"),
              2),
      "byte 36: `a`: found 2.0, expected a whole number that is not negative");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U8","shape":[2],"data_offsets":[0,2,2])"),
              2),
      "byte 54: `a`: more than two data_offsets");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U8","shape":[2],"data_offsets":[2])"), 2),
      "byte 54: `a`: found 1 data_offsets, expected 2");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U8","shape":[0],"data_offsets":[2,1])"), 2),
      "byte 54: `a`: data_offsets [2, 1] end before they begin");
  EXPECT_NE(errorOf(R"({"a":[]})", 0), "no error");
  EXPECT_NE(errorOf(R"({"a\u0000":{}})", 0).find("has a NUL in it"),
            std::string::npos);
}

TEST(Header, ChecksTheMetadata) {
  EXPECT_EQ(errorOf(R"({"__metadata__":{"a":1}})", 0),
            "byte 29: `__metadata__`: found a number, expected a string");
  EXPECT_EQ(
      errorOf(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
      "byte 33: name `a` is given twice in one object (first at byte 25)");
  EXPECT_EQ(errorOf(R"({"__metadata__":{},"__metadata__":{}})", 0),
            "byte 27: name `__metadata__` is given twice in one object (first "
            "at byte 9)");
  EXPECT_EQ(errorOf(R"({"__metadata__":null})", 0), "no error");
}

TEST(Header, ChecksNamesOnce) {
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                    R"("\u0061":{"dtype":"U8","shape":[0],)"
                    R"("data_offsets":[2,2]}})",
                    2),
            "byte 61: name `a` is given twice in one object (first at byte 9)");
}

TEST(Header, ChecksSizes) {
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"F32","shape":[2,3],"data_offsets":[0,20])"),
              20),
      "byte 9: `a`: data_offsets [0, 20] hold 20 bytes, but [2, 3] of "
      "F32 takes 24");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])"), 2),
      "byte 9: `a`: the size of [3] of F4 is no whole number of bytes "
      "below 2^63");
}

TEST(Header, OverflowIsFoundBehindZeroExtents) {
  for (std::string_view shape :
       {"[0,4294967296,4294967296]", "[4294967296,4294967296,0]",
        "[4294967296,0,4294967296]", "[4294967296,4294967296]"})
    EXPECT_NE(
        errorOf(oneEntry(fmt::format(
                    R"("dtype":"U8","shape":{},"data_offsets":[0,0])", shape)),
                0)
            .find("is 2^62 or more"),
        std::string::npos)
        << shape;
  EXPECT_NE(errorOf(oneEntry(R"("dtype":"U8","shape":[9223372036854775808],)"
                             R"("data_offsets":[0,0])"),
                    0)
                .find("9223372036854775808 is larger than"),
            std::string::npos);
  // The elements fit, their bytes do not.
  EXPECT_NE(errorOf(oneEntry(R"("dtype":"F64","shape":[4611686018427387904],)"
                             R"("data_offsets":[0,0])"),
                    0),
            "no error");
  // Offsets whose sum with the start of the data overflows.
  EXPECT_NE(errorOf(oneEntry(R"("dtype":"U8","shape":[9223372036854775807],)"
                             R"("data_offsets":[0,9223372036854775807])"),
                    0),
            "no error");
}

TEST(Header, ChecksThatDataFillsTheFile) {
  auto two = [](int begin, int end) {
    return fmt::format(R"({{"a":{{"dtype":"U8","shape":[4],)"
                       R"("data_offsets":[0,4]}},"b":{{"dtype":"U8",)"
                       R"("shape":[4],"data_offsets":[{},{}]}}}})",
                       begin, end);
  };
  EXPECT_EQ(errorOf(two(4, 8), 8), "no error");
  EXPECT_EQ(errorOf(two(3, 7), 7), "byte 61: `b`: data at offset 3 overlaps "
                                   "`a`, which ends at 4");
  EXPECT_EQ(errorOf(two(6, 10), 10), "byte 61: `b`: data at offset 6 leaves a "
                                     "gap of 2 bytes behind `a`");
  EXPECT_EQ(errorOf(two(4, 8), 7), "the file is cut off: `b` ends at offset "
                                   "8 of the data; actual size 120, expected "
                                   "size 121");
  EXPECT_EQ(errorOf(two(4, 8), 10), "2 bytes at byte 121 belong to no tensor");
  EXPECT_EQ(
      errorOf(oneEntry(R"("dtype":"U8","shape":[2],"data_offsets":[1,3])"), 3),
      "byte 9: `a`: data at offset 1 leaves a gap of 1 bytes behind the start "
      "of the data");
}

TEST(Header, RankIsCapped) {
  auto withRank = [](unsigned rank) {
    std::string extents;
    for (unsigned i = 0; i != rank; ++i)
      extents += i == 0 ? "1" : ",1";
    return oneEntry(fmt::format(
        R"("dtype":"U8","shape":[{}],"data_offsets":[0,1])", extents));
  };
  EXPECT_EQ(errorOf(withRank(64), 1), "no error");
  EXPECT_NE(errorOf(withRank(65), 1).find("more than 64 dimensions"),
            std::string::npos);
}

TEST(Header, NestedBracketsAreAnError) {
  for (std::string_view start :
       {"[", "{\"a\":", "{\"a\":[", "{\"a\":{\"shape\":["}) {
    std::string json(start);
    for (int i = 0; i != 200'000; ++i)
      json += start.back() == ':' ? "{\"a\":" : "[";
    EXPECT_NE(errorOf(json, 0), "no error") << start;
  }
}

TEST(Header, ControlCharactersAreNotShownRaw) {
  EXPECT_NE(errorOf(R"({"\u001b[2J":{}})", 0).find("`\\x1b[2J`"),
            std::string::npos);
}

TEST(Header, ManyEntriesTakeLittleTime) {
  std::string json = "{";
  constexpr int numEntries = 46'080;
  for (int i = 0; i != numEntries; ++i)
    json +=
        fmt::format(R"({}"model.layers.{}.mlp.experts.{}.w.weight":)"
                    R"({{"dtype":"BF16","shape":[4,8],)"
                    R"("data_offsets":[{},{}]}})",
                    i == 0 ? "" : ",", i / 768, i % 768, i * 64, i * 64 + 64);
  json += "}";
  auto start = std::chrono::steady_clock::now();
  auto header = parse(json, numEntries * 64);
  ASSERT_TRUE(header) << errorOf(header);
  EXPECT_EQ(header->entries.size(), size_t(numEntries));
  // Generous, for sanitizers: a quadratic step would take minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ReadHeader, ReadsFilesAndNamesThemInErrors) {
  TemporaryFolder folder;
  std::string bytes =
      headerBytes(oneEntry(R"("dtype":"U8","shape":[2],"data_offsets":[0,2])"));
  std::string path = folder.write("a.safetensors", bytes + "xy");
  auto header = readHeader(path);
  ASSERT_TRUE(header) << errorOf(header);
  EXPECT_EQ(header->fingerprint,
            parseHeader(bytes, header->fileBytes)->fingerprint);

  EXPECT_EQ(errorOf(readHeader(folder.write("b.safetensors", bytes + "x"))),
            fmt::format("reading `{}`: the file is cut off: `a` ends at offset "
                        "2 of the data; actual size {}, expected size {}",
                        folder / "b.safetensors", bytes.size() + 1,
                        bytes.size() + 2));
  EXPECT_EQ(errorOf(readHeader(folder / "none")),
            fmt::format("`{}`: No such file or directory", folder / "none"));
  EXPECT_EQ(errorOf(readHeader(folder.path.string())),
            fmt::format("`{}`: not a regular file", folder.path.string()));
}

TEST(ReadHeader, NothingIsAllocatedForALengthThatLies) {
  TemporaryFolder folder;
  std::string path =
      folder.write("a", std::string("\0\xe1\xf5\x05\0\0\0\0{}", 10));
  EXPECT_EQ(errorOf(readHeader(path)),
            fmt::format("reading `{}`: byte 0: header of 100000000 bytes ends "
                        "behind the file of 10 bytes",
                        path));
}

} // namespace
