// Targets in XLA's modules that cannot be evaluated: their meaning is not in the module, or not public. A record states
// the reason.
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/stand_in.h"

namespace assay {
namespace {

// Declines a kernel in another language.
Status CheckKernel(const HloInstruction& call) {
  return NotEvaluated(call, "its backend_config is the code of a kernel, not its meaning");
}

Status CheckReordering(const HloInstruction& call) {
  return NotEvaluated(call, "the order into which the library brings a filter is its own");
}

Status CheckQuantized(const HloInstruction& call) {
  return NotEvaluated(call, "how cuDNN scales f8 numbers between its two products is not documented");
}

const CustomCallTarget kOpaqueTargets[] = {
    {
        .names = {"__gpu$xla.gpu.triton", "__gpu$xla.gpu.ptx"},
        .meaning = "A kernel in Triton or PTX: not evaluated.",
        .check = CheckKernel,
    },
    {
        .names = {"__cudnn$convReorderFilter", "__cudnn$convReorderFilterAndBias", "__onednn$matmul_reorder"},
        .meaning = "A filter in an order of the library's own: not evaluated.",
        .check = CheckReordering,
    },
    {
        .names = {"__cudnn$fmhaSoftmaxF8", "__cudnn$fmhaSoftmaxBackwardF8"},
        .meaning = "Attention of f8 numbers: not evaluated.",
        .check = CheckQuantized,
    },
};

}  // namespace

const TargetFamily targets_opaque = kOpaqueTargets;

}  // namespace assay
