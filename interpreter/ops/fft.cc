#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "interpreter/ops/common/fourier_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/enclosed.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferFft(const HloInstruction& fft) {
  const std::string_view fft_type = fft.String("fft_type");
  if (fft_type == "RFFT") {
    ASSAY_CHECK_OK(CheckArrayOperand(fft, 0, TypesOf(F32, F64), "f32 or f64"));
  } else {
    ASSAY_CHECK_OK(CheckArrayOperand(fft, 0, kComplex, "complex"));
  }
  const Shape& operand = fft.operand(0).shape;
  const std::span<const std::int64_t> lengths = fft.Int64s("fft_length");
  if (lengths.empty() || lengths.size() > 3) {
    return Illegal(fft, "fft_length must have 1 to 3 lengths, found {}", lengths.size());
  }
  if (std::ranges::any_of(lengths, [](std::int64_t length) { return length < 0; })) {
    return Illegal(fft, "fft_length must not be negative, found {{{}}}", JoinText(lengths, ","));
  }
  if (operand.rank() < static_cast<std::int64_t>(lengths.size())) {
    return Illegal(fft, "the operand must have at least {} dimensions, found {}", lengths.size(),
                   operand.ToStringWithoutLayout());
  }
  if (fft_type == "FFT" || fft_type == "IFFT") return operand;
  ASSAY_CHECK_OK(CheckTransformedDimensions(fft));
  const std::int64_t length = lengths.back(), last = operand.rank() - 1;
  if (fft_type == "RFFT") {
    Shape result = ShapeUtil::ChangeElementType(operand, operand.element_type() == F32 ? C64 : C128);
    if (length != 0) result.set_dimensions(last, length / 2 + 1);
    return result;
  }
  Shape result = ShapeUtil::ChangeElementType(operand, ComplexComponentType(operand.element_type()));
  result.set_dimensions(last, length);
  return result;
}

using FourierNumber = EnclosedComplex<EnclosedReal>;

// The roots e^(2 pi i k / n) for k = 0, ..., n - 1, computed once for each precision.
class RootsOfUnity {
 public:
  explicit RootsOfUnity(std::int64_t n) : n_(n) {}
  const FourierNumber& At(std::int64_t k, mpfr_prec_t precision) {
    std::vector<FourierNumber>& roots = roots_[precision];
    for (std::int64_t i = std::ssize(roots); i < n_; ++i) {
      CheckLimits();
      roots.push_back({EnclosedReal::CosineOfTurns(i, n_, precision), EnclosedReal::SineOfTurns(i, n_, precision)});
    }
    return roots[k];
  }

 private:
  std::int64_t n_;
  std::map<mpfr_prec_t, std::vector<FourierNumber>> roots_;
};

// result[.., k] = sum over n of x[.., n] * e^(-2 pi i t), with t = sum over d of k[d] * n[d] / lengths[d]. The inverse
// transforms have +t, and divide by N, the product of the lengths. RFFT computes the first lengths.back() / 2 + 1 of
// the results. The operand of IRFFT is the first half of a spectrum whose other half is its mirror image: each such
// term adds its conjugate, too. A term that is not finite makes the sum NaN.
Literal EvaluateFft(const HloInstruction& fft, std::span<Literal> operands, Evaluation&) {
  CheckRunTimeLengths(fft);
  const Literal& x = operands[0];
  const auto lengths = fft.Int64s("fft_length");
  const std::size_t axes = lengths.size();
  const bool is_inverse = fft.String("fft_type").starts_with('I'), is_half = fft.String("fft_type") == "IRFFT";
  const PrimitiveType type = fft.shape.element_type();
  const std::int64_t size = Product(lengths);  // N
  RootsOfUnity roots(size);
  Outputs result(fft.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const Index batch(index.begin(), index.end() - axes), k(index.end() - axes, index.end());
    const auto parts = [&](mpfr_prec_t precision) {
      const auto real = [&](double value) { return EnclosedReal(value, precision); };
      FourierNumber sum = {real(0), real(0)};
      ForEachIndex(TransformedDimensions(fft, x.shape()), [&](const Index& n) {
        std::int64_t turns = 0;  // t * N, modulo N
        for (std::size_t d = 0; d < axes; ++d) turns += (k[d] * n[d] % lengths[d]) * (size / lengths[d]);
        turns %= size;
        FourierNumber term = NumberOf<FourierNumber>(At(x, Joined(batch, n)), precision);
        if (!term.real.IsFinite() || !term.imaginary.IsFinite()) term = {real(NAN), real(NAN)};
        term = term * roots.At(is_inverse ? turns : (size - turns) % size, precision);
        const bool has_mirror_image = is_half && n.back() != 0 && 2 * n.back() != lengths.back();
        sum = has_mirror_image ? sum + term + Conjugate(term) : sum + term;
      });
      if (is_inverse) sum = sum / real(static_cast<double>(size));
      return IsComplexType(type) ? std::vector{sum.real, sum.imaginary} : std::vector{sum.real};
    };
    result.Set(index, RoundedOnce(type, parts));
  });
  return std::move(result).Take();
}

// Transforms the run-time length. IRFFT of a shortened operand is an error: the specification does not define its
// output length.
void FitFft(HloInstruction& fft) {
  const auto written = fft.Int64s("fft_length");
  Int64List lengths(written.begin(), written.end());
  const Shape& operand = fft.operand(0).shape;
  const std::size_t count = fft.String("fft_type") == "IRFFT" ? lengths.size() - 1 : lengths.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t d = operand.rank() - static_cast<std::int64_t>(lengths.size() - i);
    lengths[i] = std::min(lengths[i], operand.dimensions(d));
  }
  fft.Set("fft_length", std::move(lengths));
}

}  // namespace

// A transform with an element that is not finite is NaN throughout. The shape rules let FFT and IFFT have lengths other
// than the operand's. The specification does not define their results, so they are not evaluated.
const Op op_fft = {
    .name = "fft",
    .meaning = "The discrete Fourier transform over the innermost dimensions.",
    .syntax =
        {
            .attributes = {OneOf("fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}, /*required=*/true),
                           Required("fft_length", AttributeKind::kInt64List)},
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = TypesOf(F32, F64, C64, C128),
            .layouts = LayoutRule::kKept,
            .infer = InferFft,
        },
    .evaluation = {.evaluate = EvaluateFft, .fit_run_time_sizes = FitFft},
};

}  // namespace assay
