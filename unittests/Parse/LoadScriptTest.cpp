//===- LoadScriptTest.cpp - A script with what it includes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Parse/LoadScript.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aoa;

namespace {

/// A folder of files that goes when the test ends; relative names count in it.
class LoadScript : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("aoa-include", folder));
    llvm::SmallString<256> real;
    ASSERT_FALSE(llvm::sys::fs::real_path(folder, real));
    folder = real;
    ASSERT_FALSE(llvm::sys::fs::current_path(before));
    ASSERT_EQ(chdir(folder.c_str()), 0);
  }
  void TearDown() override {
    ASSERT_EQ(chdir(before.c_str()), 0);
    llvm::sys::fs::remove_directories(folder);
  }

  static void write(const std::string &name, llvm::StringRef text) {
    std::string directory = name.substr(0, name.find_last_of('/') + 1);
    ASSERT_FALSE(llvm::sys::fs::create_directories("./" + directory));
    std::error_code error;
    llvm::raw_fd_ostream(name, error) << text;
    ASSERT_FALSE(error) << name;
  }

  ast::Script load(const std::string &name, IncludeOptions options = {}) {
    Expected<FileId> file = sources.open(name);
    EXPECT_TRUE(file.has_value()) << name;
    return loadScript(sources, *file, ast::Dialect::Aoa, options, found,
                      &taken);
  }
  ast::Script loadText(std::string name, std::string text) {
    return loadScript(sources, sources.add(std::move(name), std::move(text)),
                      ast::Dialect::Aoa, {}, found, &taken);
  }
  /// The reports as `file:line: message [kind]`, one a line, notes indented.
  std::string reports() const {
    std::string all;
    for (const Diagnostic &report : found.list) {
      all += at(report.range) + report.message + " [" +
             std::string(report.kind->name) + "]\n";
      for (const Note &note : report.notes)
        all += "  " + at(note.range) + note.message + "\n";
    }
    return all;
  }
  std::string at(SourceRange range) const {
    return sources.name(range.file).str() + ":" +
           std::to_string(sources.position(range.file, range.begin).line) +
           ": ";
  }

  llvm::SmallString<256> folder, before;
  SourceManager sources;
  DiagnosticList found;
  IncludedTexts taken;
};

TEST_F(LoadScript, PutsItemsInPlace) {
  write("main.aoa", "a -> a2\ninclude \"x.aoa\"\nb -> b2\n");
  write("x.aoa", "c -> c2\ninclude \"lib/y.aoa\"; d -> d2\n");
  write("lib/y.aoa", "include 'z.aoa'\ne -> e2");
  write("lib/z.aoa", "f -> f2");
  ast::Script script = load("main.aoa");
  EXPECT_EQ(reports(), "");
  EXPECT_EQ(ast::printScript(script), "a -> a2\nc -> c2\nf -> f2\ne -> e2\n"
                                      "d -> d2\nb -> b2\n");
  EXPECT_EQ(script.numWritten, 6U);
  ASSERT_EQ(taken.files.size(), 3U);
  EXPECT_EQ(taken.files[0].name, "x.aoa");
  EXPECT_EQ(taken.files[1].name, "lib/y.aoa");
  EXPECT_EQ(taken.files[2].name, "lib/z.aoa");
  EXPECT_EQ(taken.files[2].text, "f -> f2");
  EXPECT_EQ(taken.order, (std::vector<uint32_t>{0, 1, 2}));
}

TEST_F(LoadScript, ReadsAFileOnce) {
  write("main.aoa", "include \"a.aoa\"\ninclude \"b.aoa\"\n"
                    "include \"lib/../b.aoa\"\ninclude \"link.aoa\"\n");
  write("a.aoa", "include \"b.aoa\"\na -> a2\n");
  write("b.aoa", "b -> b2\n");
  write("lib/other.aoa", "");
  ASSERT_EQ(symlink("b.aoa", "link.aoa"), 0);
  EXPECT_EQ(ast::printScript(load("main.aoa", {{"."}})), "b -> b2\na -> a2\n");
  EXPECT_EQ(reports(), "");
  EXPECT_EQ(taken.files.size(), 2U);
  EXPECT_EQ(taken.order, (std::vector<uint32_t>{0, 1, 1, 1, 1}));
}

