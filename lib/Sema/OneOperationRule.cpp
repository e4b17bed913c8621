//===- OneOperationRule.cpp - Upstream: one operation a statement ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "Operations.h"

using namespace aoa;
using namespace aoa::sema;

bool sema::checkOneOperation(const ast::Statement &statement,
                             Reporter &reporter) {
  const auto &attributes = statement.attributes;
  if (attributes.size() < 2)
    return true;
  auto fail = [&](const DiagnosticKind &kind, SourceRange range,
                  std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    return false;
  };
  bool oneToOne = statement.left.size() == 1 && statement.right.size() == 1;
  if (oneToOne && attributes.size() == 2) {
    if (attributes[0].name == "src_dtype" && attributes[1].name == "dst_dtype")
      return true;
    if (attributes[0].name == "dst_dtype" && attributes[1].name == "src_dtype")
      return fail(diag::OneOperation, attributes[0].range,
                  "`dst_dtype` stands before `src_dtype`, expected after it "
                  "with --std=paddle");
  }
  for (size_t i = 1; i != attributes.size(); ++i)
    for (size_t k = 0; k != i; ++k)
      if (attributes[i].name == attributes[k].name)
        return fail(diag::DuplicateAttribute, attributes[i].range,
                    quote(attributes[i].name) +
                        " stands twice in one statement");
  return fail(diag::OneOperation, attributes[1].range,
              "a second operation " + quote(attributes[1].name) + " after " +
                  quote(attributes[0].name) +
                  ": --std=paddle takes one a statement");
}
