#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Precision and algorithm ask for less than the exact result; they are for backends.
Literal Evaluate(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  return EvaluateDot(operands[0], operands[1], DotDimensionsOf(dot), dot.shape);
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
            .evaluate = Evaluate,
            .check_evaluated = CheckOperandsAreDense,
            .fit_run_time_sizes = EqualizeDotOperands,
        },
    .acceptance = {.rule = Acceptance::kSum, .image = BilinearImage, .sum_algorithm = SumAlgorithmOf},
};

}  // namespace assay
