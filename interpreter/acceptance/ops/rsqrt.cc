#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// The result for -0 is -inf. Sets do not know the sign of a zero.
Reals ReciprocalRoot(const HloInstruction&, std::span<const Reals> x) {
  if (x[0].IsEmpty()) return Reals::Nan();
  if (x[0].ContainsZero()) return {-INFINITY, INFINITY, x[0].may_be_nan || x[0].low < 0};
  if (x[0].high < 0) return Reals::Nan();
  return Outward({1 / std::sqrt(x[0].high), 1 / std::sqrt(x[0].low), x[0].may_be_nan});
}

ElementSet ImageOfRsqrt(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                        SetEvaluation&) {
  if (IsComplexType(value.element_type())) return Anything(value, &instruction).open;
  return MapElements(instruction, operands, value, ReciprocalRoot);
}

}  // namespace

const OpAcceptance acceptance_rsqrt = {
    .op = &op_rsqrt, .rule = Acceptance::kUlp, .image = ImageOfRsqrt, .traits = Trait::kJumps};

}  // namespace assay
