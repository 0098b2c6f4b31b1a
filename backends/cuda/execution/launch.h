// A single launch of a program, with its memory.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/kernels/program.h"

namespace assay::cuda {

// The arrays of a program. An array without elements is null.
struct KernelBuffers {
  std::vector<std::shared_ptr<Buffer>> operands, results, scratch;
};

// Enqueues a launch. `kernel` is its loaded kernel, or null if a library computes the launch.
Status Enqueue(Device& device, const LoadedKernel* kernel, const KernelLaunch& launch, const KernelBuffers& buffers);

}  // namespace assay::cuda
