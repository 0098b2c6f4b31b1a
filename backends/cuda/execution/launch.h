// One launch of a program, with the memory that it works on.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/kernels/program.h"

namespace assay::cuda {

// Null where there are no elements.
struct KernelBuffers {
  std::vector<std::shared_ptr<Buffer>> operands, results, scratch;
};

// `kernel` is that of the launch, null where a library computes it.
Status Enqueue(Device& device, const LoadedKernel* kernel, const KernelLaunch& launch, const KernelBuffers& buffers);

}  // namespace assay::cuda
