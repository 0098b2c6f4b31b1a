// Doubtful elements: a kernel cannot decide how they round, and the reference computes only these again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/cuda/execution/launch.h"
#include "backends/cuda/execution/value.h"

namespace assay::cuda {

// Reads the places of the doubtful elements from the kernels' list; nullopt if there are more than it holds.
Result<std::optional<std::vector<std::uint64_t>>> DoubtsOf(const Device& device, const Buffer& list);

// A launched program and the doubtful elements of its result.
struct DoubtfulResult {
  const HloInstruction& fusion;
  const KernelProgram& program;
  const std::vector<Value>& operands;
  const KernelBuffers& buffers;
  const std::vector<std::uint64_t>& places;
};

// Returns the result with the reference's values for these elements; nullopt if evaluating all of it is cheaper.
Result<std::optional<Value>> WithoutDoubts(Device& device, const DoubtfulResult& doubtful, const Value& result);

}  // namespace assay::cuda
