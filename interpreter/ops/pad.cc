#include <algorithm>
#include <optional>
#include <utility>

#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/mixed_precision.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The size of a padded dimension; nothing when it does not fit 63 bits.
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

Result<Shape> Infer(const HloInstruction& instruction) {
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

// The operand elements of one dimension that are inside the result, and where they go.
struct Kept {
  std::int64_t first = 0;  // first operand index
  std::int64_t count = 0;
  std::int64_t to = 0;    // its result index
  std::int64_t step = 1;  // from one result index to the next
};

Kept KeptOf(std::int64_t size, std::int64_t padded_size, const PaddingConfigDimension& padding) {
  Kept kept{.step = padding.interior_padding + 1};
  const std::int64_t low = padding.edge_padding_low;
  kept.first = low >= 0 ? 0 : (-low - 1) / kept.step + 1;
  kept.to = low + kept.first * kept.step;
  if (kept.first >= size || kept.to >= padded_size) return kept;
  kept.count = std::min(size - kept.first, (padded_size - 1 - kept.to) / kept.step + 1);
  return kept;
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  const PaddingConfig& padding = *instruction.Find<PaddingConfig>("padding");
  const Literal operand = WithElementType(std::move(operands[0]), shape.element_type());
  const bool pads = std::ranges::any_of(padding, [](const auto& p) { return p != PaddingConfigDimension{}; });
  if (!pads) return operand.WithShape(shape);
  Literal result = Filled(shape, WithElementType(std::move(operands[1]), shape.element_type()));

  const auto from_strides = RowMajorStrides(operand.shape().dimensions());
  auto to_strides = RowMajorStrides(shape.dimensions());
  std::int64_t from = 0, to = 0;
  Dimensions counts;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const Kept kept = KeptOf(operand.shape().dimensions(d), shape.dimensions(d), padding[d]);
    if (kept.count == 0) return result;
    counts.push_back(kept.count);
    from += kept.first * from_strides[d];
    to += kept.to * to_strides[d];
    to_strides[d] *= kept.step;
  }
  const int bytes = StorageBytes(shape.element_type());
  StridedCopy(bytes, counts, from_strides, to_strides)
      .ParallelCopy(operand.data() + from * bytes, result.mutable_data() + to * bytes);
  return result;
}

// Edges cut away more than there is: nothing is left.
void FitRunTimeSizes(HloInstruction& pad) {
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
    .legality = {.arity = Exactly(2), .types = kArrays, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.image = MovesAll, .keeps_terms = true},
};

}  // namespace assay
