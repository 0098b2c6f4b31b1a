// Elements of a result that its kernels are not sure of: the reference computes them again, and no others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/cuda/execution/launch.h"
#include "backends/cuda/execution/value.h"

namespace assay::cuda {

// The places of the elements in the list that the kernels made; nothing where they are too many for it.
Result<std::optional<std::vector<std::uint64_t>>> DoubtsOf(const Device& device, const Buffer& list);

// What was launched, and which elements of its result are in doubt.
struct DoubtfulResult {
  const HloInstruction& fusion;
  const KernelProgram& program;
  const std::vector<Value>& operands;
  const KernelBuffers& buffers;
  const std::vector<std::uint64_t>& places;
};

// The result with these elements as the reference has them; nothing where it takes less to evaluate all of it.
Result<std::optional<Value>> WithoutDoubts(Device& device, const DoubtfulResult& doubtful, const Value& result);

}  // namespace assay::cuda
