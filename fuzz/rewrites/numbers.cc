// Rewrites that change numbers and change them back, bit for bit.
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/types/float_format.h"

namespace assay {
using namespace generate;
namespace {

// True for types with a signed zero and infinities.
bool IsCommonFloat(PrimitiveType type) { return type == F16 || type == BF16 || type == F32 || type == F64; }
bool IsNumber(PrimitiveType type) { return IsCommonFloat(type) || IsIntegralType(type); }
bool IsBits(PrimitiveType type) { return IsIntegralType(type) || type == PRED; }

HloInstruction* Twice(Site& site, std::string_view op) { return site.Add(op, {site.Add(op, {&site.at()})}); }

// Applies an operation with a constant, on a random side if it is commutative.
HloInstruction* WithNumber(Site& site, std::string_view op, double number, bool may_come_first) {
  HloInstruction* filled = site.Filled(site.shape(), number);
  if (may_come_first && site.random().Flip()) return site.Add(op, {filled, &site.at()});
  return site.Add(op, {&site.at(), filled});
}

HloInstruction* OfItself(Site& site, std::string_view op) { return site.Add(op, {&site.at(), &site.at()}); }

HloInstruction* AndAllOnes(Site& site) {
  return site.Add("and", {&site.at(), site.Add("not", {site.Filled(site.shape(), 0)})});
}
HloInstruction* XorTwice(Site& site) {
  HloInstruction* mask = site.Filled(site.shape(), 1);
  return site.Add("xor", {site.Add("xor", {&site.at(), mask}), mask});
}
HloInstruction* ShiftByZero(Site& site) {
  return WithNumber(site, site.random().OneOf({"shift-left", "shift-right-logical", "shift-right-arithmetic"}), 0,
                    false);
}
HloInstruction* AddAndSubtract(Site& site) {
  HloInstruction* one = site.Filled(site.shape(), 1);
  return site.Add("subtract", {site.Add("add", {&site.at(), one}), one});
}
HloInstruction* ClampToItself(Site& site) { return site.Add("clamp", {&site.at(), &site.at(), &site.at()}); }
HloInstruction* PartsAndWhole(Site& site) {
  return site.Add("complex", {site.Add("real", {&site.at()}), site.Add("imag", {&site.at()})});
}

HloInstruction* Converted(Site& site, HloInstruction* value, PrimitiveType type) {
  Shape shape = value->shape;
  shape.set_element_type(type);
  return site.Add("convert", {value}, {}, shape);
}

PrimitiveType WiderThan(PrimitiveType type, Random& random) {
  switch (type) {
    case F16:
    case BF16:
      return random.OneOf({F32, F64});
    case F32:
      return F64;
    case S8:
      return random.OneOf({S16, S32, S64, F32, F16});
    case U8:
      return random.OneOf({U16, S32, U32, S64, F32, F16});
    case S16:
    case U16:
      return random.OneOf({S32, S64, F32, F64});
    case S32:
    case U32:
      return random.OneOf({S64, F64});
    default:
      return PRIMITIVE_TYPE_INVALID;
  }
}

HloInstruction* WiderAndBack(Site& site) {
  if (!site.shape().IsArray()) return nullptr;
  const PrimitiveType wider = WiderThan(site.type(), site.random());
  if (wider == PRIMITIVE_TYPE_INVALID) return nullptr;
  return Converted(site, Converted(site, &site.at(), wider), site.type());
}

PrimitiveType OfTheSameWidth(PrimitiveType type, Random& random) {
  switch (BitWidth(type)) {
    case 8:
      return random.OneOf({S8, U8});
    case 16:
      return random.OneOf({S16, U16});
    case 32:
      return random.OneOf({S32, U32});
    case 64:
      return random.OneOf({S64, U64});
    default:
      return PRIMITIVE_TYPE_INVALID;
  }
}

HloInstruction* OtherBitsAndBack(Site& site) {
  const PrimitiveType other = OfTheSameWidth(site.type(), site.random());
  if (other == PRIMITIVE_TYPE_INVALID) return nullptr;
  Shape shape = site.shape();
  shape.set_element_type(other);
  HloInstruction* there = site.Add("bitcast-convert", {&site.at()}, {}, shape);
  return site.Add("bitcast-convert", {there}, {}, site.shape());
}

HloInstruction* ReduceByNothing(Site& site) {
  const FloatFormat& format = FloatFormatOf(site.type());
  return site.Add(
      "reduce-precision", {&site.at()},
      {{"exponent_bits", std::int64_t{format.exponent_bits}}, {"mantissa_bits", std::int64_t{format.precision() - 1}}});
}

// A rewrite of the arrays of some types.
template <bool (*kAccepts)(PrimitiveType), auto kSame>
HloInstruction* Of(Site& site) {
  return site.shape().IsArray() && kAccepts(site.type()) ? kSame(site) : nullptr;
}

constexpr Rewrite kNumberRewrites[] = {
    {"negate-pair", Of<IsNumber, [](Site& site) { return Twice(site, "negate"); }>},
    {"not-pair", Of<IsBits, [](Site& site) { return Twice(site, "not"); }>},
    // x + 0 would lose the sign of -0.
    {"add-zero",
     Of<IsNumber, [](Site& site) { return WithNumber(site, "add", IsCommonFloat(site.type()) ? -0.0 : 0, true); }>},
    {"subtract-zero", Of<IsNumber, [](Site& site) { return WithNumber(site, "subtract", 0, false); }>},
    {"multiply-by-one", Of<IsNumber, [](Site& site) { return WithNumber(site, "multiply", 1, true); }>},
    {"divide-by-one", Of<IsNumber, [](Site& site) { return WithNumber(site, "divide", 1, false); }>},
    {"or-zero", Of<IsBits, [](Site& site) { return WithNumber(site, "or", 0, true); }>},
    {"xor-zero", Of<IsBits, [](Site& site) { return WithNumber(site, "xor", 0, true); }>},
    {"and-all-ones", Of<IsBits, AndAllOnes>},
    {"xor-twice", Of<IsBits, XorTwice>},
    {"shift-by-zero", Of<IsIntegralType, ShiftByZero>},
    {"add-and-subtract", Of<IsIntegralType, AddAndSubtract>},
    {"maximum-of-itself",
     Of<IsNumber, [](Site& site) { return OfItself(site, site.random().Flip() ? "maximum" : "minimum"); }>},
    {"and-of-itself", Of<IsBits, [](Site& site) { return OfItself(site, site.random().Flip() ? "and" : "or"); }>},
    {"clamp-to-itself", Of<IsNumber, ClampToItself>},
    {"wider-and-back", WiderAndBack},
    {"other-bits-and-back", Of<IsNumber, OtherBitsAndBack>},
    {"parts-and-whole", Of<IsComplexType, PartsAndWhole>},
    {"reduce-by-nothing", Of<IsCommonFloat, ReduceByNothing>},
};

}  // namespace

std::span<const Rewrite> RewritesOfNumbers() { return kNumberRewrites; }

}  // namespace assay
