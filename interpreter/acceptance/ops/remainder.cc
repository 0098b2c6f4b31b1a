#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/integer_division.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Between two multiples of a known divisor the remainder follows the dividend. Otherwise it is less than the divisor.
Reals Remainder(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  const double divisor = std::max(std::fabs(x[1].low), std::fabs(x[1].high));
  const bool is_known = x[1].low == x[1].high && divisor != 0 && std::isfinite(x[0].low) && std::isfinite(x[0].high);
  if (!is_known || !std::isfinite(divisor)) return AnyOf(type);
  // Doubles do not hold every 64-bit integer, and a remainder depends on the last digit.
  const bool is_rounded =
      IsIntegralType(type) && std::max({divisor, std::fabs(x[0].low), std::fabs(x[0].high)}) >= 0x1p53;
  if (is_rounded) return AnyOf(type);
  const bool may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  // A larger quotient has too few digits to distinguish the multiples.
  const double multiple = std::trunc(x[0].low / divisor);
  const bool is_between = std::fabs(multiple) < 0x1p52 && x[0].high - x[0].low < divisor;
  if (is_between && multiple == std::trunc(x[0].high / divisor)) {
    const double low = std::fmod(x[0].low, divisor), high = std::fmod(x[0].high, divisor);
    if (low <= high) return {low, high, may_be_nan};
  }
  return {x[0].low < 0 ? -divisor : 0, x[0].high > 0 ? divisor : 0, may_be_nan};
}

}  // namespace

const OpAcceptance acceptance_remainder = {.op = &op_remainder,
                                           .gap = {.implementation_defined = OverflowOfIntegers},
                                           .image = ByElement<Remainder>,
                                           .traits = Trait::kOrderMatters | Trait::kJumps | Trait::kMakesSubnormals};

}  // namespace assay
