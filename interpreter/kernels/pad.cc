// Fills with the padding value, then copies the box of operand elements that are inside the result.
#include <algorithm>
#include <utility>

#include "interpreter/kernels/common/converted.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// The operand elements of one dimension that are inside the result, and their positions there.
struct Kept {
  std::int64_t first = 0;  // first operand index
  std::int64_t count = 0;
  std::int64_t to = 0;    // its result index
  std::int64_t step = 1;  // from one result index to the next
};

Kept KeptOf(std::int64_t size, std::int64_t padded_size, const PaddingConfigDimension& padding) {
  Kept kept{.step = size > 1 ? padding.interior_padding + 1 : 1};
  const std::int64_t low = padding.edge_padding_low;
  if (low < 0) {
    const std::int64_t last_cut = -(low + 1) / kept.step;
    if (last_cut >= size - 1) return kept;
    kept.first = last_cut + 1;
  }
  kept.to = low + kept.first * kept.step;
  if (kept.first >= size || kept.to >= padded_size) return kept;
  kept.count = std::min(size - kept.first, (padded_size - 1 - kept.to) / kept.step + 1);
  return kept;
}

Literal EvaluatePad(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
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

}  // namespace

const OpKernel kernel_pad = {.op = &op_pad, .evaluate = EvaluatePad};

}  // namespace assay
