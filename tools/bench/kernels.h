// The benchmark `kernels`: measures the speedup of each kernel over the definition of its op.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [OP...]: times drawn instructions of each op (by default of all ops with a kernel) alternately under the definition
// and under the kernel. Prints the median ratio and its range over the draws. Returns 1 for an op without a kernel.
int BenchKernels(std::span<const std::string_view> arguments);

}  // namespace assay
