// Sums along neighbouring dimensions in one pass. Applies any other computation to whole slices at a time.
#include <algorithm>
#include <vector>

#include "interpreter/kernels/common/fold.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/sum_axis.h"
#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

bool IsReduced(const HloInstruction& reduce, std::int64_t dimension) {
  return std::ranges::count(reduce.Int64s("dimensions"), dimension) > 0;
}

// An array as [outer, n, inner]: its kept dimensions are outside and inside the reduced ones.
struct Split {
  Literal array;
  std::int64_t outer = 1;
  std::int64_t n = 1;
  std::int64_t inner = 1;
};

// Splits the array without a copy if its reduced dimensions are neighbours; otherwise returns false.
bool SplitInPlace(const HloInstruction& reduce, const Literal& array, Split& split) {
  split = {.array = array};
  bool seen = false;
  for (std::int64_t d = 0; d < array.shape().rank(); ++d) {
    const std::int64_t size = array.shape().dimensions(d);
    if (size == 1) continue;
    if (IsReduced(reduce, d)) {
      if (split.inner != 1) return false;
      split.n *= size;
      seen = true;
    } else {
      (seen ? split.inner : split.outer) *= size;
    }
  }
  return true;
}

// Copies the array with its reduced dimensions, in their order, before the others.
Split SplitInFront(const HloInstruction& reduce, const Literal& array) {
  const Shape& shape = array.shape();
  const std::vector<std::int64_t> strides = RowMajorStrides(shape.dimensions());
  Split split;
  Dimensions dimensions;
  std::vector<std::int64_t> from;
  for (bool reduced : {true, false}) {
    for (std::int64_t d = 0; d < shape.rank(); ++d) {
      if (IsReduced(reduce, d) != reduced) continue;
      dimensions.push_back(shape.dimensions(d));
      from.push_back(strides[d]);
      (reduced ? split.n : split.inner) *= shape.dimensions(d);
    }
  }
  split.array = StridedRead(ShapeUtil::MakeShape(shape.element_type(), dimensions), array, 0, from);
  return split;
}

Literal ReduceBySum(const HloInstruction& reduce, const Literal& operand, const Literal& init, const Shape& shape) {
  Split split;
  if (!SplitInPlace(reduce, operand, split)) split = SplitInFront(reduce, operand);
  Literal result = Literal::Uninitialized(shape);
  // The parts of complex numbers are summed side by side.
  const int parts = ComponentCount(shape.element_type());
  SumAxis(ComplexComponentType(shape.element_type()), split.array.data(), split.outer, split.n, parts * split.inner,
          init.data(), parts, result.mutable_data());
  return result;
}

// True for one array whose elements have the accumulator's type, folded in any order.
bool HasAnyOrder(const HloInstruction& reduce, std::span<const Literal> operands, const ScalarFunction& reducer) {
  return operands.size() == 2 && !reduce.shape.IsTuple() && operands[0].element_type() == reduce.shape.element_type() &&
         IsOrderFree(reducer, reduce.shape.element_type());
}

Literal EvaluateReduce(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t count = operands.size() / 2;
  const HloComputation& to_apply = reduce.Computation("to_apply");
  if (IsExactSum(to_apply)) {
    if (!reduce.shape.IsTuple()) return ReduceBySum(reduce, operands[0], operands[1], reduce.shape);
    std::vector<Literal> sums;
    for (std::size_t i = 0; i < count; ++i) {
      sums.push_back(ReduceBySum(reduce, operands[i], operands[count + i], reduce.shape.tuple_shapes()[i]));
    }
    return Literal::MakeTuple(std::move(sums));
  }
  const auto reducer = evaluation.Scalar(to_apply);
  std::vector<Split> splits(count);
  std::vector<Literal> results;
  std::vector<FoldedArray> arrays;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape& shape = reduce.shape.IsTuple() ? reduce.shape.tuple_shapes()[i] : reduce.shape;
    const bool in_place = SplitInPlace(reduce, operands[i], splits[i]) && splits[i].outer == 1;
    if (!in_place) splits[i] = SplitInFront(reduce, operands[i]);
    results.push_back(Filled(shape, operands[count + i]));
    arrays.push_back({.slices = splits[i].array.data(),
                      .slice_type = operands[i].element_type(),
                      .accumulators = results[i].mutable_data(),
                      .accumulator_type = shape.element_type()});
  }
  if (HasAnyOrder(reduce, operands, *reducer)) {
    FoldSlicesInAnyOrder(*reducer, arrays[0], splits[0].n, splits[0].inner);
  } else {
    FoldSlices(*reducer, arrays, splits[0].n, splits[0].inner);
  }
  return reduce.shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

}  // namespace

const OpKernel kernel_reduce = {.op = &op_reduce, .evaluate = EvaluateReduce};

}  // namespace assay
