#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/fold.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/common/window_rules.h"
#include "interpreter/ops/common/window_sum.h"
#include "interpreter/ops/common/window_walk.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& reduce_window) {
  ASSAY_TRY(const ReducerResult reducer, CheckReduction(reduce_window));
  const Shape& base = reduce_window.operand(0).shape;
  ASSAY_TRY(const Shape positions,
            InferWindowOutputShape(reduce_window, base, reduce_window.window(), base.element_type()));
  if (reduce_window.shape.element_type() != PRIMITIVE_TYPE_INVALID) return reducer.WithDimensions(positions);
  // A result that is not written has the types of the initial values.
  ReducerResult inits{.types = {}, .is_tuple = reducer.is_tuple};
  for (std::size_t i = reduce_window.operands.size() / 2; i < reduce_window.operands.size(); ++i) {
    inits.types.push_back(reduce_window.operands[i]->shape.element_type());
  }
  return inits.WithDimensions(positions);
}

// One of the N arrays and its result.
struct Array {
  int element_bytes = 0;
  const std::byte* elements = nullptr;
  int accumulator_bytes = 0;
  std::byte* accumulators = nullptr;
};

void FoldBlock(const ScalarFunction& reducer, const WindowWalk& walk, const PositionBlock& block,
               std::span<const Array> arrays) {
  std::vector<std::vector<std::byte>> accumulators(arrays.size()), elements(arrays.size());
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs, positions;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    accumulators[i].resize(block.count * arrays[i].accumulator_bytes);
    elements[i].resize(block.count * arrays[i].element_bytes);
    outputs.push_back(accumulators[i].data());
    inputs.push_back(accumulators[i].data());
    positions.push_back(arrays[i].accumulators + block.first * arrays[i].accumulator_bytes);
  }
  for (const auto& buffer : elements) inputs.push_back(buffer.data());
  std::vector<ElementRun> runs;
  for (std::int64_t cell = 0; cell < walk.cell_count(); ++cell) {
    CheckLimits();
    walk.FindRuns(block, cell, runs);
    if (runs.empty()) continue;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      GatherElements(runs, arrays[i].element_bytes, arrays[i].elements, elements[i].data());
      GatherPositions(runs, arrays[i].accumulator_bytes, positions[i], accumulators[i].data());
    }
    reducer.Apply(inputs, outputs, TotalCount(runs));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      ScatterPositions(runs, arrays[i].accumulator_bytes, accumulators[i].data(), positions[i]);
    }
  }
}

Literal Evaluate(const HloInstruction& reduce_window, std::span<Literal> operands, Evaluation& evaluation) {
  const Shape& shape = reduce_window.shape;
  const std::size_t count = operands.size() / 2;
  if (AddsSideBySide(reduce_window.Computation("to_apply"), count)) {
    std::vector<Literal> sums;
    for (std::size_t i = 0; i < count; ++i) {
      sums.push_back(SumWindows(operands[i], operands[count + i], reduce_window.window(), shape.tuple_shapes()[i]));
    }
    return Literal::MakeTuple(std::move(sums));
  }
  const auto reducer = evaluation.Scalar(reduce_window.Computation("to_apply"));
  const bool one_type = operands.size() == 2 && operands[0].element_type() == shape.element_type();
  if (one_type && KindOfReduction(*reducer, shape.element_type()) == ReductionKind::kExactSum) {
    return SumWindows(operands[0], operands[1], reduce_window.window(), shape);
  }
  std::vector<Literal> results;
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape& result_shape = shape.IsTuple() ? shape.tuple_shapes()[i] : shape;
    results.push_back(Filled(result_shape, operands[count + i]));
    arrays.push_back({.element_bytes = StorageBytes(operands[i].element_type()),
                      .elements = operands[i].data(),
                      .accumulator_bytes = StorageBytes(result_shape.element_type()),
                      .accumulators = results[i].mutable_data()});
  }
  const WindowWalk walk(operands[0].shape().dimensions(), reduce_window.window());
  ParallelFor(walk.block_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) FoldBlock(*reducer, walk, walk.block(i), arrays);
  });
  return shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

void FitRunTimeSizes(HloInstruction& reduce_window) {
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
            .infer = Infer,
        },
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.rule = Acceptance::kCalled, .image = FoldImage},
};

}  // namespace assay
