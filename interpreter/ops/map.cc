#include <numeric>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Status CheckParameter(const HloInstruction& map, const HloInstruction& parameter, std::int64_t i) {
  if (!parameter.shape.IsScalar()) {
    return Illegal(map, "parameter {} of to_apply must be a scalar, found {}", i,
                   parameter.shape.ToStringWithoutLayout());
  }
  if (parameter.shape.element_type() != map.operand(i).shape.element_type()) {
    return Illegal(map, "operand {} must have the type {} of parameter {} of to_apply, found {}", i,
                   PrimitiveTypeName(parameter.shape.element_type()), i,
                   PrimitiveTypeName(map.operand(i).shape.element_type()));
  }
  return {};
}

Status NormalizeMap(HloInstruction& map) {
  Int64List all(map.shape.rank());
  std::iota(all.begin(), all.end(), 0);
  map.Set("dimensions", std::move(all));
  return {};
}

// Infers the result. Ignores the attribute `dimensions`: map always applies to all dimensions.
Result<Shape> InferMap(const HloInstruction& map) {
  const HloComputation& computation = map.Computation("to_apply");
  const auto parameters = computation.Parameters();
  if (parameters.size() != map.operands.size()) {
    return Illegal(map, "to_apply must have a parameter for each of the {} operands, found {}", map.operands.size(),
                   parameters.size());
  }
  if (!computation.root->shape.IsScalar()) {
    return Illegal(map, "to_apply must return a scalar, found {}", computation.root->shape.ToStringWithoutLayout());
  }
  const Shape* dimensions = nullptr;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(map.operands.size()); ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(map, i));
    ASSAY_CHECK_OK(CheckParameter(map, *parameters[i], i));
    const Shape& shape = map.operand(i).shape;
    if (dimensions == nullptr || dimensions->IsScalar()) dimensions = &shape;
    if (!shape.IsScalar() && !ShapeUtil::SameDimensions(shape, *dimensions)) {
      return Illegal(map, "operands must have the same dimensions, found {} and {}",
                     dimensions->ToStringWithoutLayout(), shape.ToStringWithoutLayout());
    }
  }
  Shape result = ShapeUtil::ChangeElementType(*dimensions, computation.root->shape.element_type());
  result.set_default_layout();
  return result;
}

// result[index] = to_apply(operands[index]...). A scalar operand has its element at every index.
Literal EvaluateMap(const HloInstruction& map, std::span<Literal> operands, Evaluation& evaluation) {
  const ScalarCall to_apply(map.Computation("to_apply"), evaluation);
  Outputs result(map.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Row arguments;
    for (const Literal& operand : operands) {
      arguments.push_back(At(operand, operand.shape().IsScalar() ? Index() : index));
    }
    result.Set(index, to_apply(arguments));
  });
  return std::move(result).Take();
}

void FitMap(HloInstruction& map) { EqualizeOperands(map, 0, map.operands.size()); }

}  // namespace

const Op op_map = {
    .name = "map",
    .meaning = "A scalar computation applied to each element.",
    .syntax =
        {
            .attributes = {Optional("dimensions", AttributeKind::kInt64List),
                           Required("to_apply", AttributeKind::kComputation)},
            .normalize = NormalizeMap,
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferMap},
    .evaluation = {.evaluate = EvaluateMap, .fit_run_time_sizes = FitMap},
};

}  // namespace assay
