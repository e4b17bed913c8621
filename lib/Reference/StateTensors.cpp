//===- StateTensors.cpp - Model tensors and their states apart --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StateTensors.h"

using namespace aoa;

std::set<std::string>
reference::modelNames(const std::vector<std::string> &names,
                      StateConvention convention) {
  std::set<std::string> model;
  for (const std::string &name : names) {
    auto state = stateName(convention, name);
    if (!state)
      model.insert(name);
    else if (state->scalePower != 0)
      model.emplace(state->tensor);
  }
  for (const std::string &name : names)
    if (auto state = stateName(convention, name);
        state && !model.contains(std::string(state->tensor)))
      model.insert(name);
  return model;
}
