// Gather and scatter.
#include <numeric>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {

Status SetGather(const Lowering& lowering, HloInstruction& gather, Int64List slice_sizes) {
  ASSAY_TRY(const AttributeReader numbers, lowering.attributes().RequiredFields("dimension_numbers"));
  ASSAY_TRY(const bool is_sorted, lowering.attributes().Bool("indices_are_sorted"));
  ASSAY_CHECK_OK(SetPairs(numbers, PairsOf("#gather"), gather));
  gather.Set("slice_sizes", std::move(slice_sizes));
  if (is_sorted) gather.Set("indices_are_sorted", true);
  return {};
}

Status LowerGather(const Lowering& lowering) {
  ASSAY_TRY(Int64List slice_sizes, lowering.attributes().RequiredIntegers("slice_sizes"));
  ASSAY_TRY(HloInstruction * gather, lowering.AddResult());
  return SetGather(lowering, *gather, std::move(slice_sizes));
}

Status LowerScatter(const Lowering& lowering) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const AttributeReader numbers, attributes.RequiredFields("scatter_dimension_numbers"));
  ASSAY_TRY(const AppliedRegion applied, ApplyFold(lowering, lowering.operands.size() / 2));
  const std::size_t indices = applied.lowering.operands.size() / 2;
  ASSAY_TRY(HloInstruction * scatter, applied.lowering.Promoted(*applied.body, indices).AddResult());
  ASSAY_CHECK_OK(SetPairs(numbers, PairsOf("#scatter"), *scatter));
  ASSAY_CHECK_OK(SetPairs(attributes, PairsOf("scatter"), *scatter));
  scatter->Set("to_apply", applied.body);
  return {};
}

// Lowers to a gather of slices of size 1 along a dimension: the indices are those of that dimension.
Status LowerTorchIndexSelect(const Lowering& lowering) {
  ASSAY_TRY(std::int64_t dimension, lowering.attributes().RequiredInteger("dim"));
  ASSAY_TRY(std::int64_t batch_count, lowering.attributes().Integer("batch_dims", 0));
  const Shape &operand = lowering.operands[0]->shape, &indices = lowering.operands[1]->shape;
  if (!operand.IsArray() || !indices.IsArray()) return lowering.Illegal("the operands must be tensors");
  if (dimension < 0) dimension += operand.rank();
  if (batch_count < 0) batch_count += indices.rank();
  const bool is_legal = dimension >= 0 && dimension < operand.rank() && batch_count >= 0 && batch_count <= dimension &&
                        batch_count <= indices.rank();
  if (!is_legal)
    return lowering.Illegal("dim must be a dimension of the operand, behind the batch_dims of both operands");
  Int64List slice_sizes = operand.dimensions(), offset, batch(batch_count);
  for (std::int64_t d = 0; d <= dimension; ++d) {
    if (d < batch_count || d == dimension) slice_sizes[d] = 1;
  }
  std::iota(batch.begin(), batch.end(), 0);
  for (std::int64_t d = batch_count; d < dimension; ++d) offset.push_back(d);
  for (std::int64_t d = dimension + 1; d < operand.rank(); ++d) offset.push_back(d - 1 + indices.rank() - batch_count);
  ASSAY_TRY(HloInstruction * gather, lowering.AddResult());
  gather->Set("offset_dims", std::move(offset));
  gather->Set("collapsed_slice_dims", Int64List{dimension});
  gather->Set("operand_batching_dims", batch);
  gather->Set("start_indices_batching_dims", batch);
  gather->Set("start_index_map", Int64List{dimension});
  gather->Set("index_vector_dim", indices.rank());
  gather->Set("slice_sizes", std::move(slice_sizes));
  return {};
}

}  // namespace assay::stablehlo
