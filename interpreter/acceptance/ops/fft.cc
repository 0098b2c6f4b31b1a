#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

DiscreteTransform TransformOf(const HloInstruction& fft) {
  return {fft.Int64s("fft_length"), fft.String("fft_type").starts_with('I')};
}

}  // namespace

const OpAcceptance acceptance_fft = {.op = &op_fft, .rule = Acceptance::kTransform, .facts = TransformOf};

}  // namespace assay
