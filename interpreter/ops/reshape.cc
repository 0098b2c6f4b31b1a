#include <fmt/format.h>

#include <utility>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/bounded_array.h"

namespace assay {
namespace {

Result<Shape> InferReshape(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  if (!result.IsArray() || result.element_type() != operand.element_type()) {
    return Illegal(instruction, "the result must have the element type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  if (result.IsUnboundedDynamic() || operand.IsUnboundedDynamic()) {
    return Illegal(instruction, "sizes must be known, found {} from {}", result.ToStringWithoutLayout(),
                   operand.ToStringWithoutLayout());
  }
  if (ShapeUtil::ElementsIn(result) != ShapeUtil::ElementsIn(operand)) {
    return Illegal(instruction, "the result must have the {} elements of the operand {}, found {} in {}",
                   ShapeUtil::ElementsIn(operand), operand.ToStringWithoutLayout(), ShapeUtil::ElementsIn(result),
                   result.ToStringWithoutLayout());
  }
  return result;
}

// Consecutive dimensions of the operand, and the dimensions of the result that hold the same elements.
struct Group {
  std::int64_t operand_begin = 0, operand_end = 0;
  std::int64_t result_begin = 0, result_end = 0;
};

// Returns as many groups as possible. None of the sizes may be zero.
std::vector<Group> CommonFactors(const Dimensions& operand, const Dimensions& result) {
  std::vector<Group> groups;
  const auto operand_rank = static_cast<std::int64_t>(operand.size());
  const auto result_rank = static_cast<std::int64_t>(result.size());
  Group group;
  while (group.operand_begin < operand_rank || group.result_begin < result_rank) {
    std::int64_t operand_product = 1, result_product = 1;
    group.operand_end = group.operand_begin;
    group.result_end = group.result_begin;
    do {
      if (group.operand_end < operand_rank && (operand_product <= result_product || group.result_end == result_rank)) {
        operand_product *= operand[group.operand_end++];
      } else {
        result_product *= result[group.result_end++];
      }
    } while (operand_product != result_product);
    groups.push_back(group);
    group.operand_begin = group.operand_end;
    group.result_begin = group.result_end;
  }
  return groups;
}

// Returns the result dimension of a group that follows the operand's run-time size: the dynamic one, else the inferred
// one, else the most major one larger than 1.
std::int64_t FollowingDimension(const HloInstruction& reshape, const Group& group) {
  const std::int64_t inferred = reshape.Int64("inferred_dimension");
  std::int64_t following = group.result_end - 1;
  for (std::int64_t d = group.result_end; d-- > group.result_begin;) {
    if (reshape.shape.dimensions(d) > 1) following = d;
  }
  if (inferred >= group.result_begin && inferred < group.result_end) following = inferred;
  for (std::int64_t d = group.result_end; d-- > group.result_begin;) {
    if (reshape.shape.is_dynamic_dimension(d)) following = d;
  }
  return following;
}

// Returns the run-time sizes of the result. One dimension of each group changes to keep the number of elements.
Dimensions ResultSizes(const HloInstruction& reshape, const Literal& operand) {
  Dimensions sizes = reshape.shape.dimensions();
  for (const Group& group : CommonFactors(operand.shape().dimensions(), sizes)) {
    std::int64_t live = 1, bound = 1;
    for (std::int64_t d = group.operand_begin; d < group.operand_end; ++d) {
      live *= operand.dynamic_size(d);
      bound *= operand.shape().dimensions(d);
    }
    if (live == bound || group.result_begin == group.result_end) continue;
    const std::int64_t following = FollowingDimension(reshape, group);
    sizes[following] = live * sizes[following] / bound;
  }
  return sizes;
}

Literal ReshapeRunTimeSizes(const HloInstruction& reshape, const Literal& operand) {
  const Shape dense = RunTimeShape(operand);
  const Shape result = ShapeUtil::MakeShape(dense.element_type(), ResultSizes(reshape, operand));
  if (ShapeUtil::ElementsIn(dense) != ShapeUtil::ElementsIn(result)) {
    throw EvaluationError{
        {ErrorCode::kInput,
         fmt::format("reshape: the {} elements of the operand's run-time sizes {} do not fill {}",
                     ShapeUtil::ElementsIn(dense), dense.ToStringWithoutLayout(), result.ToStringWithoutLayout()),
         reshape.location}};
  }
  return WithBound(LeadingElements(operand, dense).WithShape(result), reshape.shape);
}

Literal EvaluateReshape(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal& operand = operands[0];
  if (operand.has_dynamic_sizes() && operand.element_count() != 0) return ReshapeRunTimeSizes(instruction, operand);
  return std::move(operand).WithShape(instruction.shape);
}

}  // namespace

const Op op_reshape = {
    .name = "reshape",
    .meaning = "The same elements in row-major order under other dimensions.",
    .syntax = {.attributes = {Integer("inferred_dimension", -1)}, .shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferReshape},
    .evaluation = {.evaluate = EvaluateReshape, .keeps_scalars = true, .sees_run_time_sizes = true},
};

}  // namespace assay
