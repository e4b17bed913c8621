//===- Evaluate.cpp - A script, one loop over elements a step ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Reference/Evaluate.h"
#include "Elements.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace aoa;
using namespace aoa::reference;

static std::unexpected<Error> unreadable(const std::string &what) {
  return fail(ErrorKind::Unsupported, what);
}

static void copyElement(WholeTensor &to, int64_t toPlace,
                        const WholeTensor &from, int64_t fromPlace) {
  int64_t size = bytesPerElement(to.dtype);
  std::memcpy(to.bytes.data() + toPlace * size,
              from.bytes.data() + fromPlace * size, size);
  if (auto it = from.signalling.find(fromPlace); it != from.signalling.end())
    to.signalling[toPlace] = it->second;
}

static WholeTensor emptyTensor(DType dtype, Shape shape) {
  WholeTensor tensor{dtype, std::move(shape), {}};
  tensor.bytes.resize(checkedSizeBytes(dtype, tensor.shape).value());
  return tensor;
}

static WholeTensor join(const std::vector<WholeTensor> &parts, size_t axis) {
  Shape shape = parts.front().shape;
  shape[axis] = 0;
  for (const WholeTensor &part : parts)
    shape[axis] += part.shape[axis];
  WholeTensor whole = emptyTensor(parts.front().dtype, shape);
  int64_t before = 0;
  for (const WholeTensor &part : parts) {
    forEachIndex(part.shape, [&](const Index &index) {
      Index moved = index;
      moved[axis] += before;
      copyElement(whole, placeOf(moved, shape), part,
                  placeOf(index, part.shape));
    });
    before += part.shape[axis];
  }
  return whole;
}

/// Returns part `number` of `count`.
static WholeTensor cut(const WholeTensor &whole, size_t axis, int64_t number,
                       int64_t count) {
  Shape shape = whole.shape;
  shape[axis] /= count;
  WholeTensor part = emptyTensor(whole.dtype, shape);
  forEachIndex(shape, [&](const Index &index) {
    Index moved = index;
    moved[axis] += number * shape[axis];
    copyElement(part, placeOf(index, shape), whole,
                placeOf(moved, whole.shape));
  });
  return part;
}

static WholeTensor permute(const WholeTensor &from,
                           const std::vector<int64_t> &perm) {
  Shape shape;
  for (int64_t axis : perm)
    shape.push_back(from.shape[axis]);
  WholeTensor to = emptyTensor(from.dtype, shape);
  forEachIndex(shape, [&](const Index &index) {
    Index original(index.size());
    for (size_t dim = 0; dim != index.size(); ++dim)
      original[perm[dim]] = index[dim];
    copyElement(to, placeOf(index, shape), from, placeOf(original, from.shape));
  });
  return to;
}

/// Converts the element at `place` of `from`; `to` has the same shape.
static void convertElement(WholeTensor &to, const WholeTensor &from,
                           int64_t place) {
  int64_t fromSize = bytesPerElement(from.dtype),
          toSize = bytesPerElement(to.dtype);
  std::string value = from.bytes.substr(place * fromSize, fromSize);
  std::string result = castElement(value, from.dtype, to.dtype);
  std::vector<WholeTensor::Before> before;
  if (auto it = from.signalling.find(place); it != from.signalling.end())
    before = it->second;
  auto sameDType = [&](const WholeTensor::Before &each) {
    return each.dtype == to.dtype;
  };
  if (auto it = std::ranges::find_if(before, sameDType); it != before.end()) {
    result = it->bytes;
    before.erase(it, before.end());
  } else if (!holdsEveryValue(to.dtype, from.dtype)) {
    before.clear();
  } else if (!before.empty() ||
             castElement(result, to.dtype, from.dtype) != value) {
    before.push_back({from.dtype, value});
  }
  to.bytes.replace(place * toSize, toSize, result);
  if (!before.empty())
    to.signalling[place] = std::move(before);
}

static WholeTensor convert(const WholeTensor &from, DType dtype) {
  if (from.dtype == dtype)
    return from;
  WholeTensor to = emptyTensor(dtype, from.shape);
  int64_t fromSize = bytesPerElement(from.dtype);
  for (int64_t i = 0; i * fromSize != std::ssize(from.bytes); ++i)
    convertElement(to, from, i);
  return to;
}

