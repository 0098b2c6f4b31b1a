#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/integer_division.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Returns the hull of the quotients of the ends. A divisor that may be zero leaves everything open.
Reals Quotient(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (!IsFloatingPointType(type)) return AnyOf(type);
  if (x[0].IsEmpty() || x[1].IsEmpty()) return Reals::Nan();
  if (x[1].ContainsZero()) return {};
  if (x[0].low == 0 && x[0].high == 0) return {0, 0, x[0].may_be_nan || x[1].may_be_nan};
  const double ends[] = {x[0].low / x[1].low, x[0].low / x[1].high, x[0].high / x[1].low, x[0].high / x[1].high};
  if (std::ranges::any_of(ends, [](double end) { return std::isnan(end); })) return {};
  const auto [low, high] = std::ranges::minmax(ends);
  return Outward({low, high, x[0].may_be_nan || x[1].may_be_nan});
}

// Returns the reciprocal root for a quotient by a square root, also by one that is moved.
const Op* ReciprocalOfRoot(const HloInstruction& divide) {
  const HloInstruction* divisor = &divide.operand(1);
  while (divisor->op != &op_negate && divisor->operands.size() == 1 && AcceptanceOf(*divisor).Has(Trait::kKeepsTerms)) {
    divisor = &divisor->operand(0);
  }
  return divisor->op == &op_sqrt ? &op_rsqrt : nullptr;
}

}  // namespace

const OpAcceptance acceptance_divide = {.op = &op_divide,
                                        .rule = Acceptance::kUlp,
                                        .folded = Acceptance::kCalled,
                                        .gap = {.implementation_defined = OverflowOfIntegers},
                                        .image = RealOrComplex<ByElement<Quotient>, ComplexQuotient>,
                                        .traits = Trait::kJumps | Trait::kDivides,
                                        .forms = {.multiplies_by = ReciprocalOfRoot}};

}  // namespace assay
