//===- CheckCoverage.cpp - Every element of a result, once ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/Lower.h"

#include "FaultPlace.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class CoverageCheck {
public:
  CoverageCheck(const Program &program, const ast::Script &script,
                DiagnosticSink &sink)
      : program(program), script(script), sink(sink) {}

  void check(const Result &result) {
    if (checkSources(result))
      checkTarget(result);
  }

private:
  /// The op that a fault of `piece` is shown at: where it was put together, or
  /// else where the result got its name.
  const Op &opOf(const Result &result, const WholePiece &piece) const {
    const Op &op = program.op(piece.op);
    return op.kind == OpKind::Source ? program.definition(result.value) : op;
  }

  bool checkSources(const Result &result);
  void checkTarget(const Result &result);

  const Program &program;
  const ast::Script &script;
  DiagnosticSink &sink;
};

bool CoverageCheck::checkSources(const Result &result) {
  for (const WholePiece &piece : result.pieces) {
    const Value &source = program.value(piece.source);
    Box box = piece.map.src();
    Box whole = wholeBox(source.shape);
    if (std::optional<Box> common = intersect(box, whole); common == box)
      continue;
    sink.report(errorAt(diag::PieceOutOfBounds, opOf(result, piece), script,
                        "a piece of `" + result.name + "` reads elements " +
                            formatShape(box.offset) + " and on, " +
                            formatShape(box.shape) + " of them, of `" +
                            source.name + "`, which has shape " +
                            formatShape(source.shape)));
    return false;
  }
  return true;
}

void CoverageCheck::checkTarget(const Result &result) {
  const Value &value = program.value(result.value);
  Box whole = wholeBox(value.shape);
  if (result.pieces.size() == 1 && result.pieces[0].map.dst == whole)
    return;
  std::vector<Box> boxes;
  for (const WholePiece &piece : result.pieces)
    boxes.push_back(piece.map.dst);
  CoverResult cover = checkCover(boxes, whole);
  std::string element = "element " + formatShape(cover.index);
  switch (cover.kind) {
  case CoverResult::Kind::Exact:
    return;
  case CoverResult::Kind::Hole:
    sink.report(errorAt(
        diag::MissingPiece, program.definition(result.value), script,
        element + " of `" + result.name + "` comes from no source tensor"));
    return;
  case CoverResult::Kind::Overlap: {
    const WholePiece &first = result.pieces[cover.first];
    const WholePiece &second = result.pieces[cover.second];
    Diagnostic overlap = errorAt(
        diag::OverlappingPieces, opOf(result, second), script,
        "pieces overlap in `" + result.name + "`: " + element +
            " is written twice, from `" + program.value(first.source).name +
            "` and from `" + program.value(second.source).name + "`");
    addNoteAt(overlap, opOf(result, first), script, "first by this statement");
    sink.report(std::move(overlap));
    return;
  }
  case CoverResult::Kind::OutOfBounds:
    sink.report(errorAt(diag::PieceOutOfBounds,
                        opOf(result, result.pieces[cover.first]), script,
                        "a piece of `" + result.name + "` writes " + element +
                            ", outside of its shape " +
                            formatShape(value.shape)));
    return;
  }
}
} // namespace

void aoa::checkCoverage(const Program &program, const ast::Script &script,
                        DiagnosticSink &sink) {
  CoverageCheck check(program, script, sink);
  for (const Result &result : program.results)
    if (!result.leftToCaller)
      check.check(result);
}
