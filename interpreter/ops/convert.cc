#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Towards zero, then to the nearest end of the type's range; NaN gives 0.
plain::Element TruncatedTo(PrimitiveType type, const plain::Real& x) {
  using namespace plain;
  if (x.IsNan()) return WithBits(type, 0);
  const bool is_signed = IsSignedIntegralType(type);
  const Real end = std::ldexp(1.0, is_signed ? BitWidth(type) - 1 : BitWidth(type));
  return WithBits(type, WholeOf(Minimum(Maximum(Truncate(x), is_signed ? -end : 0), end - 1)));
}

plain::Element ElementConvertedTo(PrimitiveType type, const plain::Element& x) {
  using namespace plain;
  if (type == x.type) return x;
  const PrimitiveType part = ComplexComponentType(type);
  if (type == PRED) return WithBits(PRED, ComplexNumberOf(x) == Complex{0, 0} ? 0 : 1);
  if (IsIntegralType(type)) {
    const bool is_whole = x.type == PRED || IsIntegralType(x.type);
    return is_whole ? WithBits(type, static_cast<std::uint64_t>(IntegerOf(x)))
                    : TruncatedTo(type, RealOf(PartOf(x, 0)));
  }
  const Element real = Rounded(part, RealOf(PartOf(x, 0)), {PartOf(x, 0)});
  if (!IsComplexType(type)) return real;
  if (!IsComplexType(x.type)) return ComplexOf(real, Rounded(part, Real(0), {}));
  return ComplexOf(real, Rounded(part, RealOf(PartOf(x, 1)), {PartOf(x, 1)}));
}

Kernel ConvertedElements(const HloInstruction& convert) {
  return plain::ElementByElement(convert, [type = convert.shape.element_type()](const plain::Row& row) {
    return ElementConvertedTo(type, row[0]);
  });
}

// The exact number; what rounds it comes after. To integers it is cut off and kept in range.
Reals Converted(const HloInstruction& convert, std::span<const Reals> x) {
  const PrimitiveType from = convert.operand(0).shape.element_type(), to = convert.shape.element_type();
  if (IsComplexType(from) || IsComplexType(to)) return AnyOf(to);
  if (to == PRED)
    return {x[0].ContainsZero() || x[0].IsEmpty() ? 0.0 : 1.0, x[0].low == 0 && x[0].high == 0 ? 0.0 : 1.0, false};
  if (!IsIntegralType(to)) {
    const bool keeps_nans = FloatFormatOf(to).nan != NanEncoding::kNone;
    return keeps_nans || !x[0].may_be_nan ? x[0] : Hull({x[0].low, x[0].high, false}, {0, 0, false});
  }
  const Reals any = AnyOf(to);
  if (x[0].IsEmpty()) return {0, 0, false};
  if (IsIntegralType(from)) return Wrapped(to, x[0]);
  const Reals cut = {std::clamp(std::trunc(x[0].low), any.low, any.high),
                     std::clamp(std::trunc(x[0].high), any.low, any.high), false};
  return x[0].may_be_nan ? Hull(cut, {0, 0, false}) : cut;
}

// Every number of one type is one of the other.
bool Widens(PrimitiveType from, PrimitiveType to) {
  if (!IsFloatingPointType(from) || !IsFloatingPointType(to)) return from == to;
  const FloatFormat &narrow = FloatFormatOf(from), &wide = FloatFormatOf(to);
  return wide.mantissa_bits >= narrow.mantissa_bits && wide.min_exponent() <= narrow.min_exponent() &&
         wide.exponent_bits >= narrow.exponent_bits;
}

bool GivesOperand(const HloInstruction& convert) {
  const HloInstruction& operand = convert.operand(0);
  const PrimitiveType from = operand.shape.element_type(), to = convert.shape.element_type();
  if (Widens(from, to)) return true;
  // Back from a type that it was widened to.
  return operand.op == convert.op && operand.operand(0).shape.element_type() == to && Widens(to, from);
}

}  // namespace

const Op op_convert = {
    .name = "convert",
    .meaning = "Each element converted to the result type, rounded once.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferConversion},
    .evaluation = {.kernel = ConvertedElements},
    .acceptance = {.image = ByElement<Converted>, .rounds = true, .gives_operand = GivesOperand},
};

}  // namespace assay
