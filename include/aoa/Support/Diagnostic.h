//===- Diagnostic.h - A mistake in the user's text, as data -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a script, a layout or a catalog, and where. Plain data:
// stages report into a `DiagnosticSink`, the Basic library renders. Texts are
// lower case, without a full stop, names in backticks, what was found before
// what was expected, values last.
//
// Each library lists its kinds in a `.def` file and gives each an object of
// type `DiagnosticKind` in namespace `aoa::diag`; a kind is known by address.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_DIAGNOSTIC_H
#define AOA_SUPPORT_DIAGNOSTIC_H

#include "aoa/Support/TypedId.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aoa {

/// One text that was read: a script, a layout, a catalog.
using FileId = TypedId<struct FileTag>;

/// Bytes [begin, end) of a file. A range without a file has no place to show.
struct SourceRange {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool isKnown() const { return !file.isNone(); }
  friend auto operator<=>(const SourceRange &, const SourceRange &) = default;
};

enum class Severity { Note, Warning, Error };

struct DiagnosticKind {
  std::string_view name;    ///< `overlapping-pieces`; unique.
  Severity severity;        ///< Before `-Werror` and `--strict`.
  std::string_view summary; ///< One line for `aoac list diagnostics`.
};

/// Makes the object of one line of a library's list. NAMEDiagnostics.h includes
/// the list with this as AOA_DIAGNOSTIC, in namespace `aoa::diag`.
#define AOA_DEFINE_DIAGNOSTIC(ENUMERATOR, NAME, SEVERITY, SUMMARY)             \
  inline constexpr DiagnosticKind ENUMERATOR{NAME, Severity::SEVERITY, SUMMARY};

struct Note {
  SourceRange range; ///< May be unknown.
  std::string message;
  /// A step of how the statement at fault came about. All instances of one
  /// template take the same places; what the notes say tells them apart.
  bool isExpansion = false;
};

/// Replaces the bytes of `range` by `text`.
struct FixIt {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  const DiagnosticKind *kind = nullptr;
  SourceRange range;
  std::string message;
  std::vector<Note> notes = {};
  std::vector<FixIt> fixIts = {};
  /// The JSON path of the fault, as `rules[2].shard`; empty for scripts.
  std::string jsonPath = {};
};

/// Takes the diagnostics of a stage. Sinks merge what one fault causes in many
/// places: same kind, same range and same places of expansion is one diagnostic
/// with a count.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
  /// Number of errors reported so far. A stage compares it before and after to
  /// know whether its result can be used.
  virtual unsigned numErrors() const = 0;
};

/// Keeps everything, in order; for tests and for callers that render later.
class DiagnosticList final : public DiagnosticSink {
public:
  void report(Diagnostic diagnostic) override {
    errors += diagnostic.kind->severity == Severity::Error;
    list.push_back(std::move(diagnostic));
  }
  unsigned numErrors() const override { return errors; }

  std::vector<Diagnostic> list;

private:
  unsigned errors = 0;
};

} // namespace aoa

#endif // AOA_SUPPORT_DIAGNOSTIC_H
