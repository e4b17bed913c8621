//===- Statements.h - Tensors and statements for tests ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_REFERENCE_STATEMENTS_H
#define AOA_UNITTESTS_REFERENCE_STATEMENTS_H

#include "aoa/Reference/Evaluate.h"

#include <gtest/gtest.h>

#include <cstring>

namespace aoa::reference::test {

template <typename T>
WholeTensor tensor(DType dtype, Shape shape, std::vector<T> values) {
  WholeTensor whole{dtype, std::move(shape), {}};
  for (const T &value : values)
    whole.bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
  return whole;
}
inline WholeTensor i32(Shape shape, std::vector<int32_t> values) {
  return tensor(DType::I32, std::move(shape), std::move(values));
}
inline WholeTensor f32(Shape shape, std::vector<float> values) {
  return tensor(DType::F32, std::move(shape), std::move(values));
}

template <typename T> std::vector<T> valuesOf(const WholeTensor &whole) {
  std::vector<T> values(whole.bytes.size() / sizeof(T));
  for (size_t i = 0; i != values.size(); ++i)
    std::memcpy(&values[i], whole.bytes.data() + i * sizeof(T), sizeof(T));
  return values;
}
using I32s = std::vector<int32_t>;

inline ast::Name name(std::string text, bool transposed = false) {
  ast::Name name;
  name.transposed = transposed;
  name.text = std::move(text);
  return name;
}
inline ast::Attribute attribute(std::string key,
                                decltype(ast::Value::data) data) {
  return {std::move(key), {}, {std::move(data), {}}};
}
inline ast::Statement statement(std::vector<ast::Name> left,
                                std::vector<ast::Name> right,
                                std::vector<ast::Attribute> attributes = {}) {
  ast::Statement made;
  made.left.assign(left.begin(), left.end());
  made.right.assign(right.begin(), right.end());
  made.attributes.assign(attributes.begin(), attributes.end());
  return made;
}
inline Tensors evaluated(std::vector<ast::Statement> statements, Tensors source,
                         Target target = {}) {
  ast::Script script;
  script.statements = std::move(statements);
  auto results = evaluate(script, source, target);
  EXPECT_TRUE(results) << results.error().str();
  return results ? *results : Tensors();
}

} // namespace aoa::reference::test

#endif // AOA_UNITTESTS_REFERENCE_STATEMENTS_H
