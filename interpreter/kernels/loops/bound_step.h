// A step of a loop with the addresses of its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "interpreter/kernels/loops/loop_bodies.h"

namespace assay {

struct BoundStep {
  ElementLoop loop = nullptr;
  const Kernel* kernel = nullptr;  // for steps without a loop
  std::vector<const std::byte*> operands;
  std::byte* result = nullptr;
  std::int64_t count = 0;

  void Run() const;
};

// Runs a step for machine code, through which no exception can pass. Returns false if the step has thrown an exception;
// RethrowFailure of the same thread then throws it.
bool RunForMachineCode(const BoundStep* step) noexcept;
[[noreturn]] void RethrowFailure();

}  // namespace assay
