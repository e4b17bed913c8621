//===- Clock.cpp - Time and memory of what is measured ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts what the heap holds by replacing operator new of the whole program.
// What the allocator itself needs is not counted, nor is malloc() by others.
//===----------------------------------------------------------------------===//

#include "Scale.h"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <new>

using namespace aoa::bench;

static int64_t liveBytes = 0, mostBytes = 0;

static void *take(size_t size) {
  void *memory = std::malloc(size);
  if (!memory)
    throw std::bad_alloc();
  liveBytes += static_cast<int64_t>(malloc_usable_size(memory));
  mostBytes = std::max(mostBytes, liveBytes);
  return memory;
}

static void giveBack(void *memory) noexcept {
  if (!memory)
    return;
  liveBytes -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

void *operator new(size_t size) { return take(size); }
void *operator new[](size_t size) { return take(size); }
void operator delete(void *memory) noexcept { giveBack(memory); }
void operator delete[](void *memory) noexcept { giveBack(memory); }
void operator delete(void *memory, size_t) noexcept { giveBack(memory); }
void operator delete[](void *memory, size_t) noexcept { giveBack(memory); }

static double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

void Clock::start() {
  bytesBefore = mostBytes = liveBytes;
  started = cpuSeconds();
}

void Clock::stop() {
  elapsed = cpuSeconds() - started;
  peak = mostBytes - bytesBefore;
}
