#include <algorithm>
#include <vector>

#include "interpreter/ops/common/fourier_blocks.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/record.h"

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

Literal Evaluate(const HloInstruction& fft, std::span<Literal> operands, Evaluation&) {
  if (const Status lengths = CheckTransformedDimensions(fft); !lengths) {
    throw EvaluationError{{ErrorCode::kUnsupported, lengths.error().message, fft.location}};
  }
  Literal result = Literal::Uninitialized(fft.shape);
  if (result.element_count() == 0) return result;
  const std::span<const std::int64_t> lengths = fft.Int64s("fft_length");
  const FourierBlocks blocks(fft.String("fft_type"), {lengths.begin(), lengths.end()}, fft.shape.element_type());
  blocks.Transform(LoadParts(operands[0]), result.mutable_data());
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
