#include <algorithm>
#include <optional>
#include <utility>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

using namespace plain;

// Returns the size of a padded dimension, negative if the edges cut more than it has; nullopt if it exceeds 63 bits.
std::optional<std::int64_t> PaddedSize(std::int64_t size, const PaddingConfigDimension& padding) {
  std::int64_t interior = 0, result = size;
  if (__builtin_mul_overflow(std::max<std::int64_t>(size - 1, 0), padding.interior_padding, &interior) ||
      __builtin_add_overflow(result, interior, &result) ||
      __builtin_add_overflow(result, padding.edge_padding_low, &result) ||
      __builtin_add_overflow(result, padding.edge_padding_high, &result)) {
    return std::nullopt;
  }
  return result;
}

Result<Shape> InferPad(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& value = instruction.operand(1).shape;
  if (!value.IsScalar() || !SameTypeIgnoringFpPrecision(value.element_type(), operand.element_type())) {
    return Illegal(instruction, "the padding value must be a scalar of the type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), value.ToStringWithoutLayout());
  }
  const PaddingConfig& padding = *instruction.Find<PaddingConfig>("padding");
  if (static_cast<std::int64_t>(padding.size()) != operand.rank()) {
    return Illegal(instruction, "padding must have an entry for each of the {} dimensions, found {}", operand.rank(),
                   padding.size());
  }
  Shape result = operand;
  result.set_default_layout();
  result.set_element_type(HigherPrecisionType(operand.element_type(), value.element_type()));
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (padding[d].interior_padding < 0) {
      return Illegal(instruction, "interior padding must not be negative, found {} for dimension {}",
                     padding[d].interior_padding, d);
    }
    const auto size = PaddedSize(operand.dimensions(d), padding[d]);
    if (!size) return Illegal(instruction, "the padded size of dimension {} does not fit 63 bits", d);
    if (*size < 0)
      return Illegal(instruction, "the padded size of dimension {} must not be negative, found {}", d, *size);
    result.set_dimensions(d, *size);
  }
  return result;
}

bool IsInOperand(const Index& index, Bounds bounds) {
  return std::ranges::equal(index, bounds, [](std::int64_t i, std::int64_t size) { return 0 <= i && i < size; });
}

// result[low + i * (interior + 1)] = operand[i] if that is an index of the result; the padding value elsewhere.
// Interior padding is applied first, so negative edges cut elements and interior padding alike.
Literal EvaluatePad(const HloInstruction& pad, std::span<Literal> operands, Evaluation&) {
  const Literal &operand = operands[0], &value = operands[1];
  const PaddingConfig& padding = *pad.Find<PaddingConfig>("padding");
  const PrimitiveType type = pad.shape.element_type();
  Outputs result(pad.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) { result.Set(index, ConvertedTo(type, At(value, {}))); });
  ForEachIndex(operand.shape().dimensions(), [&](const Index& i) {
    Index place;
    for (std::size_t d = 0; d < i.size(); ++d) {
      place.push_back(padding[d].edge_padding_low + i[d] + i[d] * padding[d].interior_padding);
    }
    if (IsInOperand(place, result.bounds())) result.Set(place, ConvertedTo(type, At(operand, i)));
  });
  return std::move(result).Take();
}

// Fits the padding to run-time sizes. Negative edges may cut more than a run-time size has: the result is then empty in
// that dimension (docs/decisions.md, Indices).
void FitPad(HloInstruction& pad) {
  PaddingConfig padding = *pad.Find<PaddingConfig>("padding");
  for (std::size_t d = 0; d < padding.size(); ++d) {
    const auto size = PaddedSize(pad.operand(0).shape.dimensions(d), padding[d]);
    if (size && *size < 0) padding[d].edge_padding_high -= *size;
  }
  pad.Set("padding", std::move(padding));
}

}  // namespace

const Op op_pad = {
    .name = "pad",
    .meaning = "The operand with edge and interior padding; negative edges cut.",
    .syntax = {.attributes = {Required("padding", AttributeKind::kPadding)}},
    .legality = {.arity = Exactly(2), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferPad},
    .evaluation = {.evaluate = EvaluatePad, .fit_run_time_sizes = FitPad},
};

}  // namespace assay
