// Computes exact sums over sliding windows. Applies any other computation to whole blocks of positions, one cell after
// the other.
#include <vector>

#include "interpreter/kernels/common/window_sum.h"
#include "interpreter/kernels/common/window_walk.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

Literal EvaluateReduceWindow(const HloInstruction& reduce_window, std::span<Literal> operands, Evaluation& evaluation) {
  const Shape& shape = reduce_window.shape;
  const std::size_t count = operands.size() / 2;
  const HloComputation& to_apply = reduce_window.Computation("to_apply");
  const auto finish = [&](std::vector<Literal> results) {
    return shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
  };
  std::vector<Literal> results;
  const auto result_shape = [&](std::size_t i) { return shape.IsTuple() ? shape.tuple_shapes()[i] : shape; };
  if (IsExactSum(to_apply)) {
    for (std::size_t i = 0; i < count; ++i) {
      results.push_back(SumWindows(operands[i], operands[count + i], reduce_window.window(), result_shape(i)));
    }
    return finish(std::move(results));
  }
  const auto reducer = evaluation.Scalar(to_apply);
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(Filled(result_shape(i), operands[count + i]));
    arrays.push_back({.element_bytes = StorageBytes(operands[i].element_type()),
                      .elements = operands[i].data(),
                      .accumulator_bytes = StorageBytes(results[i].element_type()),
                      .accumulators = results[i].mutable_data()});
  }
  const WindowWalk walk(operands[0].shape().dimensions(), reduce_window.window());
  ParallelFor(walk.block_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) FoldBlock(*reducer, walk, walk.block(i), arrays);
  });
  return finish(std::move(results));
}

}  // namespace

const OpKernel kernel_reduce_window = {.op = &op_reduce_window, .evaluate = EvaluateReduceWindow};

}  // namespace assay
