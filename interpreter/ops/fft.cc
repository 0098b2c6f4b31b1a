#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/numerics/fourier.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The innermost dimensions, one for each length.
std::span<const std::int64_t> TransformedDimensions(const HloInstruction& fft, const Shape& shape) {
  return std::span(shape.dimensions()).last(fft.Int64s("fft_length").size());
}

Status CheckTransformedDimensions(const HloInstruction& fft) {
  const std::string_view fft_type = fft.String("fft_type");
  const std::span<const std::int64_t> lengths = fft.Int64s("fft_length");
  const Shape& operand = fft.operand(0).shape;
  std::vector<std::int64_t> expected(lengths.begin(), lengths.end());
  // Of no elements, IRFFT takes the half spectrum of one element or of none: what RFFT gives.
  const bool is_empty = lengths.back() == 0 && operand.dimensions().back() == 0;
  if (fft_type == "IRFFT" && !is_empty) expected.back() = expected.back() / 2 + 1;
  if (std::ranges::equal(expected, TransformedDimensions(fft, operand))) return {};
  return Illegal(fft, "the innermost dimensions of the operand of {} must be [{}] for fft_length={{{}}}, found {}",
                 fft_type, fmt::join(expected, ","), fmt::join(lengths, ","), operand.ToStringWithoutLayout());
}

Result<Shape> Infer(const HloInstruction& fft) {
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
    return Illegal(fft, "fft_length must not be negative, found {{{}}}", fmt::join(lengths, ","));
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

// One transform: the numbers of the innermost dimensions, all axes.
class Block {
 public:
  Block(const HloInstruction& fft, std::span<const double> parts, bool is_real)
      : fft_type_(fft.String("fft_type")),
        lengths_(fft.Int64s("fft_length").begin(), fft.Int64s("fft_length").end()),
        place_(FourierPrecisionOf(parts)),
        dimensions_(TransformedDimensions(fft, fft.operand(0).shape).begin(),
                    TransformedDimensions(fft, fft.operand(0).shape).end()),
        numbers_(Product(lengths_), place_.bits) {
    // Room for the Hermitian half that an IRFFT leaves out.
    const std::int64_t row = dimensions_.back(), length = lengths_.back();
    LimitCheck check(/*turns=*/4096);
    for (std::int64_t i = 0; i < Product(dimensions_); ++i) {
      check();
      const std::int64_t at = i / row * length + i % row;
      mpfr_set_d(numbers_.real(at), parts[is_real ? i : 2 * i], MPFR_RNDN);
      if (!is_real) mpfr_set_d(numbers_.imaginary(at), parts[2 * i + 1], MPFR_RNDN);
    }
  }

  void Transform() {
    const bool inverse = fft_type_ == "IFFT" || fft_type_ == "IRFFT";
    std::int64_t stride = numbers_.size();
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
      const std::int64_t length = lengths_[axis];
      stride /= length;
      const bool is_last = axis + 1 == lengths_.size();
      if (is_last && fft_type_ == "IRFFT") CompleteRows();
      FourierTransform transform(length, inverse, place_.bits);
      for (std::int64_t line = 0; line < numbers_.size() / length; ++line) {
        transform.Apply(numbers_, line / stride * stride * length + line % stride, stride);
      }
    }
  }

  // The bits of each part of the result, in order.
  template <class Store>
  void StoreResults(const FloatFormat& format, Store store) {
    const std::int64_t length = lengths_.back(), row = fft_type_ == "RFFT" ? length / 2 + 1 : length;
    const bool is_scaled = fft_type_ == "IFFT" || fft_type_ == "IRFFT";
    std::int64_t part = 0;
    LimitCheck check(/*turns=*/1024);
    const auto round = [&](mpfr_ptr number) {
      check();
      RoundToPlace(number, place_.last_place);
      const int ternary = is_scaled ? mpfr_div_ui(number, number, numbers_.size(), MPFR_RNDN) : 0;
      store(part++, RoundMpfr(format, number, ternary));
    };
    for (std::int64_t i = 0; i < numbers_.size() / length * row; ++i) {
      const std::int64_t at = i / row * length + i % row;
      round(numbers_.real(at));
      if (fft_type_ != "IRFFT") round(numbers_.imaginary(at));
    }
  }

 private:
  // The rows of a Hermitian spectrum from their first halves. Elements that are their own mirror image are real.
  void CompleteRows() {
    const std::int64_t length = lengths_.back();
    for (std::int64_t row = 0; row < numbers_.size(); row += length) {
      mpfr_set_zero(numbers_.imaginary(row), 1);
      if (length % 2 == 0) mpfr_set_zero(numbers_.imaginary(row + length / 2), 1);
      for (std::int64_t k = 1; 2 * k < length; ++k) {
        numbers_.Copy(row + length - k, numbers_, row + k);
        mpfr_neg(numbers_.imaginary(row + length - k), numbers_.imaginary(row + length - k), MPFR_RNDN);
      }
    }
  }

  std::string_view fft_type_;
  std::vector<std::int64_t> lengths_;
  FourierPrecision place_;
  std::vector<std::int64_t> dimensions_;
  BigComplexArray numbers_;
};

Literal Evaluate(const HloInstruction& fft, std::span<Literal> operands, Evaluation&) {
  if (const Status lengths = CheckTransformedDimensions(fft); !lengths) {
    throw EvaluationError{{ErrorCode::kUnsupported, lengths.error().message, fft.location}};
  }
  const Literal& operand = operands[0];
  const bool is_real = !IsComplexType(operand.element_type());
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(fft.shape.element_type()));
  const std::vector<double> parts = LoadParts(operand);
  Literal result = Literal::Uninitialized(fft.shape);
  if (result.element_count() == 0) return result;
  std::byte* const out = result.mutable_data();
  const std::int64_t size = Product(TransformedDimensions(fft, operand.shape())) * (is_real ? 1 : 2);
  const std::int64_t result_size =
      Product(TransformedDimensions(fft, fft.shape)) * (IsComplexType(fft.shape.element_type()) ? 2 : 1);
  ParallelFor(static_cast<std::int64_t>(parts.size()) / size, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> block = std::span(parts).subspan(i * size, size);
      const auto store = [&](std::int64_t part, std::uint64_t bits) {
        StorePart(fft.shape.element_type(), out, i * result_size + part, bits);
      };
      if (!std::ranges::all_of(block, [](double part) { return std::isfinite(part); })) {
        for (std::int64_t part = 0; part < result_size; ++part) store(part, format.nan_bits(false));
        continue;
      }
      Block transform(fft, block, is_real);
      transform.Transform();
      transform.StoreResults(format, store);
    }
  });
  return result;
}

// A transform of the run-time length. What length IRFFT gives back from fewer elements nobody says: that is an error.
void FitRunTimeSizes(HloInstruction& fft) {
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

DiscreteTransform TransformOf(const HloInstruction& fft) {
  return {fft.Int64s("fft_length"), fft.String("fft_type").starts_with('I')};
}

}  // namespace

// A transform with an element that is not finite is NaN throughout. The shape rules let FFT and IFFT have lengths other
// than the operand's; the specification gives those no meaning, and they are not evaluated.
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
            .infer = Infer,
        },
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.rule = Acceptance::kTransform, .transform = TransformOf},
};

}  // namespace assay
