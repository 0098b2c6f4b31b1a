#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Two values differ by no more than their arguments do.
Reals CosineWave(const HloInstruction& instruction, std::span<const Reals> x) {
  const double centre = x[0].low / 2 + x[0].high / 2;
  const double radius = std::max(centre - x[0].low, x[0].high - centre);  // the centre is rounded
  if (IsComplexType(instruction.shape.element_type())) return {};
  if (!std::isfinite(radius)) return {-1, 1, true};
  const Reals image = Outward(Outward({std::cos(centre) - radius, std::cos(centre) + radius, x[0].may_be_nan}));
  return {std::max(image.low, -1.0), std::min(image.high, 1.0), image.may_be_nan};
}

}  // namespace

const OpAcceptance acceptance_cosine = {
    .op = &op_cosine, .rule = Acceptance::kUlp, .facts = FunctionRange{-1, 1}, .image = ByElement<CosineWave>};

}  // namespace assay
