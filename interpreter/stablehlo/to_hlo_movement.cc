// Ops that move elements.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {

HloInstruction& AddReshape(Translator& translator, HloInstruction& operand, Shape shape) {
  return translator.Add("reshape", std::move(shape), {&operand});
}

HloInstruction& AddTranspose(Translator& translator, HloInstruction& operand, const Int64List& permutation) {
  Dimensions sizes;
  std::vector<bool> is_dynamic;
  for (const std::int64_t d : permutation) {
    sizes.push_back(operand.shape.dimensions(d));
    is_dynamic.push_back(operand.shape.is_dynamic_dimension(d));
  }
  HloInstruction& transpose = translator.Add(
      "transpose", ShapeUtil::MakeShape(operand.shape.element_type(), std::move(sizes), is_dynamic), {&operand});
  transpose.Set("dimensions", permutation);
  return transpose;
}

namespace {

HloInstruction& AddPlainBroadcast(Translator& translator, HloInstruction& operand, Int64List dimensions, Shape shape) {
  HloInstruction& broadcast = translator.Add("broadcast", std::move(shape), {&operand});
  broadcast.Set("dimensions", std::move(dimensions));
  return broadcast;
}

Status CheckBroadcast(const Lowering& lowering, const Shape& operand, const Int64List& dimensions,
                      const Shape& result) {
  if (!operand.IsArray() || !result.IsArray()) return lowering.Illegal("the operand and the result must be tensors");
  if (std::ssize(dimensions) != operand.rank()) {
    return lowering.Illegal(
        fmt::format("broadcast_dimensions must have one number for each of the operand's {} "
                    "dimensions, found {}",
                    operand.rank(), dimensions.size()));
  }
  std::vector<bool> is_taken(result.rank(), false);
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::int64_t d = dimensions[i];
    if (d < 0 || d >= result.rank() || is_taken[d]) {
      return lowering.Illegal(
          fmt::format("broadcast_dimensions must be different numbers below {}, found {}", result.rank(), d));
    }
    is_taken[d] = true;
    const std::int64_t size = operand.dimensions(static_cast<std::int64_t>(i));
    if (size != 1 && size != result.dimensions(d)) {
      return lowering.Illegal(
          fmt::format("dimension {} of the operand must have size 1 or {}, found {}", i, result.dimensions(d), size));
    }
  }
  return {};
}

// Fails unless the three lists have a number for each dimension.
Status CheckAsMany(const Lowering& lowering, std::string_view what, const ThreeLists& lists) {
  if (lists[0].size() == lists[1].size() && lists[0].size() == lists[2].size()) return {};
  return lowering.Illegal(fmt::format("{} must have as many numbers each, found {}, {} and {}", what, lists[0].size(),
                                      lists[1].size(), lists[2].size()));
}

Result<ThreeLists> RequiredLists(const Lowering& lowering, std::array<std::string_view, 3> names) {
  ThreeLists lists;
  for (std::size_t i = 0; i < 3; ++i) {
    ASSAY_TRY(lists[i], lowering.attributes().RequiredIntegers(names[i]));
  }
  return lists;
}

Status CheckPermutation(const Lowering& lowering, const Int64List& permutation, std::int64_t rank) {
  std::vector<bool> is_taken(rank, false);
  bool is_permutation = std::ssize(permutation) == rank;
  for (const std::int64_t d : permutation) {
    is_permutation = is_permutation && d >= 0 && d < rank && !is_taken[d];
    if (is_permutation) is_taken[d] = true;
  }
  if (is_permutation) return {};
  return lowering.Illegal(fmt::format("the permutation must have each of the {} dimensions once", rank));
}

}  // namespace

// XLA's broadcast does not repeat dimensions of size 1: a reshape drops these first.
HloInstruction& AddBroadcast(Translator& translator, HloInstruction& operand, const Int64List& dimensions,
                             const Shape& shape) {
  Int64List order(dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  HloInstruction* source = &operand;
  if (!std::ranges::is_sorted(dimensions)) {
    std::ranges::sort(order, {}, [&](std::int64_t i) { return dimensions[i]; });
    source = &AddTranspose(translator, operand, order);
  }
  Shape in_dim = shape;
  Int64List sorted, kept;
  Dimensions kept_sizes;
  std::vector<bool> kept_dynamic;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::int64_t d = dimensions[order[i]], size = source->shape.dimensions(static_cast<std::int64_t>(i));
    sorted.push_back(d);
    in_dim.set_dimensions(d, size);
  }
  HloInstruction& first = AddPlainBroadcast(translator, *source, sorted, in_dim);
  if (ShapeUtil::SameDimensions(in_dim, shape)) return first;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (in_dim.dimensions(d) != shape.dimensions(d)) continue;
    kept.push_back(d);
    kept_sizes.push_back(shape.dimensions(d));
    kept_dynamic.push_back(shape.is_dynamic_dimension(d));
  }
  HloInstruction& reshaped =
      AddReshape(translator, first, ShapeUtil::MakeShape(shape.element_type(), std::move(kept_sizes), kept_dynamic));
  return AddPlainBroadcast(translator, reshaped, kept, shape);
}

