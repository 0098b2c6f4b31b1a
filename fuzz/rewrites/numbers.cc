// Rewrites that change numbers and change them back, bit for bit.
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/types/float_format.h"

namespace assay {
using namespace generate;
namespace {

// True for types with a signed zero and infinities.
bool IsCommonFloat(PrimitiveType type) { return type == F16 || type == BF16 || type == F32 || type == F64; }
bool IsArrayOf(Site& site, bool (*accepts)(PrimitiveType)) { return site.shape().IsArray() && accepts(site.type()); }
bool IsNumber(PrimitiveType type) { return IsCommonFloat(type) || IsIntegralType(type); }
bool IsBits(PrimitiveType type) { return IsIntegralType(type) || type == PRED; }

HloInstruction* Twice(Site& site, std::string_view op) { return site.Add(op, {site.Add(op, {&site.at()})}); }

HloInstruction* NegatePair(Site& site) { return IsArrayOf(site, IsNumber) ? Twice(site, "negate") : nullptr; }
HloInstruction* NotPair(Site& site) { return IsArrayOf(site, IsBits) ? Twice(site, "not") : nullptr; }

// Applies an operation with a constant, on a random side if it is commutative.
HloInstruction* WithNumber(Site& site, std::string_view op, double number, bool may_come_first) {
  HloInstruction* filled = site.Filled(site.shape(), number);
  if (may_come_first && site.random().Flip()) return site.Add(op, {filled, &site.at()});
  return site.Add(op, {&site.at(), filled});
}

// Adds -0 to floats: x + 0 would lose the sign of -0.
HloInstruction* AddZero(Site& site) {
  return IsArrayOf(site, IsNumber) ? WithNumber(site, "add", IsCommonFloat(site.type()) ? -0.0 : 0, true) : nullptr;
}
HloInstruction* SubtractZero(Site& site) {
  return IsArrayOf(site, IsNumber) ? WithNumber(site, "subtract", 0, false) : nullptr;
}
HloInstruction* MultiplyByOne(Site& site) {
  return IsArrayOf(site, IsNumber) ? WithNumber(site, "multiply", 1, true) : nullptr;
}
HloInstruction* DivideByOne(Site& site) {
  return IsArrayOf(site, IsNumber) ? WithNumber(site, "divide", 1, false) : nullptr;
}
HloInstruction* OrZero(Site& site) { return IsArrayOf(site, IsBits) ? WithNumber(site, "or", 0, true) : nullptr; }
HloInstruction* XorZero(Site& site) { return IsArrayOf(site, IsBits) ? WithNumber(site, "xor", 0, true) : nullptr; }
HloInstruction* AndAllOnes(Site& site) {
  if (!IsArrayOf(site, IsBits)) return nullptr;
  return site.Add("and", {&site.at(), site.Add("not", {site.Filled(site.shape(), 0)})});
}
HloInstruction* XorTwice(Site& site) {
  if (!IsArrayOf(site, IsBits)) return nullptr;
  HloInstruction* mask = site.Filled(site.shape(), 1);
  return site.Add("xor", {site.Add("xor", {&site.at(), mask}), mask});
}
HloInstruction* ShiftByZero(Site& site) {
  if (!IsArrayOf(site, IsNumber) || !IsIntegralType(site.type())) return nullptr;
  return WithNumber(site, site.random().OneOf({"shift-left", "shift-right-logical", "shift-right-arithmetic"}), 0,
                    false);
}
HloInstruction* AddAndSubtract(Site& site) {
  if (!IsArrayOf(site, IsNumber) || !IsIntegralType(site.type())) return nullptr;
  HloInstruction* one = site.Filled(site.shape(), 1);
  return site.Add("subtract", {site.Add("add", {&site.at(), one}), one});
}

HloInstruction* OfItself(Site& site, std::string_view op) { return site.Add(op, {&site.at(), &site.at()}); }
HloInstruction* MaximumOfItself(Site& site) {
  return IsArrayOf(site, IsNumber) ? OfItself(site, site.random().Flip() ? "maximum" : "minimum") : nullptr;
}
HloInstruction* AndOfItself(Site& site) {
  return IsArrayOf(site, IsBits) ? OfItself(site, site.random().Flip() ? "and" : "or") : nullptr;
}
HloInstruction* ClampToItself(Site& site) {
  return IsArrayOf(site, IsNumber) ? site.Add("clamp", {&site.at(), &site.at(), &site.at()}) : nullptr;
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
  if (!IsArrayOf(site, IsNumber)) return nullptr;
  const PrimitiveType other = OfTheSameWidth(site.type(), site.random());
  if (other == PRIMITIVE_TYPE_INVALID) return nullptr;
  Shape shape = site.shape();
  shape.set_element_type(other);
  HloInstruction* there = site.Add("bitcast-convert", {&site.at()}, {}, shape);
  return site.Add("bitcast-convert", {there}, {}, site.shape());
}

HloInstruction* PartsAndWhole(Site& site) {
  if (!IsArrayOf(site, IsComplexType)) return nullptr;
  return site.Add("complex", {site.Add("real", {&site.at()}), site.Add("imag", {&site.at()})});
}

HloInstruction* ReduceByNothing(Site& site) {
  if (!IsArrayOf(site, IsCommonFloat)) return nullptr;
  const FloatFormat& format = FloatFormatOf(site.type());
  return site.Add(
      "reduce-precision", {&site.at()},
      {{"exponent_bits", std::int64_t{format.exponent_bits}}, {"mantissa_bits", std::int64_t{format.precision() - 1}}});
}

constexpr Rewrite kNumberRewrites[] = {
    {"negate-pair", NegatePair},
    {"not-pair", NotPair},
    {"add-zero", AddZero},
    {"subtract-zero", SubtractZero},
    {"multiply-by-one", MultiplyByOne},
    {"divide-by-one", DivideByOne},
    {"or-zero", OrZero},
    {"xor-zero", XorZero},
    {"and-all-ones", AndAllOnes},
    {"xor-twice", XorTwice},
    {"shift-by-zero", ShiftByZero},
    {"add-and-subtract", AddAndSubtract},
    {"maximum-of-itself", MaximumOfItself},
    {"and-of-itself", AndOfItself},
    {"clamp-to-itself", ClampToItself},
    {"wider-and-back", WiderAndBack},
    {"other-bits-and-back", OtherBitsAndBack},
    {"parts-and-whole", PartsAndWhole},
    {"reduce-by-nothing", ReduceByNothing},
};

}  // namespace

std::span<const Rewrite> RewritesOfNumbers() { return kNumberRewrites; }

}  // namespace assay
