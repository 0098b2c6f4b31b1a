#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/common/window_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferReduceWindow(const HloInstruction& reduce_window) {
  ASSAY_TRY(const ReducerResult reducer, CheckReduction(reduce_window));
  const Shape& base = reduce_window.operand(0).shape;
  ASSAY_TRY(const Shape positions,
            InferWindowOutputShape(reduce_window, base, reduce_window.window(), base.element_type()));
  if (reduce_window.shape.element_type() != PRIMITIVE_TYPE_INVALID) return reducer.WithDimensions(positions);
  // An instruction whose shape the builder infers has the types of the initial values.
  ReducerResult inits{.types = {}, .is_tuple = reducer.is_tuple};
  for (std::size_t i = reduce_window.operands.size() / 2; i < reduce_window.operands.size(); ++i) {
    inits.types.push_back(reduce_window.operands[i]->shape.element_type());
  }
  return inits.WithDimensions(positions);
}

// result[position] folds the elements under the window at `position`, cell by cell in row-major order, from the initial
// values. Skips padding and holes, as XLA does. The specification (XLA, Operation Semantics: ReduceWindow) fills them
// with initial values, which is the same for an identity (docs/decisions.md, Sums).
Literal EvaluateReduceWindow(const HloInstruction& reduce_window, std::span<Literal> operands, Evaluation& evaluation) {
  const auto arrays = operands.first(operands.size() / 2), inits = operands.last(operands.size() / 2);
  const Window& window = reduce_window.window();
  const Folder folder(reduce_window.Computation("to_apply"), evaluation);
  Outputs result(reduce_window.shape);
  ForEachIndex(result.bounds(), [&](const Index& position) {
    Fold fold = folder.From(RowAt(inits, {}));
    ForEachIndex(CellBounds(window), [&](const Index& cell) {
      const auto element = ElementUnder(window, position, cell, arrays[0].shape().dimensions());
      if (element) fold.Add(RowAt(arrays, *element));
    });
    result.Set(position, fold.Result());
  });
  return std::move(result).Take();
}

void FitReduceWindow(HloInstruction& reduce_window) {
  EqualizeOperands(reduce_window, 0, reduce_window.operands.size() / 2);
}

}  // namespace

const Op op_reduce_window = {
    .name = "reduce-window",
    .meaning = "Elements of each window folded by a computation.",
    .syntax =
        {
            .attributes = {Optional("window", AttributeKind::kWindow),
                           Required("to_apply", AttributeKind::kComputation)},
        },
    .legality =
        {
            .arity = AtLeast(2),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferReduceWindow,
        },
    .evaluation = {.evaluate = EvaluateReduceWindow, .fit_run_time_sizes = FitReduceWindow},
};

}  // namespace assay
