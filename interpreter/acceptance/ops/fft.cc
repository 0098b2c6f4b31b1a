#include <cmath>
#include <optional>
#include <span>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

DiscreteTransform TransformOf(const HloInstruction& fft) {
  return {fft.Int64s("fft_length"), fft.String("fft_type").starts_with('I')};
}

// Returns the norm of a complex or real number of which this is the first component.
double NormAt(std::span<const double> numbers, std::int64_t element, int components) {
  return components == 1 ? std::fabs(numbers[element]) : std::hypot(numbers[2 * element], numbers[2 * element + 1]);
}

// Maps sets through a transform. It multiplies each number by one of norm 1 and adds them up, so that no result moves
// farther than all operands together.
ElementSet TransformImage(const HloInstruction& fft, std::span<const ValueSet> operands, const Literal& value,
                          SetEvaluation& evaluation) {
  const auto exact = evaluation.EvaluateInF64(fft, {NumbersOf(operands[0].value)});
  if (!exact) return Anything(value, &fft).open;
  const DiscreteTransform transform = TransformOf(fft);
  const auto rank = transform.lengths.size();
  const auto size_of = [&](const Shape& shape) { return Product(std::span(shape.dimensions()).last(rank)); };
  const std::int64_t size_in = size_of(operands[0].value.shape()), size = size_of(value.shape());
  const int parts_in = ComponentCount(operands[0].value.element_type()), parts = ComponentCount(value.element_type());
  const auto length = static_cast<double>(Product(transform.lengths));
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(value.element_type()));
  // An IRFFT counts most numbers of its operand and of their mirror image.
  const double scale = !transform.is_inverse ? 1 : (parts == 1 ? 2 : 1) / length;
  // The rule's bound is relative to the norm of the reference's transform (rules/transform.cc), and others have a
  // larger one.
  const auto numbers = static_cast<double>(size * parts);
  const double of_norm = 1 + 48 * (1 + std::log2(length)) * std::ldexp(1, -format.precision()) * std::sqrt(numbers);
  const Literal radius_of_operand = RadiusOf(operands[0]);
  const std::span<const double> radii = ComponentsIn(radius_of_operand), centres = ComponentsIn(*exact);
  ElementWriter writer(value);
  for (std::int64_t i = 0; size != 0 && i < value.element_count() / size; ++i) {
    double radius = 0, norm = 0;
    for (std::int64_t k = i * size_in; k < (i + 1) * size_in; ++k) radius += scale * NormAt(radii, k, parts_in);
    for (std::int64_t k = i * size; k < (i + 1) * size; ++k) norm = std::hypot(norm, NormAt(centres, k, parts));
    if (radius == 0) continue;
    // Partial results may overflow before they are divided by the length.
    const double largest = 4 * length * (norm + radius * std::sqrt(numbers));
    const bool is_known = largest < std::ldexp(1, format.bias);
    for (std::int64_t k = i * size * parts; k < (i + 1) * size * parts; ++k) {
      const Reals near = {centres[k] - of_norm * radius, centres[k] + of_norm * radius, false};
      writer.Set(k, is_known ? Outward(Outward(near)) : Reals());
    }
  }
  return writer.Take();
}

}  // namespace

const OpAcceptance acceptance_fft = {
    .op = &op_fft, .rule = Acceptance::kTransform, .facts = TransformOf, .image = TransformImage};

}  // namespace assay
