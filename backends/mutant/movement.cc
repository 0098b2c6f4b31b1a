#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

using MovedOperands = std::vector<Literal>;

void ReverseConcatenated(HloInstruction& concatenate, MovedOperands& operands) {
  std::ranges::reverse(concatenate.operands);
  std::ranges::reverse(operands);
}

// Adds the dimension's size to a negative start. The starts are the scalars after the array.
void WrapNegativeStarts(HloInstruction& slice, MovedOperands& operands) {
  for (std::size_t d = 0; d + 1 < operands.size(); ++d) {
    Literal& start = operands[d + 1];
    if (!start.shape().IsScalar() || !IsSignedIntegralType(start.element_type())) continue;
    if (start.IntegerAt(0) < 0) {
      SetInteger(start, 0, start.IntegerAt(0) + slice.operand(0).shape.dimensions(static_cast<std::int64_t>(d)));
    }
  }
}

// Reads unsigned starts as signed ones. A start that becomes negative is clamped to 0.
void ReadStartsAsSigned(HloInstruction&, MovedOperands& operands) {
  for (std::size_t d = 1; d < operands.size(); ++d) {
    const PrimitiveType type = operands[d].element_type();
    if (!IsUnsignedIntegralType(type) || !operands[d].shape().IsScalar()) continue;
    if ((static_cast<std::uint64_t>(operands[d].IntegerAt(0)) >> (BitWidth(type) - 1)) != 0) {
      SetInteger(operands[d], 0, 0);
    }
  }
}

void DropUpdateOutOfRange(const HloInstruction& update, std::span<const Literal> operands, Literal& result) {
  const Shape& shape = operands[0].shape();
  for (std::int64_t d = 0; d < shape.rank() && operands.size() > 2; ++d) {
    const Literal& start = operands[2 + d];
    if (!start.shape().IsScalar()) return;
    const std::int64_t last = shape.dimensions(d) - operands[1].shape().dimensions(d);
    if (start.IntegerAt(0) < 0 || start.IntegerAt(0) > last) result = operands[0].WithShape(update.shape);
  }
}

// Calls visit(offset, component) for each component of each index vector.
template <class Visit>
void ForIndexComponents(const Literal& indices, std::int64_t vector_dimension, const Visit& visit) {
  const Dimensions& dimensions = indices.shape().dimensions();
  const bool is_implied = vector_dimension >= indices.shape().rank();
  const std::int64_t size = is_implied ? 1 : dimensions[vector_dimension];
  const std::int64_t inner = is_implied ? 1 : Product(std::span(dimensions).subspan(vector_dimension + 1));
  for (std::int64_t i = 0; i < indices.element_count(); ++i) visit(i, i / inner % size);
}

void WrapNegativeIndices(HloInstruction& gather, MovedOperands& operands) {
  Literal& indices = operands[1];
  if (!IsSignedIntegralType(indices.element_type())) return;
  const auto map = gather.Int64s("start_index_map");
  ForIndexComponents(indices, gather.Int64("index_vector_dim"), [&](std::int64_t offset, std::int64_t component) {
    const std::int64_t index = indices.IntegerAt(offset);
    if (index < 0) SetInteger(indices, offset, index + gather.operand(0).shape.dimensions(map[component]));
  });
}

void SaturateIota(const HloInstruction& iota, std::span<const Literal>, Literal& result) {
  const PrimitiveType type = result.element_type();
  if (type != S8 && type != U8) return;
  const std::int64_t dimension = iota.Int64("iota_dimension");
  const Dimensions& dimensions = iota.shape.dimensions();
  const std::int64_t inner = Product(std::span(dimensions).subspan(dimension + 1));
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    SetInteger(result, i, std::min<std::int64_t>(i / inner % dimensions[dimension], type == S8 ? 127 : 255));
  }
}

void SwapEdges(HloInstruction& pad) {
  PaddingConfig padding = *pad.Find<PaddingConfig>("padding");
  for (PaddingConfigDimension& d : padding) std::swap(d.edge_padding_low, d.edge_padding_high);
  pad.Set("padding", std::move(padding));
}

