//===- ByteStream.h - A text for ANTLR, byte by byte ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_BYTESTREAM_H
#define AOA_PARSE_BYTESTREAM_H

#include "llvm/ADT/StringRef.h"

#include "antlr4-runtime.h"

namespace aoa::parse {

/// Gives the lexer one character a byte, so that its positions are ours and
/// nothing is converted.
class ByteStream final : public antlr4::CharStream {
public:
  explicit ByteStream(llvm::StringRef text) : text(text) {}

  /// Starts anew with another text.
  void setText(llvm::StringRef other) {
    text = other;
    next = 0;
  }

  void consume() override { ++next; }
  size_t LA(ssize_t ahead) override {
    if (ahead == 0)
      return 0;
    size_t at = next + static_cast<size_t>(ahead > 0 ? ahead - 1 : ahead);
    return at < text.size() ? static_cast<unsigned char>(text[at])
                            : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return next; }
  void seek(size_t index) override { next = std::min(index, text.size()); }
  size_t size() override { return text.size(); }
  std::string getSourceName() const override { return "text"; }
  std::string getText(const antlr4::misc::Interval &interval) override {
    return text
        .slice(static_cast<size_t>(interval.a),
               static_cast<size_t>(interval.b) + 1)
        .str();
  }
  std::string toString() const override { return text.str(); }

private:
  llvm::StringRef text;
  size_t next = 0;
};

} // namespace aoa::parse

#endif // AOA_PARSE_BYTESTREAM_H