TEST_F(LoadScript, LooksBesideTheFileFirst) {
  write("main.aoa", "include \"lib/a.aoa\"\n");
  write("lib/a.aoa", "include \"x.aoa\"\ninclude \"y.aoa\"\n"
                     "include \"z.aoa\"\n");
  write("lib/x.aoa", "here -> x\n");
  write("one/x.aoa", "one -> x\n");
  write("one/y.aoa", "one -> y\n");
  write("two/y.aoa", "two -> y\n");
  write("two/z.aoa", "two -> z\n");
  EXPECT_EQ(ast::printScript(load("main.aoa", {{"one", "two/"}})),
            "here -> x\none -> y\ntwo -> z\n");
  EXPECT_EQ(reports(), "");
  EXPECT_EQ(taken.files.back().name, "two/z.aoa");
}

TEST_F(LoadScript, SaysWhereItLooked) {
  write("main.aoa", "include \"lib/a.aoa\"\ninclude \"lib/a.aoa/b\"\n");
  write("lib/a.aoa", "include \"x.aoa\"\ninclude \"x.aoa\"\n");
  write("one/y", "");
  load("main.aoa", {{"one", "lib"}});
  EXPECT_EQ(reports(),
            "lib/a.aoa:1: found no file `x.aoa` in `lib`, `one`; `-I DIR` "
            "names more directories [include-not-found]\n"
            "lib/a.aoa:2: found no file `x.aoa` in `lib`, `one`; `-I DIR` "
            "names more directories [include-not-found]\n"
            "main.aoa:2: found no file `lib/a.aoa/b` in `.`, `one`, `lib`; "
            "`-I DIR` names more directories [include-not-found]\n");
}

TEST_F(LoadScript, StaysBelowTheScript) {
  write("in/main.aoa", "include \"link.aoa\"\ninclude \"away/x.aoa\"\n"
                       "include \"back.aoa\"\n");
  write("in/sub/b.aoa", "b -> b2\n");
  write("out.aoa", "out -> out2\n");
  write("other/x.aoa", "x -> x2\n");
  ASSERT_EQ(symlink("../out.aoa", "in/link.aoa"), 0);
  ASSERT_EQ(symlink("../other", "in/away"), 0);
  ASSERT_EQ(symlink("../in/sub/b.aoa", "in/back.aoa"), 0);
  EXPECT_EQ(ast::printScript(load("in/main.aoa")), "b -> b2\n");
  const std::string real = folder.str().str();
  auto outside = [&](int line, const std::string &path,
                     const std::string &file) {
    return "in/main.aoa:" + std::to_string(line) + ": `" + path +
           "` leads to `" + real + "/" + file +
           "`, which is not below the directory of the script; `-I DIR` "
           "allows a place [include-outside]\n";
  };
  EXPECT_EQ(reports(), outside(1, "link.aoa", "out.aoa") +
                           outside(2, "away/x.aoa", "other/x.aoa"));
  // A directory of -I allows what lies below it, and nothing else.
  found = {};
  taken = {};
  EXPECT_EQ(ast::printScript(load("in/main.aoa", {{"other"}})),
            "x -> x2\nb -> b2\n");
  EXPECT_EQ(reports(), outside(1, "link.aoa", "out.aoa"));
}

TEST_F(LoadScript, LeavesADirectoryOnlyForThoseThatAreGiven) {
  const std::string real = folder.str().str();
  write("in/main.aoa", "include \"../other/x.aoa\"\ninclude \"sub/a.aoa\"\n"
                       "include \"" +
                           real + "/other/y.aoa\"\n");
  write("in/sub/a.aoa", "include \"../b.aoa\"\n");
  write("in/b.aoa", "b -> b2\n");
  write("other/x.aoa", "x -> x2\n");
  write("other/y.aoa", "y -> y2\n");
  auto needs = [](const std::string &at, const std::string &path) {
    return at + ": `" + path +
           "` needs `-I DIR`: absolute names and `..` only lead to places "
           "below such a directory [include-outside]\n";
  };
  EXPECT_EQ(ast::printScript(load("in/main.aoa")), "");
  EXPECT_EQ(reports(), needs("in/main.aoa:1", "../other/x.aoa") +
                           needs("in/sub/a.aoa:1", "../b.aoa") +
                           needs("in/main.aoa:3", real + "/other/y.aoa"));
  found = {};
  taken = {};
  EXPECT_EQ(ast::printScript(load("in/main.aoa", {{"other"}})),
            "x -> x2\ny -> y2\n");
  EXPECT_EQ(reports(), "in/sub/a.aoa:1: `../b.aoa` leads to `" + real +
                           "/in/b.aoa`, but absolute names and `..` only lead "
                           "to places below a directory of `-I`; `-I DIR` "
                           "allows a place [include-outside]\n");
  found = {};
  taken = {};
  EXPECT_EQ(ast::printScript(load("in/main.aoa", {{"other", "in"}})),
            "x -> x2\nb -> b2\ny -> y2\n");
  EXPECT_EQ(reports(), "");
}

