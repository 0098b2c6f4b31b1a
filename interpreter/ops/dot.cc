#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

// result[b..., i..., j...] = sum over k... of lhs[b..., i..., k...] * rhs[b..., k..., j...]
// Precision and algorithm allow less than the exact result. They concern backends only.
Literal EvaluateDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  const Literal &lhs = operands[0], &rhs = operands[1];
  const DotDimensions d = DotDimensionsOf(dot);
  Outputs result(dot.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const DotIndex at = d.Split(index);
    Sum sum(dot.shape.element_type());
    ForEachIndex(Entries(lhs.shape().dimensions(), d.lhs_contracting), [&](const Index& k) {
      sum.AddProduct(At(lhs, d.LhsIndex(at.batch, at.lhs_free, k)), At(rhs, d.RhsIndex(at.batch, k, at.rhs_free)));
    });
    result.Set(index, sum.Rounded());
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_dot = {
    .name = "dot",
    .meaning = "Sums of products over the contracting dimensions.",
    .syntax =
        {
            .attributes = {DimensionList("lhs_batch_dims"),
                           Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("rhs_batch_dims"),
                           Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}), OperandPrecision(),
                           DotAlgorithm(), Optional("sparsity_config", AttributeKind::kSparsity),
                           Optional("block_scaling_config", AttributeKind::kRaw)},
        },
    .legality = {.arity = Exactly(2), .types = kArrays, .allows_mixed_precision = true, .infer = InferDot},
    .evaluation =
        {
            .evaluate = EvaluateDot,
            .check_evaluated = CheckOperandsAreDense,
            .fit_run_time_sizes = EqualizeDotOperands,
        },
};

}  // namespace assay
