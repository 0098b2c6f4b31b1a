#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/ops/plain/enclosed.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferRng(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsArray()) return Illegal(instruction, "the result must be an array, found {}", declared.ToString());
  const bool is_uniform = instruction.String("distribution") == "rng_uniform";
  const TypeSet types = is_uniform ? kFloats | kIntegral | kPred : kFloats;
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  if (!types.contains(type)) {
    return Illegal(instruction, "{} has no values of type {}", instruction.String("distribution"),
                   PrimitiveTypeName(type));
  }
  for (std::int64_t i = 0; i < 2; ++i) {
    const Shape& shape = instruction.operand(i).shape;
    if (shape.IsScalar() && shape.element_type() == type) continue;
    return Illegal(instruction, "operands must be two scalars of the same type, found {}",
                   shape.ToStringWithoutLayout());
  }
  return ShapeUtil::ChangeElementType(declared, type);
}

// Words of Philox with key 0. The device's random state is the counter.
class Words {
 public:
  Words(Evaluation& evaluation, std::int64_t elements)
      : counter_(evaluation.device().AdvanceRandomState(static_cast<std::uint64_t>(elements))) {}

  // Returns two words for element i. Each `attempt` has other words.
  std::array<std::uint64_t, 2> Of(std::int64_t i, std::uint32_t attempt) const {
    const auto w = Philox4x32(CounterOf(counter_[0], counter_[1], i), {attempt, 0});
    return {w[0] | std::uint64_t{w[1]} << 32, w[2] | std::uint64_t{w[3]} << 32};
  }

 private:
  std::array<std::uint64_t, 2> counter_;
};

// Returns a multiple of 2^-53 in [0, 1).
double Fraction(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// Rounds a number to a floating type.
Element RoundedDraw(PrimitiveType type, double value) {
  return ConvertedTo(type, WithBits(F64, std::bit_cast<std::uint64_t>(value)));
}

// Interpolates between low and high. The length of the interval may exceed f64 although its ends do not.
double Between(double low, double high, double u) {
  const double length = high - low;
  return std::isfinite(length) ? low + length * u : low * (1 - u) + high * u;
}

// A sufficient number: rounding loses at most half of the numbers between finite bounds.
constexpr std::uint32_t kAttempts = 64;

// Returns an element in [a, b), also after rounding. If that is empty the specification leaves the value open: returns
// a.
Element Uniform(const Words& words, std::int64_t i, const Element& a, const Element& b) {
  const double low = RealPart(a), high = RealPart(b);
  for (std::uint32_t attempt = 0; low < high && attempt < kAttempts; ++attempt) {
    const Element element = RoundedDraw(a.type, Between(low, high, Fraction(words.Of(i, attempt)[0])));
    if (const double value = RealPart(element); low <= value && value < high) return element;
  }
  return a;
}

Element UniformInteger(const Words& words, std::int64_t i, const Element& a, const Element& b) {
  const std::int64_t low = IntegerOf(a), high = IntegerOf(b);
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const bool is_empty =
      IsSignedIntegralType(a.type) ? high <= low : static_cast<std::uint64_t>(high) <= static_cast<std::uint64_t>(low);
  return is_empty ? a : WithBits(a.type, static_cast<std::uint64_t>(low) + words.Of(i, 0)[0] % count);
}

// The Box-Muller transform.
Element Normal(const Words& words, std::int64_t i, const Element& mean, const Element& deviation) {
  const auto word = words.Of(i, 0);
  const double radius = std::sqrt(-2 * std::log(1 - Fraction(word[0])));
  const double angle = 2 * std::numbers::pi * Fraction(word[1]);
  return RoundedDraw(mean.type, RealPart(mean) + RealPart(deviation) * (radius * std::cos(angle)));
}

Literal EvaluateRng(const HloInstruction& rng, std::span<Literal> operands, Evaluation& evaluation) {
  const bool is_normal = rng.String("distribution") == "rng_normal";
  const auto draw = is_normal ? Normal : IsFloatingPointType(rng.shape.element_type()) ? Uniform : UniformInteger;
  const Element a = At(operands[0], {}), b = At(operands[1], {});
  Outputs result(rng.shape);
  const Words words(evaluation, Product(result.bounds()));
  std::int64_t i = 0;
  ForEachIndex(result.bounds(), [&](const Index& index) { result.Set(index, draw(words, i++, a, b)); });
  return std::move(result).Take();
}

}  // namespace

const Op op_rng = {
    .name = "rng",
    .meaning = "Random numbers of a distribution.",
    .syntax =
        {
            .attributes = {{.name = "distribution",
                            .kind = AttributeKind::kEnum,
                            .required = true,
                            .enumerators = {"rng_uniform", "rng_normal"},
                            .ignores_case = true}},
            .shape_is_inferable = false,
        },
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferRng},
    .evaluation = {.evaluate = EvaluateRng, .has_side_effect = true, .depends_on_device = true},
};

}  // namespace assay
