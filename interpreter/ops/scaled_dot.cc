#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/scale_rules.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Status CheckScale(const HloInstruction& dot, std::int64_t i) {
  ASSAY_CHECK_OK(CheckArrayOperand(dot, i));
  ASSAY_CHECK_OK(CheckArrayOperand(dot, i + 2));
  const Shape& operand = dot.operand(i).shape;
  const Shape& scale = dot.operand(i + 2).shape;
  if (IsDummyScale(operand, scale)) return {};
  bool fits = operand.rank() == scale.rank();
  for (std::int64_t d = 0; fits && d < operand.rank(); ++d) {
    const std::int64_t blocks = scale.dimensions(d);
    fits = blocks == 0 ? operand.dimensions(d) == 0 : operand.dimensions(d) % blocks == 0;
  }
  if (fits) return {};
  return Illegal(dot, "every dimension of operand {} must be a multiple of that of its scale, found {} and {}", i,
                 operand.ToStringWithoutLayout(), scale.ToStringWithoutLayout());
}

Result<Shape> InferScaledDot(const HloInstruction& dot) {
  ASSAY_CHECK_OK(CheckScale(dot, 0));
  ASSAY_CHECK_OK(CheckScale(dot, 1));
  if (dot.Int64s("lhs_contracting_dims").size() != 1) {
    return Illegal(dot, "there must be exactly one contracting dimension, found {}",
                   dot.Int64s("lhs_contracting_dims").size());
  }
  if (dot.operand(2).shape.IsScalar() && dot.operand(3).shape.IsScalar()) {
    return Illegal(dot, "only one of the scales may be a scalar");
  }
  return InferDot(dot);
}

// Returns a * b in c128, f64 or s64, as op multiply computes it. c128 recovers infinities; sums of products do not.
Element Multiplied(PrimitiveType type, const Element& a, const Element& b) {
  if (type == C128) {
    const Element x = ConvertedTo(C128, a), y = ConvertedTo(C128, b);
    return Rounded(C128, ComplexNumberOf(x) * ComplexNumberOf(y), {x, y});
  }
  Sum product(type);
  product.AddProduct(a, b);
  return product.Rounded();
}

// Returns operand[index] times the scale of its block, rounded to f64 or c128, or modulo 2^64.
Element ScaledElement(const Literal& operand, const Literal& scale, const Index& index) {
  if (IsDummyScale(operand.shape(), scale.shape())) return At(operand, index);
  Index block(index.size());
  for (std::int64_t d = 0; d < std::ssize(index); ++d) {
    block[d] = index[d] / (operand.shape().dimensions(d) / scale.shape().dimensions(d));
  }
  return Multiplied(ScaledType(operand.element_type(), scale.element_type()), At(operand, index), At(scale, block));
}

// Computes the dot of the scaled operands.
Literal EvaluateScaledDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  const Literal &lhs = operands[0], &rhs = operands[1], &lhs_scale = operands[2], &rhs_scale = operands[3];
  const DotDimensions d = DotDimensionsOf(dot);
  Outputs result(dot.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const DotIndex at = d.Split(index);
    Sum sum(dot.shape.element_type());
    ForEachIndex(Entries(lhs.shape().dimensions(), d.lhs_contracting), [&](const Index& k) {
      sum.AddProduct(ScaledElement(lhs, lhs_scale, d.LhsIndex(at.batch, at.lhs_free, k)),
                     ScaledElement(rhs, rhs_scale, d.RhsIndex(at.batch, k, at.rhs_free)));
    });
    result.Set(index, sum.Rounded());
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_scaled_dot = {
    .name = "scaled-dot",
    .meaning = "A dot of block-scaled operands.",
    .syntax =
        {
            .attributes = {DimensionList("lhs_batch_dims"),
                           Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("rhs_batch_dims"),
                           Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}), OperandPrecision(),
                           DotAlgorithm()},
        },
    .legality = {.arity = Exactly(4), .types = kArrays, .allows_mixed_precision = true, .infer = InferScaledDot},
    .evaluation = {.evaluate = EvaluateScaledDot, .fit_run_time_sizes = EqualizeDotOperands},
};

}  // namespace assay
