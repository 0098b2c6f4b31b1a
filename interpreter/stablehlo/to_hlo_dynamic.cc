// Ops of run-time sizes. HLO supports these within bounds; other sizes must be operands that are constants.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Fails unless the result's type has static sizes, although the operation computes them at run time.
Status CheckStaticResult(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  if (result.IsArray() && !result.IsDynamic()) return {};
  return lowering.Unsupported(
      fmt::format("HLO has it for a result of static size, found {}", ToText(lowering.operation.results[0].type)));
}

Result<HloInstruction*> AddOfFirst(const Lowering& lowering, std::size_t count) {
  ASSAY_CHECK_OK(CheckStaticResult(lowering));
  return lowering.AddResult(lowering.row.op, lowering.OperandsFrom(0, count));
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
  ASSAY_CHECK_OK(CheckStaticResult(lowering));
  ASSAY_CHECK_OK(CheckResultSizes(lowering, 1));
  return LowerBroadcastInDim(lowering);
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
  ASSAY_CHECK_OK(CheckStaticResult(lowering));
  ASSAY_CHECK_OK(CheckResultSizes(lowering, 0));
  return LowerIota(lowering);
}

Status LowerDynamicPad(const Lowering& lowering) {
  ASSAY_TRY(const Int64List low, lowering.ConstantOperand(2));
  ASSAY_TRY(const Int64List high, lowering.ConstantOperand(3));
  ASSAY_TRY(const Int64List interior, lowering.ConstantOperand(4));
  ASSAY_TRY(HloInstruction * pad, AddOfFirst(lowering, 2));
  return SetPadding(lowering, *pad, low, high, interior);
}

Status LowerRealDynamicSlice(const Lowering& lowering) {
  ASSAY_TRY(const Int64List starts, lowering.ConstantOperand(1));
  ASSAY_TRY(const Int64List limits, lowering.ConstantOperand(2));
  ASSAY_TRY(const Int64List strides, lowering.ConstantOperand(3));
  ASSAY_TRY(HloInstruction * slice, AddOfFirst(lowering, 1));
  return SetSlice(lowering, *slice, starts, limits, strides);
}

// Lowers to dynamic-reshape, which has one scalar operand for each size.
Status LowerDynamicReshape(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  HloInstruction& operand = *lowering.operands[0];
  HloInstruction& sizes = *lowering.operands[1];
  if (!result.IsArray() || !result.IsDynamic()) {
    ASSAY_CHECK_OK(CheckStaticResult(lowering));
    ASSAY_CHECK_OK(CheckResultSizes(lowering, 1));
    ASSAY_TRY([[maybe_unused]] const HloInstruction* reshape, lowering.AddResult("reshape", {&operand}));
    return {};
  }
  const bool is_list = sizes.shape.IsArray() && sizes.shape.rank() == 1 && sizes.shape.dimensions(0) == result.rank();
  if (!is_list || sizes.shape.element_type() != S32) {
    return lowering.Unsupported(fmt::format("the output shape must be a tensor<{}xi32>, found {}", result.rank(),
                                            sizes.shape.ToStringWithoutLayout()));
  }
  std::vector<HloInstruction*> operands = {&operand};
  for (std::int64_t d = 0; d < result.rank(); ++d) {
    HloInstruction& slice = translator.Add("slice", ShapeUtil::MakeShape(S32, {1}), {&sizes});
    ASSAY_CHECK_OK(SetSlice(lowering, slice, {d}, {d + 1}, {1}));
    operands.push_back(&AddReshape(translator, slice, ShapeUtil::MakeScalarShape(S32)));
  }
  ASSAY_TRY([[maybe_unused]] const HloInstruction* reshape, lowering.AddResult("dynamic-reshape", std::move(operands)));
  return {};
}

Status LowerGetDimensionSize(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t dimension, lowering.attributes().RequiredInteger("dimension"));
  ASSAY_TRY(HloInstruction * size, lowering.AddResult());
  size->Set("dimensions", Int64List{dimension});
  return {};
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
