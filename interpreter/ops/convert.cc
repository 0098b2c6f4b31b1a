#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Rounds towards zero, then clamps to the type's range. NaN becomes 0.
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

}  // namespace

const Op op_convert = {
    .name = "convert",
    .meaning = "Each element converted to the result type, rounded once.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferConversion},
    .evaluation = {.kernel = ConvertedElements},
};

}  // namespace assay
