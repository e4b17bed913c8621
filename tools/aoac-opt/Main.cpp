//===- Main.cpp - aoac-opt: passes on IR text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Driver/Driver.h"

int main(int argc, char **argv) { return aoa::runAoacOpt(argc, argv); }
