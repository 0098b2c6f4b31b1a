#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "interpreter/hlo/device.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
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

// Words of Philox under key 0, counted by the device's random state.
class Words {
 public:
  Words(Evaluation& evaluation, std::int64_t elements)
      : counter_(evaluation.device().AdvanceRandomState(static_cast<std::uint64_t>(elements))) {}

  // Two words for element i; `attempt` gives others for the same element.
  std::array<std::uint64_t, 2> Of(std::int64_t i, std::uint32_t attempt) const {
    const std::uint64_t low = counter_[0] + static_cast<std::uint64_t>(i);
    const std::uint64_t high = counter_[1] + (low < counter_[0] ? 1 : 0);
    const auto w = Philox4x32({static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
                               static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)},
                              {attempt, 0});
    return {w[0] | std::uint64_t{w[1]} << 32, w[2] | std::uint64_t{w[3]} << 32};
  }

 private:
  std::array<std::uint64_t, 2> counter_;
};

// In [0, 1), a multiple of 2^-53.
double Fraction(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

double AsDouble(const Literal& scalar) {
  double value = 0;
  Convert(scalar.element_type(), scalar.data(), F64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

void StoreAs(PrimitiveType type, double value, std::byte* out) {
  Convert(F64, reinterpret_cast<const std::byte*>(&value), type, out, 1);
}

// The length of an interval may be too large for f64, of which the ends are numbers.
double Between(double low, double high, double u) {
  const double length = high - low;
  return std::isfinite(length) ? low + length * u : low * (1 - u) + high * u;
}

// More than enough for finite bounds, of which a half at most is lost to rounding.
constexpr std::uint32_t kAttempts = 64;

// In [a, b) after rounding too. Where that is empty the specification leaves the value open: a.
void FillUniform(const Words& words, const Literal& a, const Literal& b, Literal& result) {
  const PrimitiveType type = result.element_type();
  const int bytes = StorageBytes(type);
  const double low = AsDouble(a), high = AsDouble(b);
  std::byte* out = result.mutable_data();
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    double rounded = 0;
    std::memcpy(out + i * bytes, a.data(), bytes);
    for (std::uint32_t attempt = 0; low < high && attempt < kAttempts; ++attempt) {
      StoreAs(type, Between(low, high, Fraction(words.Of(i, attempt)[0])), out + i * bytes);
      Convert(type, out + i * bytes, F64, reinterpret_cast<std::byte*>(&rounded), 1);
      if (rounded >= low && rounded < high) break;
      std::memcpy(out + i * bytes, a.data(), bytes);
    }
  }
}

void FillUniformIntegers(const Words& words, const Literal& a, const Literal& b, Literal& result) {
  const int bytes = StorageBytes(result.element_type());
  const std::int64_t low = a.IntegerAt(0);
  const bool is_unsigned = !IsSignedIntegralType(result.element_type());
  const bool is_empty = is_unsigned ? static_cast<std::uint64_t>(b.IntegerAt(0)) <= static_cast<std::uint64_t>(low)
                                    : b.IntegerAt(0) <= low;
  const std::uint64_t range =
      is_empty ? 1 : static_cast<std::uint64_t>(b.IntegerAt(0)) - static_cast<std::uint64_t>(low);
  std::byte* out = result.mutable_data();
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    const std::uint64_t value = static_cast<std::uint64_t>(low) + words.Of(i, 0)[0] % range;
    std::memcpy(out + i * bytes, &value, bytes);
  }
}

// Box and Muller's transform.
void FillNormal(const Words& words, const Literal& mean, const Literal& deviation, Literal& result) {
  const int bytes = StorageBytes(result.element_type());
  const double mu = AsDouble(mean), sigma = AsDouble(deviation);
  std::byte* out = result.mutable_data();
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    const auto word = words.Of(i, 0);
    const double radius = std::sqrt(-2 * std::log(1 - Fraction(word[0])));
    const double angle = 2 * std::numbers::pi * Fraction(word[1]);
    StoreAs(result.element_type(), mu + sigma * (radius * std::cos(angle)), out + i * bytes);
  }
}

Distribution DistributionOf(const HloInstruction& rng) {
  return rng.String("distribution") == "rng_normal" ? Distribution::kNormal : Distribution::kUniform;
}

Literal Evaluate(const HloInstruction& rng, std::span<Literal> operands, Evaluation& evaluation) {
  Literal result(rng.shape);
  const Words words(evaluation, result.element_count());
  if (DistributionOf(rng) == Distribution::kNormal) {
    FillNormal(words, operands[0], operands[1], result);
  } else if (IsFloatingPointType(result.element_type())) {
    FillUniform(words, operands[0], operands[1], result);
  } else {
    FillUniformIntegers(words, operands[0], operands[1], result);
  }
  return result;
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
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .has_side_effect = true, .depends_on_device = true},
    .acceptance = {.rule = Acceptance::kStatistical, .distribution = DistributionOf},
};

}  // namespace assay