TEST_F(LoadScript, LooksForAnAbsoluteNameOnce) {
  const std::string name = (folder + "/b.aoa").str();
  write("main.aoa", "include \"" + name + "\"\n");
  load("main.aoa", {{".", "other"}});
  EXPECT_EQ(reports(),
            "main.aoa:1: found no file `" + name + "` [include-not-found]\n");
}

TEST_F(LoadScript, ShowsACycle) {
  write("main.aoa", "\ninclude \"a.aoa\"\nx -> y\n");
  write("a.aoa", "include \"b.aoa\"\n");
  write("b.aoa", "\n\ninclude \"lib/c.aoa\"\n");
  write("lib/c.aoa", "include \"../a.aoa\"\nc -> c2\n");
  EXPECT_EQ(ast::printScript(load("main.aoa", {{"."}})), "c -> c2\nx -> y\n");
  EXPECT_EQ(reports(), "lib/c.aoa:1: `a.aoa` includes itself by way of "
                       "`b.aoa`, `lib/c.aoa` [include-cycle]\n"
                       "  lib/c.aoa:1: `lib/c.aoa` includes `a.aoa`\n"
                       "  a.aoa:1: `a.aoa` includes `b.aoa`\n"
                       "  b.aoa:3: `b.aoa` includes `lib/c.aoa`\n");
}

TEST_F(LoadScript, ShowsAScriptThatIncludesItself) {
  write("main.aoa", "include \"main.aoa\"\nx -> y\n");
  EXPECT_EQ(ast::printScript(load("main.aoa")), "x -> y\n");
  EXPECT_EQ(reports(), "main.aoa:1: `main.aoa` includes itself "
                       "[include-cycle]\n"
                       "  main.aoa:1: `main.aoa` includes `main.aoa`\n");
}

TEST_F(LoadScript, RefusesWhatIsNoScript) {
  ASSERT_EQ(mkdir("folder", 0700), 0);
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  ASSERT_EQ(symlink("loop", "loop"), 0);
  write("list.json", "{\"aoa_statements\": []}");
  write("latin.aoa", "a -> \xe4\n");
  write("broken.aoa", "a, -> b\nok -> ok2\n");
  write("main.aoa", "include \"folder\"\ninclude \"pipe\"\n"
                    "include \"loop\"\ninclude \"list.json\"\n"
                    "include \"latin.aoa\"\ninclude \"broken.aoa\"\n");
  EXPECT_EQ(ast::printScript(load("main.aoa")), "ok -> ok2\n");
  EXPECT_EQ(reports(),
            "main.aoa:1: `folder` is a directory, expected a file "
            "[include-unreadable]\n"
            "main.aoa:2: `pipe` is no regular file [include-unreadable]\n"
            "main.aoa:3: `loop` cannot be read: Too many levels of symbolic "
            "links [include-unreadable]\n"
            "main.aoa:4: `list.json` is a JSON text, expected a script "
            "[include-unreadable]\n"
            "latin.aoa:1: byte 0xE4 at offset 5 is not UTF-8 text "
            "[script-not-utf8]\n"
            "broken.aoa:1: expected a tensor name after `,`, found `->` "
            "[syntax-error]\n");
  SourceRange at = sources.includedFrom(found.list[4].range.file);
  EXPECT_EQ(sources.text(at.file).slice(at.begin, at.end),
            "include \"latin.aoa\"");
}

TEST_F(LoadScript, RefusesNamesThatNoFileHas) {
  using namespace std::string_literals;
  write("a", "");
  write("main.aoa",
        "include \"a\0b\"\ninclude \""s + std::string(300, 'x') + "\"\n");
  load("main.aoa");
  EXPECT_EQ(reports(), "main.aoa:1: the name `a\0b` holds a byte 0, which no "
                       "name of a file does [include-not-found]\n"
                       "main.aoa:2: `"s +
                           std::string(300, 'x') +
                           "` cannot be read: File name too long "
                           "[include-unreadable]\n");
}

