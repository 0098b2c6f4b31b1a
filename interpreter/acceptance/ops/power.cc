#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// The power of a positive base is monotone in each operand, so the extremes are at the corners.
Reals Power(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (!IsFloatingPointType(type) || x[0].IsEmpty() || x[1].IsEmpty() || x[0].low <= 0) return AnyOf(type);
  const double ends[] = {std::pow(x[0].low, x[1].low), std::pow(x[0].low, x[1].high), std::pow(x[0].high, x[1].low),
                         std::pow(x[0].high, x[1].high)};
  if (std::ranges::any_of(ends, [](double end) { return std::isnan(end); })) return {};
  const auto [low, high] = std::ranges::minmax(ends);
  const Reals image = Outward(Outward({low, high, x[0].may_be_nan || x[1].may_be_nan}));
  return {std::max(image.low, 0.0), image.high, image.may_be_nan};
}

// A compiler expands x^2 to x * x, and higher powers to chains that end in a multiplication.
bool IsWholePower(const HloInstruction& power) {
  const HloInstruction* exponent = &power.operand(1);
  while (exponent->op == &op_broadcast) exponent = &exponent->operand(0);
  if (!exponent->literal || exponent->literal->element_count() != 1) return false;
  if (!IsFloatingPointType(exponent->shape.element_type())) return false;
  const double number = NumbersOf(*exponent->literal).values<double>()[0];
  return number >= 2 && number == std::floor(number);
}

}  // namespace

const OpAcceptance acceptance_power = {.op = &op_power,
                                       .rule = Acceptance::kUlp,
                                       .folded = Acceptance::kCalled,
                                       .image = RealOrComplex<ByElement<Power>, ComplexPower>,
                                       .traits = Trait::kJumps,
                                       .forms = {.is_product = IsWholePower}};

}  // namespace assay
