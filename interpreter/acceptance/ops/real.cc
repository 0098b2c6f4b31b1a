#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals FirstPart(const HloInstruction&, std::span<const Reals> x) { return x[0]; }

}  // namespace

const OpAcceptance acceptance_real = {.op = &op_real, .image = ByElement<FirstPart>, .traits = Trait::kKeepsTerms};

}  // namespace assay
