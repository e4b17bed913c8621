//===- ComposeTest.cpp - Pieces by element ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random programs between random shards: what the composed pieces do, element
// by element, is what the operations say, element by element.
//===----------------------------------------------------------------------===//

#include "ElementCheck.h"
#include "RandomProgram.h"
#include "aoa/Transforms/Pass.h"

#include <gtest/gtest.h>

#include <map>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::test;

namespace {
TEST(Compose, RandomProgramsMoveEveryElementToItsPlace) {
  Rng rng(11);
  for (int round = 0; round < 3000; ++round) {
    Catalog source = randomSource(rng);
    ProgramBuilder builder(source);
    RandomProgram(rng, builder).build();
    ir::Program &program = builder.finish();
    ASSERT_EQ(ir::verify(program), std::nullopt);

    Catalog list;
    Target target;
    if (round % 3 != 0) {
      for (const ir::Result &result : program.results) {
        const ir::Value &value = program.value(result.value);
        Tensor tensor{result.name,
                      value.dtype,
                      Shape(value.shape.begin(), value.shape.end()),
                      {}};
        if (rng() % 4)
          tensor.shards = randomShards(rng, tensor.shape, false);
        list.tensors.push_back(std::move(tensor));
      }
      target.list = &list;
    }

    ast::Script script;
    DiagnosticList sink;
    PassContext context{target, script, sink};
    placeResults(program, context);
    lowerToPieces(program, context);
    checkCoverage(program, context);
    composeLayouts(program, context);
    checkTransfers(program, context);
    for (const Diagnostic &diagnostic : sink.list)
      ADD_FAILURE() << round << ": " << diagnostic.message;
    expectRightElements(builder);
    foldPieces(program, context);
    expectRightElements(builder);
    if (HasFailure())
      return;
  }
}
} // namespace
