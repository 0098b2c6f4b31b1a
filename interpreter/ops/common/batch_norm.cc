#include "interpreter/ops/common/batch_norm.h"

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/types/index_util.h"

namespace assay {

Status CheckBatchNorm(const HloInstruction& instruction, std::initializer_list<std::int64_t> per_feature) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0, kFloats, "floating"));
  const Shape& operand = instruction.operand(0).shape;
  if (operand.rank() < 1) {
    return Illegal(instruction, "operand 0 must have at least 1 dimension, found {}", operand.ToStringWithoutLayout());
  }
  const std::int64_t feature_index = instruction.Int64("feature_index");
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "feature_index", {&feature_index, 1}, operand.rank()));
  const std::int64_t features = operand.dimensions(feature_index);
  for (std::int64_t i : per_feature) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, i, kFloats, "floating"));
    const Shape& shape = instruction.operand(i).shape;
    if (shape.rank() != 1 || shape.dimensions(0) != features) {
      return Illegal(instruction, "operand {} must have the dimensions [{}], one number a feature, found {}", i,
                     features, shape.ToStringWithoutLayout());
    }
  }
  return {};
}

Shape BatchNormTuple(const HloInstruction& instruction) {
  const Shape& operand = instruction.operand(0).shape;
  const Shape per_feature =
      ShapeUtil::MakeShape(operand.element_type(), {operand.dimensions(instruction.Int64("feature_index"))});
  return ShapeUtil::MakeTupleShape({operand, per_feature, per_feature});
}

void EqualizeFeatures(HloInstruction& instruction) {
  const std::int64_t feature = instruction.Int64("feature_index");
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      if (instruction.operand(i).shape.rank() == 1) {
        Equalize(instruction, 0, feature, i, 0);
      } else {
        for (std::int64_t d = 0; d < instruction.operand(i).shape.rank(); ++d) Equalize(instruction, 0, d, i, d);
      }
    }
  }
}

FeatureElements::FeatureElements(const HloInstruction& instruction) {
  const std::span<const std::int64_t> dimensions = instruction.operand(0).shape.dimensions();
  const std::int64_t feature_index = instruction.Int64("feature_index");
  outer = Product(dimensions.first(feature_index));
  features = dimensions[feature_index];
  inner = Product(dimensions.subspan(feature_index + 1));
}

std::vector<double> FeatureElements::Of(const std::vector<double>& array, std::int64_t feature) const {
  std::vector<double> elements(count());
  for (std::int64_t i = 0; i < count(); ++i) elements[i] = array[Offset(feature, i)];
  return elements;
}

}  // namespace assay
