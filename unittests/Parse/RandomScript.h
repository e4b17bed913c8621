//===- RandomScript.h - Scripts without errors, of every construct --------===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_PARSE_RANDOMSCRIPT_H
#define AOA_UNITTESTS_PARSE_RANDOMSCRIPT_H

#include <cstdint>
#include <string>
#include <vector>

namespace aoa {

/// Writes scripts that parse, with blanks, comments and ends of lines wherever
/// the language allows them. The same seed gives the same script.
class RandomScript {
public:
  explicit RandomScript(uint32_t seed) : state(seed) {}

  std::string script() {
    std::string text = ends();
    for (unsigned i = below(4); i-- > 0;)
      text += (below(4) == 0 ? macro() : item(3)) + end();
    return text + item(2) + pick({"", "\n", " # last", "\n# last"});
  }

private:
  unsigned below(unsigned limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % limit;
  }
  std::string pick(const std::vector<std::string> &choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }
  std::string comment() { return " # c" + std::to_string(below(100)) + "\n"; }

  /// Between two tokens of a line.
  std::string gap() { return pick({"", "", " ", "\t ", "  "}); }
  /// Where newlines do not count.
  std::string wide() {
    return pick({"", " ", " ", "\n", "\n  \n"}) +
           (below(6) == 0 ? comment() : "") + gap();
  }
  /// Ends of items, or none.
  std::string ends() {
    std::string text;
    for (unsigned i = below(3); i-- > 0;)
      text += pick({"\n", "\n\n\n", ";", " ; ", comment(), "\r\n"});
    return text;
  }
  std::string end() { return pick({"\n", ";", comment()}) + ends(); }

  std::string word() { return pick({"a", "bc", "n_1", "x"}); }
  std::string tensor() {
    return pick({"a", "w.$LAYER_ID.x", "m-1/k", "'q r'", "\"let\"",
                 "l.${" + wide() + "n" + wide() + "}.w", "_", "\"s ${'}'}\"",
                 std::string(50, 'y') + ".${i}"});
  }
  std::string name() {
    std::string text = below(2) ? tensor()
                                : pick({"%g", "%${q}", "%t.u"}) + "[" + wide() +
                                      value() + wide() + "]";
    return text + pick({"", "", "^T"}) + pick({"", "", "?"});
  }
  std::string names(unsigned depth) {
    std::string text = operand(depth);
    for (unsigned i = below(3); i-- > 0;)
      text += gap() + "," + wide() + operand(depth);
    return text;
  }
  std::string operand(unsigned depth) {
    if (depth == 0 || below(3) != 0)
      return name();
    return "(" + wide() + names(depth - 1) + " " + wide() + "for " + wide() +
           word() + " " + wide() + "in " + wide() + value() + wide() + ".." +
           wide() + value() + wide() + ")";
  }
  std::string value() {
    switch (below(6)) {
    case 0:
      return "(" + wide() + value() + wide() + ")";
    case 1:
      return value() + gap() + pick({"+", "*", "-", "//", "%", "??"}) + gap() +
             pick({"1", "n", "${x}"});
    case 2:
      return "max(" + wide() + word() + "," + wide() + "2)";
    default:
      return pick({"n", "3", "-1", "config:a", "[1,2]", "\"x ${n}\""});
    }
  }
  std::string condition() {
    return pick({"", "not "}) + value() +
           (below(3) == 0 ? " and " + value() : "");
  }

  std::string statement() {
    std::string text = names(2) + wide() + "->" + wide() + names(1);
    for (unsigned i = below(3); i-- > 0;)
      text += gap() + "," + wide() +
              pick({"axis" + gap() + "=" + wide() + value(), "optional",
                    "$A in {q," + wide() + "k }", "$B_ID in 0" + gap() + "..3",
                    "p=[" + wide() + value() + "," + wide() + "n]"});
    return text;
  }
  std::string block(unsigned depth) {
    std::string text = gap() + "{" + ends();
    for (unsigned i = below(3); i-- > 0;)
      text += item(depth) + end();
    if (below(2))
      text += item(depth) + gap();
    return text + "}";
  }
  std::string item(unsigned depth) {
    switch (below(depth == 0 ? 5 : 8)) {
    case 0:
      return "let " + word() + gap() + "=" + wide() + value();
    case 1:
      return "assert " + condition() + gap() + "," + wide() +
             pick({"'no'", "\"${n} is\"", "''"});
    case 5:
    case 6: {
      std::string text = "if " + condition() + block(depth - 1);
      for (unsigned i = below(3); i-- > 0;)
        text += beforeElse() + "else if " + condition() + block(depth - 1);
      return below(2) ? text : text + beforeElse() + "else" + block(depth - 1);
    }
    case 7:
      return "for " + word() + " in " + value() + gap() + ".." + gap() +
             value() + block(depth - 1);
    default:
      return statement();
    }
  }
  std::string beforeElse() {
    return gap() + pick({"", "\n", comment(), "\n" + comment()});
  }
  std::string macro() {
    return "macro " + pick({"t", "u_2"}) + gap() + "(" + wide() + "a" + gap() +
           "," + wide() + "b" + wide() + "->" + wide() + "c" + wide() +
           pick({"", ";" + wide() + "d" + wide(),
                 ";" + wide() + "d," + wide() + "e" + gap() + "=" + wide() +
                     value() + wide()}) +
           ")" + block(2);
  }

  uint32_t state;
};

} // namespace aoa

#endif // AOA_UNITTESTS_PARSE_RANDOMSCRIPT_H
