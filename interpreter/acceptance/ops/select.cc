#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals Selected(const HloInstruction&, std::span<const Reals> x) {
  if (x[0].low == x[0].high) return x[0].low != 0 ? x[1] : x[2];
  return Hull(x[1], x[2]);
}

}  // namespace

const OpAcceptance acceptance_select = {
    .op = &op_select, .image = ByElement<Selected>, .traits = Trait::kKeepsTerms, .selectors = 0b1};

}  // namespace assay
