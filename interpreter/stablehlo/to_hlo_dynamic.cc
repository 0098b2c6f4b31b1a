// Ops of run-time sizes. HLO supports these within bounds; other sizes must be operands that are constants or, in an
// unbounded program, known values.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Fails unless the result's type has static sizes, although the operation computes them at run time.
Status CheckStaticResult(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  if (result.IsArray() && (!result.IsDynamic() || result.IsUnboundedDynamic())) return {};
  return lowering.Unsupported(
      fmt::format("HLO has it for a result of static size, found {}", ToText(lowering.operation.results[0].type)));
}

Result<HloInstruction*> AddOfFirst(const Lowering& lowering, std::size_t count) {
  ASSAY_CHECK_OK(CheckStaticResult(lowering));
  return lowering.AddResult(lowering.row.op, lowering.OperandsFrom(0, count));
}

// Appends the elements of a vector, as scalars.
Status AppendElements(const Lowering& lowering, HloInstruction& vector, std::vector<HloInstruction*>& operands) {
  const PrimitiveType type = vector.shape.element_type();
  for (std::int64_t i = 0; i < vector.shape.dimensions(0); ++i) {
    HloInstruction& slice = lowering.translator.Add("slice", ShapeUtil::MakeShape(type, {1}), {&vector});
    ASSAY_CHECK_OK(SetSlice(lowering, slice, {{{i}, {i + 1}, {1}}}));
    operands.push_back(&AddReshape(lowering.translator, slice, ShapeUtil::MakeScalarShape(type)));
  }
  return {};
}

// True if two instructions compute the same value by the same ops, at most `depth` ops deep.
bool AreSame(const HloInstruction& a, const HloInstruction& b, int depth) {
  if (&a == &b) return true;
  const OpEvaluation& evaluation = a.op->evaluation;
  if (depth == 0 || a.op != b.op || a.operands.size() != b.operands.size() || a.operands.empty() ||
      a.shape != b.shape || evaluation.depends_on_device || evaluation.has_side_effect ||
      a.op->syntax.attributes.have_computations()) {
    return false;
  }
  const auto text = [](const HloInstruction& of, const AttributeSpec& spec) {
    const auto value = std::ranges::find(of.attributes, spec.name, &assay::Attribute::name);
    return value == of.attributes.end() ? "" : PrintAttributeValue(spec, value->value, {}, /*is_exact=*/true);
  };
  return std::ranges::all_of(a.op->syntax.attributes,
                             [&](const AttributeSpec& spec) { return text(a, spec) == text(b, spec); }) &&
         std::ranges::equal(a.operands, b.operands, [&](const HloInstruction* from_a, const HloInstruction* from_b) {
           return AreSame(*from_a, *from_b, depth - 1);
         });
}

bool IsInside(const Int64List& starts, const Int64List& sizes, const Shape& operand) {
  bool is_inside = starts.size() == sizes.size() && std::ssize(sizes) == operand.rank();
  for (std::int64_t d = 0; is_inside && d < operand.rank(); ++d) {
    is_inside = starts[d] >= 0 && starts[d] + sizes[d] <= operand.dimensions(d);
  }
  return is_inside;
}

// Returns the sizes of a slice whose limits are its starts plus known sizes, with strides of 1, if the starts are not
// known or the slice would leave the operand.
std::optional<Int64List> SizesOfMovingSlice(const Lowering& lowering) {
  constexpr int kMostCompared = 8;
  const HloInstruction &starts = *lowering.operands[1], &limits = *lowering.operands[2];
  const Result<Int64List> strides = lowering.ConstantOperand(3), known_starts = lowering.ConstantOperand(1);
  const bool has_unit_strides =
      strides && std::ranges::all_of(*strides, [](std::int64_t stride) { return stride == 1; });
  if (!lowering.translator.is_unbounded() || !has_unit_strides || limits.op->name != "add" ||
      limits.operands.size() != 2 || !starts.shape.IsArray() || starts.shape.rank() != 1) {
    return std::nullopt;
  }
  for (const std::size_t of_starts : {0, 1}) {
    const Literal* known = lowering.translator.KnownValue(*limits.operands[1 - of_starts]);
    if (known == nullptr || !AreSame(*limits.operands[of_starts], starts, kMostCompared)) continue;
    Int64List sizes = NumbersOf(*known);
    if (known_starts && IsInside(*known_starts, sizes, lowering.operands[0]->shape)) return std::nullopt;
    return sizes;
  }
  return std::nullopt;
}

Status AddMovingSlice(const Lowering& lowering, const Int64List& sizes) {
  std::vector<HloInstruction*> operands = {lowering.operands[0]};
  ASSAY_CHECK_OK(AppendElements(lowering, *lowering.operands[1], operands));
  ASSAY_TRY(HloInstruction * slice, lowering.AddResult("dynamic-slice", std::move(operands)));
  slice->Set("dynamic_slice_sizes", sizes);
  return {};
}

}  // namespace

Status CheckResultSizes(const Lowering& lowering, std::size_t index) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  const Result<Int64List> sizes = lowering.ConstantOperand(index);
  if (!sizes.has_value() || !result.IsArray() || result.IsDynamic()) return {};
  if (std::ranges::equal(*sizes, result.dimensions())) return {};
  return lowering.Illegal(fmt::format("operand {} must be the sizes of the result, {{{}}}, found {{{}}}", index,
                                      JoinText(result.dimensions(), ","), JoinText(*sizes, ",")));
}

Status LowerDynamicBroadcastInDim(const Lowering& lowering) {
  ASSAY_TRY(const Lowering sized, lowering.WithResultSizes(1));
  ASSAY_CHECK_OK(CheckStaticResult(sized));
  ASSAY_CHECK_OK(CheckResultSizes(sized, 1));
  return LowerBroadcastInDim(sized);
}

