// Ops of CHLO: those with implicit broadcasting, and short functions.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "interpreter/stablehlo/to_hlo_formulas.h"

namespace assay::stablehlo {
namespace {

// Broadcasts the operands to the dimensions of the result. Trailing dimensions match, unless broadcast_dimensions is
// set.
Result<std::vector<HloInstruction*>> BroadcastOperands(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  ASSAY_TRY(const Int64List given, lowering.attributes().Integers("broadcast_dimensions"));
  std::vector<HloInstruction*> operands;
  for (HloInstruction* operand : lowering.operands) {
    if (!operand->shape.IsArray() || !result.IsArray() || operand->shape.rank() > result.rank()) {
      return lowering.Illegal("the operands must be tensors of at most as many dimensions as the result");
    }
    const std::int64_t rank = operand->shape.rank();
    Int64List dimensions(rank);
    std::iota(dimensions.begin(), dimensions.end(), result.rank() - rank);
    if (rank < result.rank() && !given.empty()) dimensions = given;
    bool fits = std::ssize(dimensions) == rank &&
                std::ranges::adjacent_find(dimensions, std::greater_equal()) == dimensions.end();
    for (std::int64_t i = 0; fits && i < rank; ++i) {
      const std::int64_t d = dimensions[i], size = operand->shape.dimensions(i);
      fits = d >= 0 && d < result.rank() && (size == 1 || size == result.dimensions(d));
    }
    if (!fits) {
      return lowering.Illegal(fmt::format("an operand {} cannot be broadcast to {}",
                                          operand->shape.ToStringWithoutLayout(), result.ToStringWithoutLayout()));
    }
    const bool is_same = ShapeUtil::SameDimensions(operand->shape, result);
    const Shape shape = ShapeUtil::ChangeElementType(result, operand->shape.element_type());
    operands.push_back(is_same ? operand : &AddBroadcast(lowering.translator, *operand, dimensions, shape));
  }
  return operands;
}

}  // namespace

// Lowers as the operation without broadcasting, which is one of CHLO or of StableHLO.
Status LowerChloBroadcasting(const Lowering& lowering) {
  const OpRow* plain = FindRow(fmt::format("chlo.{}", lowering.row.name));
  if (plain == nullptr) plain = FindRow(fmt::format("stablehlo.{}", lowering.row.name));
  if (plain == nullptr) return UnknownOperation(lowering.operation);
  ASSAY_CHECK_OK(CheckCounts(lowering.operation, *plain));
  ASSAY_TRY(std::vector<HloInstruction*> operands, BroadcastOperands(lowering));
  return plain->lower({lowering.translator, lowering.operation, *plain, std::move(operands), lowering.result_shapes});
}

// Lowers to a constant of the operand's type and dimensions.
Status LowerChloConstantLike(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  const auto* whole = lowering.attributes().FindAs<IntegerAttribute>("value");
  const auto* real = lowering.attributes().FindAs<FloatAttribute>("value");
  const bool has_number = whole != nullptr || real != nullptr;
  if (!has_number || !result.IsArray() || IsComplexType(result.element_type())) {
    return lowering.Unsupported("the attribute value must be a number, and the result must not be complex");
  }
  if (IsFloatingPointType(result.element_type()) != (real != nullptr)) {
    return lowering.Illegal("the value must be of the result's type");
  }
  Literal literal = ScalarLiteral(result.element_type(), real != nullptr ? real->value : 0);
  if (whole != nullptr) {
    std::memcpy(literal.mutable_data(), &whole->value, StorageBytes(result.element_type()));
  }
  HloInstruction& scalar = lowering.translator.AddConstant(std::move(literal));
  lowering.translator.BindResults(lowering.operation, AddScalarBroadcast(lowering.translator, scalar, result));
  return {};
}

Status LowerChloTopK(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t k, lowering.attributes().RequiredInteger("k"));
  const Attribute* largest = lowering.attributes().Find("largest");
  ASSAY_TRY(const bool is_largest, lowering.attributes().Bool("largest"));
  ASSAY_TRY(HloInstruction * topk, lowering.AddResult("topk", lowering.operands));
  topk->Set("k", k);
  topk->Set("largest", largest == nullptr || is_largest);
  if (lowering.attributes().Find("is_stable") != nullptr) {
    ASSAY_TRY(const bool is_stable, lowering.attributes().Bool("is_stable"));
    topk->Set("is_stable", is_stable);
  }
  return {};
}

}  // namespace assay::stablehlo