namespace {

class Evaluation {
public:
  Evaluation(const ast::Script &script, const Tensors &source,
             const Target &target)
      : script(script), source(source), target(target),
        isPaddle(script.dialect == ast::Dialect::Paddle) {}

  Expected<Tensors> run();

private:
  struct Binding {
    WholeTensor tensor;
    bool read = false;
    bool filledByCaller = false;
  };
  using Done = Expected<bool>;

  Done statement(const ast::Statement &statement);
  void remove(const ast::Statement &statement);
  Expected<WholeTensor> operand(const ast::Name &name);
  Expected<WholeTensor> operate(WholeTensor tensor,
                                const ast::Statement &statement);
  Expected<size_t> axisOf(const ast::Statement &statement,
                          const WholeTensor &operand) const;
  Tensors sinks() const;
  Expected<Tensors> listed() const;

  /// A temporary `%x` is not the tensor `"%x"`.
  static std::string keyOf(const ast::Name &name) {
    return (name.quoted || !name.text.starts_with("%") ? "=" : "") + name.text;
  }

  const ast::Script &script;
  const Tensors &source;
  const Target &target;
  bool isPaddle;
  std::map<std::string, Binding> bound;
  std::set<std::string> readSources, removedSources, declared;
};

Expected<WholeTensor> Evaluation::operand(const ast::Name &name) {
  WholeTensor tensor;
  if (auto it = bound.find(keyOf(name)); it != bound.end()) {
    it->second.read = true;
    tensor = it->second.tensor;
  } else if (auto original = source.find(name.text); original != source.end()) {
    readSources.insert(name.text);
    tensor = original->second;
  } else {
    return unreadable("`" + name.text + "` has no value");
  }
  if (!name.transposed)
    return tensor;
  std::vector<int64_t> reversed;
  for (size_t axis = tensor.shape.size(); axis-- != 0;)
    reversed.push_back(static_cast<int64_t>(axis));
  return permute(tensor, reversed);
}

static const std::string *textOf(const ast::Value &value) {
  if (const auto *text = std::get_if<ast::Text>(&value.data))
    return &text->text;
  if (const auto *word = std::get_if<ast::Word>(&value.data))
    return &word->text;
  return nullptr;
}

/// The whole numbers in a list or in the text of one.
static std::vector<int64_t> numbersOf(const ast::Value &value) {
  std::vector<int64_t> numbers;
  if (const auto *list = std::get_if<ast::List>(&value.data))
    for (const ast::Value &entry : *list)
      if (const auto *number = std::get_if<int64_t>(&entry.data))
        numbers.push_back(*number);
  if (const std::string *text = textOf(value)) {
    bool inNumber = false, negative = false;
    for (char c : *text) {
      bool isDigit = c >= '0' && c <= '9';
      if (isDigit && !inNumber)
        numbers.push_back(0);
      if (isDigit)
        numbers.back() = numbers.back() * 10 + (negative ? '0' - c : c - '0');
      inNumber = isDigit;
      if (!isDigit)
        negative = c == '-';
    }
  }
  return numbers;
}

Expected<WholeTensor> Evaluation::operate(WholeTensor tensor,
                                          const ast::Statement &statement) {
  for (const ast::Attribute &attribute : statement.attributes) {
    if (attribute.name == "permute") {
      std::vector<int64_t> perm = numbersOf(attribute.value);
      auto rank = static_cast<int64_t>(tensor.shape.size());
      if (perm.empty())
        for (int64_t axis = rank; axis-- != 0;)
          perm.push_back(axis);
      for (int64_t &axis : perm)
        axis += axis < 0 ? rank : 0;
      tensor = permute(tensor, perm);
    } else if (attribute.name == "dtype" || attribute.name == "dst_dtype") {
      const std::string *text = textOf(attribute.value);
      auto dtype = text ? dtypeFromAnyName(*text) : std::nullopt;
      if (!dtype)
        return unreadable("`" + attribute.name + "` is no dtype");
      tensor = convert(tensor, *dtype);
    } else if (attribute.name != "axis" && attribute.name != "src_dtype") {
      return unreadable("attribute `" + attribute.name + "`");
    }
  }
  return tensor;
}

Expected<size_t> Evaluation::axisOf(const ast::Statement &statement,
                                    const WholeTensor &operand) const {
  const ast::Attribute *attribute = statement.find("axis");
  int64_t axis = 0;
  if (attribute) {
    const auto *number = std::get_if<int64_t>(&attribute->value.data);
    if (!number)
      return unreadable("`axis` is no whole number");
    axis = *number;
  }
  auto rank = static_cast<int64_t>(operand.shape.size());
  if (axis < -rank || axis >= rank)
    return unreadable("axis " + std::to_string(axis));
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

void Evaluation::remove(const ast::Statement &statement) {
  for (const ast::Name &name : statement.left) {
    if (auto it = bound.find(keyOf(name)); it != bound.end() && !isPaddle)
      it->second.read = true;
    else if (source.contains(name.text))
      removedSources.insert(name.text);
  }
}

Evaluation::Done Evaluation::statement(const ast::Statement &statement) {
  const auto &left = statement.left, &right = statement.right;
  if (left.size() == 1 && left.front().isDiscard()) {
    if (isPaddle)
      for (const ast::Name &name : right)
        declared.insert(keyOf(name));
    else
      bound[keyOf(right.front())].filledByCaller = true;
    return true;
  }
  if (right.size() == 1 && right.front().isDiscard() &&
      (!isPaddle || left.size() == 1)) {
    remove(statement);
    return true;
  }
  std::vector<WholeTensor> operands;
  for (const ast::Name &name : left) {
    auto tensor = operand(name);
    if (!tensor)
      return failWith(std::move(tensor));
    operands.push_back(std::move(*tensor));
  }
  if (operands.size() > 1) {
    auto axis = axisOf(statement, operands.front());
    if (!axis)
      return failWith(std::move(axis));
    operands = {join(operands, *axis)};
  }
  auto result = operate(std::move(operands.front()), statement);
  if (!result)
    return failWith(std::move(result));
  if (right.size() == 1) {
    bound[keyOf(right.front())] = {std::move(*result)};
    return true;
  }
  auto axis = axisOf(statement, *result);
  if (!axis)
    return failWith(std::move(axis));
  for (size_t i = 0; i != right.size(); ++i)
    bound[keyOf(right[i])] = {cut(*result, *axis, static_cast<int64_t>(i),
                                  static_cast<int64_t>(right.size()))};
  return true;
}

Tensors Evaluation::sinks() const {
  Tensors results;
  for (const auto &[name, tensor] : source)
    if (!readSources.contains(name) && !removedSources.contains(name) &&
        !bound.contains("=" + name))
      results.emplace(name, tensor);
  for (const auto &[key, binding] : bound)
    if (key.starts_with("=") && !binding.read && !binding.filledByCaller)
      results.emplace(key.substr(1), binding.tensor);
  return results;
}

Expected<Tensors> Evaluation::listed() const {
  Tensors results;
  for (const Tensor &wanted : target.list->tensors) {
    auto binding = bound.find("=" + wanted.name);
    auto original = source.find(wanted.name);
    if (binding != bound.end()) {
      if (!binding->second.filledByCaller)
        results.emplace(wanted.name, binding->second.tensor);
    } else if (declared.contains("=" + wanted.name)) {
      continue;
    } else if (original != source.end()) {
      results.emplace(wanted.name, original->second);
    } else {
      return unreadable("nothing makes `" + wanted.name + "`");
    }
  }
  return results;
}

Expected<Tensors> Evaluation::run() {
  for (const ast::Statement &each : script.statements)
    if (auto done = statement(each); !done)
      return failWith(std::move(done),
                      "evaluating `" +
                          ast::printStatement(each, script.dialect) + "`");
  if (target.list)
    return listed();
  Tensors results = sinks();
  // With a layout that knows the name, a declaration wins over the source's
  // tensor of that name.
  if (target.layout)
    for (const std::string &key : declared)
      if (!bound.contains(key) && target.layout->findRule(key.substr(1)))
        results.erase(key.substr(1));
  return results;
}

} // namespace

Expected<Tensors> reference::evaluate(const ast::Script &script,
                                      const Tensors &source,
                                      const Target &target) {
  return Evaluation(script, source, target).run();
}
