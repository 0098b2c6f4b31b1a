#include <algorithm>
#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

bool IsReduced(const HloInstruction& reduce, std::int64_t dimension) {
  return std::ranges::count(reduce.Int64s("dimensions"), dimension) > 0;
}

Result<Shape> InferReduce(const HloInstruction& reduce) {
  ASSAY_TRY(const ReducerResult reducer, CheckReduction(reduce));
  const Shape& operand = reduce.operand(0).shape;
  ASSAY_CHECK_OK(CheckDimensionNumbers(reduce, "dimensions", reduce.Int64s("dimensions"), operand.rank()));
  Shape kept = ShapeUtil::MakeScalarShape(operand.element_type());
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (!IsReduced(reduce, d)) kept.add_dimension(operand.dimensions(d), operand.is_dynamic_dimension(d));
  }
  kept.set_default_layout();
  return reducer.WithDimensions(kept);
}

// result[kept] folds, from the initial values on, the elements whose index has `kept` in the kept dimensions and
// `reduced` in the reduced ones, in row-major order of `reduced`.
Literal EvaluateReduce(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  const auto arrays = operands.first(operands.size() / 2), inits = operands.last(operands.size() / 2);
  const Dimensions& bounds = arrays[0].shape().dimensions();
  Index kept_dimensions, reduced_dimensions;
  for (std::int64_t d = 0; d < std::ssize(bounds); ++d) {
    (IsReduced(reduce, d) ? reduced_dimensions : kept_dimensions).push_back(d);
  }
  const Folder folder(reduce.Computation("to_apply"), evaluation);
  Outputs result(reduce.shape);
  ForEachIndex(result.bounds(), [&](const Index& kept) {
    Fold fold = folder.From(RowAt(inits, {}));
    ForEachIndex(Entries(bounds, reduced_dimensions), [&](const Index& reduced) {
      Index index(bounds.size());
      Place(kept, kept_dimensions, index);
      Place(reduced, reduced_dimensions, index);
      fold.Add(RowAt(arrays, index));
    });
    result.Set(kept, fold.Result());
  });
  return std::move(result).Take();
}

void FitReduce(HloInstruction& reduce) { EqualizeOperands(reduce, 0, reduce.operands.size() / 2); }

}  // namespace

const Op op_reduce = {
    .name = "reduce",
    .meaning = "Elements along dimensions folded by a computation.",
    .syntax =
        {
            .attributes = {Required("dimensions", AttributeKind::kInt64List),
                           Required("to_apply", AttributeKind::kComputation)},
        },
    .legality = {.arity = AtLeast(2), .types = kArrays, .infer = InferReduce},
    .evaluation = {.evaluate = EvaluateReduce, .fit_run_time_sizes = FitReduce},
};

}  // namespace assay
