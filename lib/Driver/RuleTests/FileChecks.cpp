//===- FileChecks.cpp - LLVM's FileCheck on a test's output ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/FileChecks.h"

#include "aoa/Driver/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace aoa;
using namespace aoa::driver;

/// Adds the text of a file to `texts` as `name`; nothing if it cannot be read.
static std::optional<llvm::StringRef>
addText(llvm::FileCheck &check, llvm::SourceMgr &texts, llvm::StringRef path,
        llvm::StringRef name, llvm::SmallVectorImpl<char> &storage) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << "reading `" << path << "`: " << file.getError().message()
                 << "\n";
    return std::nullopt;
  }
  llvm::StringRef text = check.CanonicalizeFile(**file, storage);
  texts.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name),
                           llvm::SMLoc());
  return text;
}

int driver::runFileCheck(llvm::StringRef name, llvm::StringRef script,
                         llvm::StringRef output, const CheckWords &words) {
  llvm::FileCheckRequest request;
  // Without a prefix of its own, texts that stand nowhere are enough.
  if (!words.prefix.empty())
    request.CheckPrefixes = {words.prefix};
  for (const std::string &text : words.implicitNots)
    request.ImplicitCheckNot.push_back(text);
  request.MatchFullLines = words.matchFullLines;
  // What prints nothing may have to do so.
  request.AllowEmptyInput = true;
  llvm::FileCheck check(request);
  llvm::SourceMgr texts;
  llvm::SmallString<0> scriptText, outputText;
  if (!check.ValidateCheckPrefixes())
    return ExitError;
  auto checks = addText(check, texts, script, name, scriptText);
  if (!checks || check.readCheckFile(texts, *checks))
    return ExitError;
  auto printed = addText(check, texts, output, "<output>", outputText);
  return printed && check.checkInput(texts, *printed) ? ExitDone : ExitError;
}

std::vector<std::string> driver::fileCheckArguments(llvm::StringRef name,
                                                    llvm::StringRef script,
                                                    llvm::StringRef output,
                                                    const CheckWords &words) {
  std::vector<std::string> arguments = {"test", "--file-check=" + name.str()};
  if (!words.prefix.empty())
    arguments.push_back("--check-prefix=" + words.prefix);
  for (const std::string &text : words.implicitNots)
    arguments.push_back("--implicit-check-not=" + text);
  if (words.matchFullLines)
    arguments.push_back("--match-full-lines");
  arguments.insert(arguments.end(), {script.str(), output.str()});
  return arguments;
}
