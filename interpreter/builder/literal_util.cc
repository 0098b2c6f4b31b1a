#include "interpreter/builder/literal_util.h"

#include <cstdlib>
#include <cstring>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/types/check.h"
#include "interpreter/types/float_format.h"

namespace assay::LiteralUtil {
namespace {

Literal FromBits(PrimitiveType type, std::uint64_t bits) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  std::memcpy(literal.mutable_data(), &bits, literal.byte_size());
  return literal;
}

Literal FromInteger(PrimitiveType type, std::uint64_t value) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  StoreIntegers(type, &value, literal.mutable_data(), 1);
  return literal;
}

// Returns the least or greatest number of an integral type or of pred.
Literal Extreme(PrimitiveType type, bool is_greatest) {
  ASSAY_CHECK(type == PRED || IsIntegralType(type), "only integers and pred have a least and a greatest number");
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - BitWidth(type));
  if (type == PRED) return FromInteger(type, is_greatest);
  if (!IsSignedIntegralType(type)) return FromInteger(type, is_greatest ? ones : 0);
  return FromInteger(type, is_greatest ? ones >> 1 : ~(ones >> 1));
}

}  // namespace

Literal Stack(PrimitiveType type, std::int64_t rank, const std::vector<Literal>& arrays) {
  Dimensions dimensions = arrays.empty() ? Dimensions(rank, 0) : arrays[0].shape().dimensions();
  dimensions.insert(dimensions.begin(), static_cast<std::int64_t>(arrays.size()));
  Literal stack(ShapeUtil::MakeShape(type, dimensions));
  std::byte* out = stack.mutable_data();
  for (const Literal& array : arrays) {
    ASSAY_CHECK(array.shape() == arrays[0].shape(), "the arrays of a stack must have one shape");
    if (array.byte_size() > 0) std::memcpy(out, array.data(), array.byte_size());
    out += array.byte_size();
  }
  return stack;
}

Literal MakeTuple(std::vector<Literal> elements) { return Literal::MakeTuple(std::move(elements)); }
Literal CreateToken() { return Literal::MakeToken(); }

Literal Convert(const Literal& literal, PrimitiveType type) {
  Literal converted(ShapeUtil::ChangeElementType(literal.shape(), type));
  assay::Convert(literal.element_type(), literal.data(), type, converted.mutable_data(), literal.element_count());
  return converted;
}

Literal Zero(PrimitiveType type) { return Convert(CreateR0<std::int32_t>(0), type); }
Literal One(PrimitiveType type) { return Convert(CreateR0<std::int32_t>(1), type); }

Literal MinFiniteValue(PrimitiveType type) {
  if (!IsFloatingPointType(type)) return Extreme(type, /*is_greatest=*/false);
  const FloatFormat& format = FloatFormatOf(type);
  return FromBits(type, format.has_sign ? format.max_finite_bits() | format.sign_mask() : 0);
}

Literal MaxFiniteValue(PrimitiveType type) {
  if (!IsFloatingPointType(type)) return Extreme(type, /*is_greatest=*/true);
  return FromBits(type, FloatFormatOf(type).max_finite_bits());
}

Literal MinValue(PrimitiveType type) {
  const bool has_infinity = IsFloatingPointType(type) && FloatFormatOf(type).has_infinity;
  return has_infinity ? FromBits(type, FloatFormatOf(type).overflow_bits(/*negative=*/true)) : MinFiniteValue(type);
}

Literal MaxValue(PrimitiveType type) {
  const bool has_infinity = IsFloatingPointType(type) && FloatFormatOf(type).has_infinity;
  return has_infinity ? FromBits(type, FloatFormatOf(type).overflow_bits(/*negative=*/false)) : MaxFiniteValue(type);
}

std::string ToString(const Literal& literal) {
  return literal.shape().ToStringWithoutLayout() + " " + PrintLiteral(literal);
}

}  // namespace assay::LiteralUtil