HloInstruction& AddScalarBroadcast(Translator& translator, HloInstruction& operand, const Shape& shape) {
  const bool needs_none = !operand.shape.IsScalar() || !shape.IsArray() || shape.rank() == 0;
  if (needs_none) return operand;
  return AddBroadcast(translator, operand, {}, ShapeUtil::ChangeElementType(shape, operand.shape.element_type()));
}

Status LowerBroadcastInDim(const Lowering& lowering) {
  ASSAY_TRY(const Int64List dimensions, lowering.attributes().Integers("broadcast_dimensions"));
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  HloInstruction& operand = *lowering.operands[0];
  ASSAY_CHECK_OK(CheckBroadcast(lowering, operand.shape, dimensions, result));
  lowering.translator.BindResults(lowering.operation, AddBroadcast(lowering.translator, operand, dimensions, result));
  return {};
}

// Lowers the deprecated form: new dimensions come first.
Status LowerBroadcast(const Lowering& lowering) {
  ASSAY_TRY(const Int64List sizes, lowering.attributes().RequiredIntegers("broadcast_sizes"));
  HloInstruction& operand = *lowering.operands[0];
  Int64List dimensions(operand.shape.IsArray() ? operand.shape.rank() : 0);
  std::iota(dimensions.begin(), dimensions.end(), std::ssize(sizes));
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  const bool has_sizes = result.IsArray() && result.rank() >= std::ssize(sizes) &&
                         std::equal(sizes.begin(), sizes.end(), result.dimensions().begin());
  if (!has_sizes && !lowering.translator.is_unbounded()) {
    return lowering.Illegal(fmt::format("broadcast_sizes must be the first sizes of the result {}, found {}",
                                        result.ToStringWithoutLayout(), JoinText(sizes, ", ")));
  }
  ASSAY_CHECK_OK(CheckBroadcast(lowering, operand.shape, dimensions, result));
  lowering.translator.BindResults(lowering.operation, AddBroadcast(lowering.translator, operand, dimensions, result));
  return {};
}

Status SetPadding(const Lowering& lowering, HloInstruction& instruction, const ThreeLists& lists) {
  ASSAY_CHECK_OK(CheckAsMany(lowering, "the low, high and interior padding", lists));
  PaddingConfig padding;
  for (std::size_t d = 0; d < lists[0].size(); ++d) padding.push_back({lists[0][d], lists[1][d], lists[2][d]});
  instruction.Set("padding", std::move(padding));
  return {};
}

Status LowerPad(const Lowering& lowering) {
  ASSAY_TRY(const ThreeLists lists,
            RequiredLists(lowering, {"edge_padding_low", "edge_padding_high", "interior_padding"}));
  ASSAY_TRY(HloInstruction * instruction, lowering.AddResult());
  return SetPadding(lowering, *instruction, lists);
}

Status SetSlice(const Lowering& lowering, HloInstruction& instruction, const ThreeLists& lists) {
  ASSAY_CHECK_OK(CheckAsMany(lowering, "starts, limits and strides", lists));
  SliceConfig slice;
  for (std::size_t d = 0; d < lists[0].size(); ++d) slice.push_back({lists[0][d], lists[1][d], lists[2][d]});
  instruction.Set("slice", std::move(slice));
  return {};
}

Status LowerSlice(const Lowering& lowering) {
  ASSAY_TRY(const ThreeLists lists, RequiredLists(lowering, {"start_indices", "limit_indices", "strides"}));
  ASSAY_TRY(HloInstruction * instruction, lowering.AddResult());
  return SetSlice(lowering, *instruction, lists);
}

Status LowerTranspose(const Lowering& lowering) {
  ASSAY_TRY(const Int64List permutation, lowering.attributes().RequiredIntegers("permutation"));
  const Shape& operand = lowering.operands[0]->shape;
  ASSAY_CHECK_OK(CheckPermutation(lowering, permutation, operand.IsArray() ? operand.rank() : 0));
  return LowerDirectly(lowering);
}

Status LowerTuple(const Lowering& lowering) {
  lowering.translator.BindResults(lowering.operation, lowering.translator.AddTuple(lowering.operands));
  return {};
}

Status LowerGetTupleElement(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t index, lowering.attributes().RequiredInteger("index"));
  HloInstruction& tuple = *lowering.operands[0];
  const auto size = static_cast<std::int64_t>(tuple.shape.IsTuple() ? tuple.shape.tuple_shapes().size() : 0);
  if (index < 0 || index >= size) {
    return lowering.Illegal(fmt::format("the operand has {} elements, and index is {}", size, index));
  }
  lowering.translator.BindResults(lowering.operation, lowering.translator.AddElement(tuple, index));
  return {};
}

Status LowerOptimizationBarrier(const Lowering& lowering) {
  if (lowering.operands.size() != lowering.operation.results.size()) {
    return lowering.Illegal(fmt::format("it must have a result for each of its {} operands, found {}",
                                        lowering.operands.size(), lowering.operation.results.size()));
  }
  if (lowering.operands.empty()) return {};
  HloInstruction& operand = lowering.translator.AddTupleUnlessOne(lowering.operands);
  HloInstruction& barrier = lowering.translator.Add("opt-barrier", operand.shape, {&operand});
  lowering.translator.BindResults(lowering.operation, barrier);
  return {};
}

}  // namespace assay::stablehlo