Status LowerDynamicConvolution(const Lowering& lowering) {
  ASSAY_TRY(const Int64List numbers, lowering.ConstantOperand(2));
  std::vector<Int64List> padding;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) padding.push_back({numbers[i], numbers[i + 1]});
  ASSAY_TRY(HloInstruction * convolution, AddOfFirst(lowering, 2));
  return SetConvolution(lowering, *convolution, std::move(padding));
}

Status LowerDynamicGather(const Lowering& lowering) {
  ASSAY_TRY(Int64List slice_sizes, lowering.ConstantOperand(2));
  ASSAY_TRY(HloInstruction * gather, AddOfFirst(lowering, 2));
  return SetGather(lowering, *gather, std::move(slice_sizes));
}

Status LowerDynamicIota(const Lowering& lowering) {
  ASSAY_TRY(const Lowering sized, lowering.WithResultSizes(0));
  ASSAY_CHECK_OK(CheckStaticResult(sized));
  ASSAY_CHECK_OK(CheckResultSizes(sized, 0));
  ASSAY_TRY(HloInstruction * iota, sized.AddResult("iota", {}));
  return SetPairs(lowering.attributes(), PairsOf("iota"), *iota);
}

// Returns the numbers of three operands from `first` on.
static Result<ThreeLists> ConstantLists(const Lowering& lowering, std::size_t first) {
  ThreeLists lists;
  for (std::size_t i = 0; i < 3; ++i) {
    ASSAY_TRY(lists[i], lowering.ConstantOperand(first + i));
  }
  return lists;
}

Status LowerDynamicPad(const Lowering& lowering) {
  ASSAY_TRY(const ThreeLists lists, ConstantLists(lowering, 2));
  ASSAY_TRY(HloInstruction * pad, AddOfFirst(lowering, 2));
  return SetPadding(lowering, *pad, lists);
}

// Lowers to dynamic-slice if the limits are the starts plus known sizes. It clamps the starts, as JAX's slices do that
// become this operation.
Status LowerRealDynamicSlice(const Lowering& lowering) {
  if (const std::optional<Int64List> sizes = SizesOfMovingSlice(lowering)) return AddMovingSlice(lowering, *sizes);
  ASSAY_TRY(const ThreeLists lists, ConstantLists(lowering, 1));
  ASSAY_TRY(HloInstruction * slice, AddOfFirst(lowering, 1));
  return SetSlice(lowering, *slice, lists);
}

// Lowers to dynamic-reshape, which has one scalar operand for each size.
Status LowerDynamicReshape(const Lowering& lowering) {
  ASSAY_TRY(const Lowering sized, lowering.WithResultSizes(1));
  ASSAY_TRY(const Shape result, sized.ResultShape());
  HloInstruction& operand = *lowering.operands[0];
  HloInstruction& sizes = *lowering.operands[1];
  if (!result.IsArray() || !result.IsDynamic()) {
    ASSAY_CHECK_OK(CheckStaticResult(sized));
    ASSAY_CHECK_OK(CheckResultSizes(sized, 1));
    ASSAY_TRY([[maybe_unused]] const HloInstruction* reshape, sized.AddResult("reshape", {&operand}));
    return {};
  }
  const bool is_list = sizes.shape.IsArray() && sizes.shape.rank() == 1 && sizes.shape.dimensions(0) == result.rank();
  if (!is_list || sizes.shape.element_type() != S32) {
    return lowering.Unsupported(fmt::format("the output shape must be a tensor<{}xi32>, found {}", result.rank(),
                                            sizes.shape.ToStringWithoutLayout()));
  }
  std::vector<HloInstruction*> operands = {&operand};
  ASSAY_CHECK_OK(AppendElements(lowering, sizes, operands));
  ASSAY_TRY([[maybe_unused]] const HloInstruction* reshape, lowering.AddResult("dynamic-reshape", std::move(operands)));
  return {};
}

Status LowerGetDimensionSize(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t dimension, lowering.attributes().RequiredInteger("dimension"));
  const Shape& operand = lowering.operands[0]->shape;
  const bool is_static =
      operand.IsArray() && dimension >= 0 && dimension < operand.rank() && !operand.is_dynamic_dimension(dimension);
  if (lowering.translator.is_unbounded() && is_static) {
    Literal size(ShapeUtil::MakeScalarShape(S32));
    size.mutable_values<std::int32_t>()[0] = static_cast<std::int32_t>(operand.dimensions(dimension));
    lowering.translator.BindResults(lowering.operation, lowering.translator.AddConstant(std::move(size)));
    return {};
  }
  return LowerDirectly(lowering);
}

// A dimension that is set to its full size becomes static.
Status LowerSetDimensionSize(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t dimension, lowering.attributes().RequiredInteger("dimension"));
  HloInstruction& operand = *lowering.operands[0];
  Shape shape = operand.shape;
  if (!shape.IsArray() || dimension < 0 || dimension >= shape.rank()) {
    return lowering.Illegal(fmt::format("the operand has no dimension {}", dimension));
  }
  const Result<Int64List> size = lowering.ConstantOperand(1);
  const bool is_full = size.has_value() && size->size() == 1 && (*size)[0] == shape.dimensions(dimension);
  shape.set_dynamic_dimension(dimension, !is_full);
  HloInstruction& instruction = lowering.translator.Add("set-dimension-size", std::move(shape), lowering.operands);
  instruction.Set("dimensions", Int64List{dimension});
  lowering.translator.BindResults(lowering.operation, instruction);
  return {};
}

}  // namespace assay::stablehlo
