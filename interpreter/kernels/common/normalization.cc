#include "interpreter/kernels/common/normalization.h"

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/types/limits.h"

namespace assay {

EnclosedReal Deviation(const HloInstruction& instruction, const EnclosedReal& variance) {
  const auto epsilon = static_cast<float>(instruction.Float("epsilon"));
  return Sqrt(variance + EnclosedReal(epsilon, variance.precision()));
}

void StoreRounded(PrimitiveType type, std::byte* array, std::int64_t offset,
                  const std::function<EnclosedReal(mpfr_prec_t)>& compute) {
  RoundAtRisingPrecision(
      FloatFormatOf(type), [&](mpfr_prec_t precision) { return std::vector<EnclosedReal>{compute(precision)}; },
      [&](std::size_t, std::uint64_t bits) { StorePart(type, array, offset, bits); });
}

void NormalizeFeature(const FeatureElements& elements, std::int64_t feature, const std::vector<double>& operand,
                      AtEachPrecision<Normalization>& normalization, PrimitiveType type, std::byte* result) {
  const FloatFormat& format = FloatFormatOf(type);
  const Normalization& first = normalization(kFirstPrecision);
  const Ball mean = first.mean.ToBall(), offset = first.offset.ToBall();
  const Ball factor = (first.scale / first.deviation).ToBall();
  LimitCheck check;
  for (std::int64_t i = 0; i < elements.count(); ++i) {
    check();
    const std::int64_t at = elements.Offset(feature, i);
    const double x = operand[at];
    if (const auto bits = CertainBits(format, factor * (x - mean) + offset)) {
      StorePart(type, result, at, *bits);
      continue;
    }
    StoreRounded(type, result, at, [&](mpfr_prec_t precision) {
      const Normalization& n = normalization(precision);
      return n.scale * (EnclosedReal(x, precision) - n.mean) / n.deviation + n.offset;
    });
  }
}

}  // namespace assay
