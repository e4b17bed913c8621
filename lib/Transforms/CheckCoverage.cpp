//===- CheckCoverage.cpp - Every element of a result, once ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FaultPlace.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Transforms/Pass.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class CoverageCheck {
public:
  CoverageCheck(const Program &program, const PassContext &context)
      : program(program), context(context) {}

  void check(const Result &result) {
    if (checkSources(result))
      checkTarget(result);
  }

private:
  const Origin &originOf(const Result &result, size_t piece) const {
    return program.origins[result.pieces.entries()[piece].tag];
  }
  /// The op that a fault of a piece is shown at: where it was put together, or
  /// else where the result got its name.
  const Op &opOf(const Result &result, size_t piece) const {
    const Op &op = program.op(originOf(result, piece).op);
    return op.kind == OpKind::Source ? program.definition(result.value) : op;
  }
  bool checkSources(const Result &result);
  void checkTarget(const Result &result);
  void report(const DiagnosticKind &kind, const Op &op, std::string message) {
    context.sink.report(errorAt(kind, op, context.script, std::move(message)));
  }

  const Program &program;
  const PassContext &context;
};

int64_t numElements(llvm::ArrayRef<int64_t> shape) {
  return identityPiece(shape).numElements();
}

bool CoverageCheck::checkSources(const Result &result) {
  for (size_t i = 0; i < result.pieces.size(); ++i) {
    PieceRef piece = result.pieces[i];
    StoredValue source = program.storedValue(originOf(result, i).source);
    int64_t last = piece.srcOffset;
    for (unsigned dim = 0; dim < piece.rank(); ++dim)
      last += (piece.shape[dim] - 1) * piece.srcStrides[dim];
    if (piece.isEmpty() || last < numElements(source.shape))
      continue;
    report(diag::PieceOutOfBounds, opOf(result, i),
           "a piece of `" + result.name + "` reads element " +
               std::to_string(last) + " of `" + source.name.str() +
               "`, which has shape " + formatShape(source.shape));
    return false;
  }
  return true;
}

void CoverageCheck::checkTarget(const Result &result) {
  const Value &value = program.value(result.value);
  Coverage cover = checkCover(result.pieces, Side::Dst, value.shape);
  std::string element =
      "element " + formatShape(indexOf(cover.address, value.shape));
  switch (cover.kind) {
  case Coverage::Kind::Exact:
    return;
  case Coverage::Kind::Hole:
    return report(diag::MissingPiece, program.definition(result.value),
                  element + " of `" + result.name +
                      "` comes from no source tensor");
  case Coverage::Kind::Overlap: {
    auto nameOf = [&](size_t piece) {
      return "`" + program.value(originOf(result, piece).source).name + "`";
    };
    Diagnostic overlap = errorAt(
        diag::OverlappingPieces, opOf(result, cover.second), context.script,
        "pieces overlap in `" + result.name + "`: " + element +
            " is written twice, from " + nameOf(cover.first) + " and from " +
            nameOf(cover.second));
    addNoteAt(overlap, opOf(result, cover.first), context.script,
              "first by this statement");
    return context.sink.report(std::move(overlap));
  }
  case Coverage::Kind::OutOfBounds:
    return report(diag::PieceOutOfBounds, opOf(result, cover.first),
                  "a piece of `" + result.name + "` writes element " +
                      std::to_string(cover.address) +
                      ", outside of its shape " + formatShape(value.shape));
  }
}
} // namespace

void aoa::checkCoverage(Program &program, PassContext &context) {
  CoverageCheck check(program, context);
  for (const Result &result : program.results)
    if (!result.leftToCaller)
      check.check(result);
}