void PadWithZero(HloInstruction&, MovedOperands& operands) { operands[1] = Literal(operands[1].shape()); }

void KeepFirstDimension(HloInstruction& reverse) {
  const auto dimensions = reverse.Int64s("dimensions");
  if (dimensions.size() > 1) reverse.Set("dimensions", Int64List{dimensions[0]});
}

void IgnoreStride(HloInstruction& slice) {
  SliceConfig config = *slice.Find<SliceConfig>("slice");
  for (std::size_t d = 0; d < config.size(); ++d) {
    config[d].limit = config[d].start + slice.shape.dimensions(static_cast<std::int64_t>(d));
    config[d].stride = 1;
  }
  slice.Set("slice", std::move(config));
}

// Inverts the permutation if the shape stays the same.
void InvertPermutation(HloInstruction& transpose) {
  const auto permutation = transpose.Int64s("dimensions");
  Int64List inverse(permutation.size());
  for (std::size_t d = 0; d < permutation.size(); ++d) inverse[permutation[d]] = static_cast<std::int64_t>(d);
  const Shape& operand = transpose.operand(0).shape;
  for (std::size_t d = 0; d < inverse.size(); ++d) {
    if (operand.dimensions(inverse[d]) != transpose.shape.dimensions(static_cast<std::int64_t>(d))) return;
  }
  transpose.Set("dimensions", std::move(inverse));
}

// Returns the offsets in the order in which the last dimension varies slowest.
std::vector<std::int64_t> ColumnMajorOffsets(const Shape& shape) {
  Int64List first_is_minor(shape.rank());
  std::iota(first_is_minor.begin(), first_is_minor.end(), 0);
  return OffsetsInMemory(shape.dimensions(), first_is_minor);
}

void ReshapeByColumns(const HloInstruction& reshape, std::span<const Literal> operands, Literal& result) {
  MoveElements(operands[0], ColumnMajorOffsets(operands[0].shape()), result, ColumnMajorOffsets(reshape.shape));
}

void KeepBytes(const HloInstruction& copy, std::span<const Literal> operands, Literal& result) {
  if (!copy.shape.IsArray() || operands[0].has_dynamic_sizes()) return;
  MoveElements(operands[0], OffsetsInMemory(copy.operand(0).shape), result, OffsetsInMemory(copy.shape));
}

void KeepElements(const HloInstruction& bitcast, std::span<const Literal> operands, Literal& result) {
  if (operands[0].element_type() != result.element_type() || operands[0].has_dynamic_sizes()) return;
  if (operands[0].element_count() == result.element_count()) result = operands[0].WithShape(bitcast.shape);
}

void ReadInOrderOfLayout(HloInstruction& constant) {
  if (!constant.shape.IsArray() || !constant.literal) return;
  const Literal written = *constant.literal;
  std::vector<std::int64_t> in_text(written.element_count());
  std::iota(in_text.begin(), in_text.end(), 0);
  MoveElements(written, in_text, *constant.literal, OffsetsInMemory(constant.shape));
}

void ForgetSizes(const HloInstruction& reshape, std::span<const Literal>, Literal& result) {
  for (std::int64_t d = 0; d < reshape.shape.rank(); ++d) result.set_dynamic_size(d, reshape.shape.dimensions(d));
}

void NegateShifts(HloInstruction& shuffle) {
  Int64List shifts(shuffle.Int64s("shifts").begin(), shuffle.Int64s("shifts").end());
  for (std::int64_t& shift : shifts) shift = -shift;
  shuffle.Set("shifts", std::move(shifts));
}

// Maps the operand's dimensions to the last ones of the result, if their sizes are equal.
void BroadcastToTheEnd(HloInstruction& broadcast) {
  const Shape& operand = broadcast.operand(0).shape;
  Int64List last(operand.rank());
  std::iota(last.begin(), last.end(), broadcast.shape.rank() - operand.rank());
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (operand.dimensions(d) != broadcast.shape.dimensions(last[d])) return;
  }
  broadcast.Set("dimensions", std::move(last));
}