TEST_F(LoadScript, LimitsWhatIsRead) {
  write("large.aoa", "");
  ASSERT_EQ(truncate("large.aoa", (64 << 20) + 1), 0);
  write("main.aoa", "include \"large.aoa\"\n");
  load("main.aoa");
  EXPECT_EQ(reports(),
            "main.aoa:1: `large.aoa` has 67108865 bytes, an included file has "
            "at most 67108864 [include-limit]\n");
}

TEST_F(LoadScript, LimitsTheDepth) {
  auto writeChain = [&](int depth) {
    for (int i = 0; i != depth; ++i)
      write(std::to_string(i) + ".aoa",
            "include \"" + std::to_string(i + 1) + ".aoa\"\n");
    write(std::to_string(depth) + ".aoa", "x -> y\n");
  };
  writeChain(100);
  EXPECT_EQ(ast::printScript(load("0.aoa")), "x -> y\n");
  EXPECT_EQ(reports(), "");
  writeChain(101);
  load("0.aoa");
  EXPECT_EQ(reports(), "100.aoa:1: includes are nested deeper than 100 "
                       "[include-limit]\n");
}

TEST_F(LoadScript, CountsFromTheDirectoryOfOtherScripts) {
  write("a.aoa", "a -> a2\n");
  write("lib/b.aoa", "b -> b2\n");
  EXPECT_EQ(ast::printScript(loadText("<stdin>", "include \"a.aoa\"\n")),
            "a -> a2\n");
  EXPECT_EQ(ast::printScript(loadText("lib/x.json", "include \"b.aoa\"\n")),
            "b -> b2\n");
  EXPECT_EQ(reports(), "");
}

TEST_F(LoadScript, IsQuickWithManyIncludes) {
  std::string text;
  for (int i = 0; i != 20'000; ++i)
    text += "include \"a.aoa\"\n";
  write("a.aoa", "a -> a2\n");
  EXPECT_EQ(ast::printScript(loadText("main.aoa", text)), "a -> a2\n");
  EXPECT_EQ(taken.files.size(), 1U);
  EXPECT_EQ(taken.order.size(), 20'000U);
}

TEST_F(LoadScript, ReloadsWithoutFiles) {
  const std::string text = "include \"a.aoa\"\ninclude \"b.aoa\"\nx -> y\n";
  write("a.aoa", "include \"b.aoa\"\na -> a2\n");
  write("b.aoa", "b -> b2\ninclude \"empty.aoa\"\n");
  write("empty.aoa", "");
  const std::string whole = ast::printScript(loadText("main.aoa", text));
  EXPECT_EQ(whole, "b -> b2\na -> a2\nx -> y\n");
  for (const char *name : {"a.aoa", "b.aoa", "empty.aoa"})
    ASSERT_EQ(unlink(name), 0);
  ast::Script again = reloadScript(sources, sources.add("<plan>", text),
                                   ast::Dialect::Aoa, taken, found);
  EXPECT_EQ(ast::printScript(again), whole);
  EXPECT_EQ(again.numWritten, 3U);
  EXPECT_EQ(reports(), "");
}

TEST_F(LoadScript, ReloadsNothingFromTheDisk) {
  write("a.aoa", "a -> a2\n");
  for (const IncludedTexts &texts :
       {IncludedTexts{}, IncludedTexts{{{"a.aoa", ""}}, {}},
        IncludedTexts{{{"a.aoa", ""}}, {1}}}) {
    found = {};
    ast::Script script = reloadScript(
        sources, sources.add("main.aoa", "include \"a.aoa\"\nx -> y\n"),
        ast::Dialect::Aoa, texts, found);
    EXPECT_EQ(ast::printScript(script), "x -> y\n");
    EXPECT_EQ(reports(), "main.aoa:1: the text of `a.aoa` is not kept with "
                         "that of the script [include-not-found]\n");
  }
}

TEST_F(LoadScript, ReloadsEachTextOnce) {
  // No plan of ours: a text that includes itself.
  IncludedTexts texts{{{"a.aoa", "include \"a.aoa\"\na -> a2\n"}},
                      std::vector<uint32_t>(10, 0)};
  ast::Script script = reloadScript(
      sources, sources.add("main.aoa", "include \"a.aoa\"\ninclude \"b.aoa\""),
      ast::Dialect::Aoa, texts, found);
  EXPECT_EQ(ast::printScript(script), "a -> a2\n");
  EXPECT_EQ(reports(), "");
}

} // namespace
