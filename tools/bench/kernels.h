// The benchmark `kernels`: what each kernel gains over the definition of its op.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [OP...]: times drawn instructions of each op, by default of all that have a kernel, under the definition and under
// the kernel by turns. Prints the ratio of the medians and its range over the draws. Exit code 1 if an op is not known.
int BenchKernels(std::span<const std::string_view> arguments);

}  // namespace assay
