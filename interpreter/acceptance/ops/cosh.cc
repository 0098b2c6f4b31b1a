#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// cosh is even and increases with the magnitude.
Reals Catenary(const HloInstruction& instruction, std::span<const Reals> x) {
  if (IsComplexType(instruction.shape.element_type())) return {};
  const double low = std::fabs(x[0].low), high = std::fabs(x[0].high);
  const double least = x[0].ContainsZero() ? 0 : std::min(low, high);
  const Reals image = Outward(Outward({std::cosh(least), std::cosh(std::max(low, high)), x[0].may_be_nan}));
  return {std::max(image.low, 1.0), image.high, image.may_be_nan};
}

}  // namespace

const OpAcceptance acceptance_cosh = {
    .op = &op_cosh, .rule = Acceptance::kUlp, .facts = FunctionRange{.low = 1}, .image = ByElement<Catenary>};

}  // namespace assay