// Puts the most significant of the narrow elements of a wide one first.
void ReverseHalves(const HloInstruction& convert, std::span<const Literal> operands, Literal& result) {
  if (result.shape().rank() == operands[0].shape().rank() + 1) result = Reversed(result, convert.shape.rank() - 1);
}

void TakeLastTies(const HloInstruction& topk, std::span<const Literal> operands, Literal& result) {
  const Literal& operand = operands[0];
  const std::int64_t n = operand.shape().dimensions().back(), k = topk.Int64("k");
  const int bytes = StorageBytes(operand.element_type());
  Literal& indices = result.mutable_elements()[1];
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    // Only the last place changes: a tie with an element outside of the result goes to the larger index.
    if (i % k != k - 1) continue;
    const std::byte* row = operand.data() + i / k * n * bytes;
    const std::int64_t chosen = indices.IntegerAt(i);
    for (std::int64_t other = n - 1; other > chosen; --other) {
      if (std::memcmp(row + other * bytes, row + chosen * bytes, bytes) != 0) continue;
      SetInteger(indices, i, other);
      break;
    }
  }
}

}  // namespace

std::vector<Mutant> MovementMutants() {
  return {
      {"bitcast_convert_big_endian", "bitcast-convert", "the halves of an element come with the upper one first",
       BreakResult<ReverseHalves>},
      {"bitcast_keeps_elements", "bitcast", "layouts are ignored: the elements keep their row-major order",
       BreakResult<KeepElements>},
      {"broadcast_to_the_end", "broadcast", "the operand's dimensions become the last ones of the result", nullptr,
       BroadcastToTheEnd},
      {"concat_order", "concatenate", "operands are concatenated in reverse order", BreakOperands<ReverseConcatenated>},
      {"constant_in_order_of_layout", "constant", "a literal is written in the order of the layout, not row-major",
       nullptr, ReadInOrderOfLayout},
      {"copy_keeps_bytes", "copy", "a copy to another layout moves bytes, not elements", BreakResult<KeepBytes>},
      {"dynamic_reshape_sizes", "dynamic-reshape", "the run-time sizes are ignored: the result has its bounds",
       BreakResult<ForgetSizes>},
      {"dynamic_slice_negative_wraps", "dynamic-slice", "a start i < 0 means i + size, instead of clamping to 0",
       BreakOperands<WrapNegativeStarts>},
      {"dynamic_slice_signed_starts", "dynamic-slice", "unsigned starts are read as signed ones",
       BreakOperands<ReadStartsAsSigned>},
      {"dynamic_update_slice_no_clamp", "dynamic-update-slice", "a start out of range drops the update",
       BreakResult<DropUpdateOutOfRange>},
      {"gather_negative_wraps", "gather", "index -1 reads the last element instead of clamping to 0",
       BreakOperands<WrapNegativeIndices>},
      {"iota_saturates_s8", "iota", "s8 and u8 clamp instead of wrapping", BreakResult<SaturateIota>},
      {"pad_lo_hi_swapped", "pad", "low and high edge padding are exchanged", nullptr, SwapEdges},
      {"pad_with_zero", "pad", "padding is zero, whatever the padding value", BreakOperands<PadWithZero>},
      {"reshape_by_columns", "reshape", "elements are taken and placed in column-major order",
       BreakResult<ReshapeByColumns>},
      {"reverse_first_dim_only", "reverse", "only the first listed dimension is reversed", nullptr, KeepFirstDimension},
      {"shuffle_turns_back", "shuffle", "shifts turn to the other side", nullptr, NegateShifts},
      {"slice_ignores_stride", "slice", "a strided slice is a contiguous block", nullptr, IgnoreStride},
      {"topk_ties_last", "topk", "the last place goes to the larger index of a tie", BreakResult<TakeLastTies>},
      {"transpose_inverse", "transpose", "the permutation is taken for its inverse", nullptr, InvertPermutation},
  };
}

}  // namespace assay
