#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

double RoundedTo(PrimitiveType type, double x) {
  return ToDouble(FloatFormatOf(type), RoundDouble(FloatFormatOf(type), x));
}

// Returns the exact number; rounding follows in the pipeline. Conversion of floats to integers truncates and clamps.
Reals Converted(const HloInstruction& convert, std::span<const Reals> x) {
  const PrimitiveType given = convert.operand(0).shape.element_type(), from = ComplexComponentType(given);
  const PrimitiveType to = ComplexComponentType(convert.shape.element_type());
  if (to == PRED && IsComplexType(given)) return AnyOf(to);
  if (to == PRED)
    return {x[0].ContainsZero() || x[0].IsEmpty() ? 0.0 : 1.0, x[0].low == 0 && x[0].high == 0 ? 0.0 : 1.0, false};
  if (!IsIntegralType(to)) {
    const bool keeps_nans = FloatFormatOf(to).nan != NanEncoding::kNone;
    return keeps_nans || !x[0].may_be_nan ? x[0] : Hull({x[0].low, x[0].high, false}, {0, 0, false});
  }
  const Reals any = AnyOf(to);
  if (x[0].IsEmpty()) return {0, 0, false};
  if (IsIntegralType(from)) return Wrapped(to, x[0]);
  // No compiler elides a conversion to f32 before one to an integer.
  const PrimitiveType type = BitWidth(from) < 32 ? F64 : from;
  const Reals cut = {std::clamp(std::trunc(RoundedTo(type, x[0].low)), any.low, any.high),
                     std::clamp(std::trunc(RoundedTo(type, x[0].high)), any.low, any.high), false};
  return x[0].may_be_nan ? Hull(cut, {0, 0, false}) : cut;
}

// The imaginary part of a real number is 0. A complex number becomes real by its first part.
ElementSet ConvertedParts(const HloInstruction& convert, std::span<const ValueSet> operands, const Literal& value,
                          SetEvaluation&) {
  const bool adds_parts = IsComplexType(value.element_type()) && !IsComplexType(operands[0].value.element_type());
  if (!adds_parts) return MapElements(convert, operands, value, Converted);
  const ElementReader real(operands[0]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!real.IsOpen(i)) continue;
    writer.Set(2 * i, real.At(i));
    writer.Set(2 * i + 1, Reals::Point(0));
  }
  return writer.Take();
}

// True if every number of one type is a number of the other.
bool Widens(PrimitiveType from, PrimitiveType to) {
  if (IsComplexType(to)) return Widens(ComplexComponentType(from), ComplexComponentType(to));
  if (!IsFloatingPointType(from) || !IsFloatingPointType(to)) return from == to;
  const FloatFormat &narrow = FloatFormatOf(from), &wide = FloatFormatOf(to);
  return wide.mantissa_bits >= narrow.mantissa_bits && wide.min_exponent() <= narrow.min_exponent() &&
         wide.exponent_bits >= narrow.exponent_bits;
}

bool ConvertGivesOperand(const HloInstruction& convert) {
  const HloInstruction& operand = convert.operand(0);
  const PrimitiveType from = operand.shape.element_type(), to = convert.shape.element_type();
  if (Widens(from, to)) return true;
  // The operand was widened, and is converted back.
  return operand.op == convert.op && operand.operand(0).shape.element_type() == to && Widens(to, from);
}

bool NarrowsProduct(const HloInstruction& convert) {
  const HloInstruction& product = convert.operand(0);
  const PrimitiveType from = product.shape.element_type(), to = convert.shape.element_type();
  if (!IsFloatingPointType(from) || !IsFloatingPointType(to) || !Widens(to, from)) return false;
  const bool holds_products = FloatFormatOf(from).precision() >= 2 * FloatFormatOf(to).precision();
  return holds_products && AcceptanceOf(product).folded == Acceptance::kProduct && product.operands.size() == 2 &&
         std::ranges::all_of(product.operands, [&](const HloInstruction* factor) {
           return factor->op == convert.op && factor->operand(0).shape.element_type() == to;
         });
}

}  // namespace

const OpAcceptance acceptance_convert = {.op = &op_convert,
                                         .image = ConvertedParts,
                                         .traits = Trait::kRounds | Trait::kConverts,
                                         .forms = {.gives_operand = ConvertGivesOperand, .is_product = NarrowsProduct}};

}  // namespace assay
