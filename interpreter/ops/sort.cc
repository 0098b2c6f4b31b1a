#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/plain_comparator.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

using namespace plain;

Status CheckComparator(const HloInstruction& instruction) {
  const HloComputation& comparator = instruction.Computation("to_apply");
  const auto parameters = comparator.Parameters();
  const std::size_t n = instruction.operands.size();
  if (parameters.size() != 2 * n) {
    return Illegal(instruction, "the comparator {} of {} operand{} must have {} parameters, found {}", comparator.name,
                   n, n == 1 ? "" : "s", 2 * n, parameters.size());
  }
  for (std::size_t p = 0; p < 2 * n; ++p) {
    const Shape& shape = parameters[p]->shape;
    const PrimitiveType type = instruction.operands[p / 2]->shape.element_type();
    if (!shape.IsScalar() || !SameTypeIgnoringFpPrecision(shape.element_type(), type)) {
      return Illegal(instruction, "parameter {} of the comparator {} must be {}[], found {}", p, comparator.name,
                     PrimitiveTypeName(type), shape.ToStringWithoutLayout());
    }
  }
  const Shape& result = comparator.root->shape;
  if (result.IsScalar() && result.element_type() == PRED) return {};
  return Illegal(instruction, "the comparator {} must return pred[], found {}", comparator.name,
                 result.ToStringWithoutLayout());
}

Result<Shape> InferSort(const HloInstruction& instruction) {
  const Shape& first = instruction.operand(0).shape;
  std::vector<Shape> results;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, i));
    const Shape& operand = instruction.operand(i).shape;
    if (!ShapeUtil::SameDimensions(operand, first)) {
      return Illegal(instruction, "all operands must have the same dimensions, found {} and {}",
                     first.ToStringWithoutLayout(), operand.ToStringWithoutLayout());
    }
    results.push_back(operand);
  }
  const auto dimensions = instruction.Int64s("dimensions");
  if (dimensions.size() != 1) {
    return Illegal(instruction, "dimensions must name one dimension, found {}", dimensions.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, first.rank()));
  ASSAY_CHECK_OK(CheckComparator(instruction));
  return results.size() == 1 ? results[0] : ShapeUtil::MakeTupleShape(std::move(results));
}

// Sorts rows by merging two parts. The left part has the largest power of two of rows below their number. Equal rows
// keep their order, so the sort is stable whether or not is_stable is set. If the comparator is not a strict weak
// order, the result is the permutation of exactly these merges (docs/decisions.md, Order).
void MergeSort(std::span<Row> rows, const std::function<bool(const Row&, const Row&)>& before) {
  if (rows.size() < 2) return;
  const auto left = rows.first(std::bit_floor(rows.size() - 1)), right = rows.subspan(left.size());
  MergeSort(left, before);
  MergeSort(right, before);
  std::vector<Row> merged;
  for (std::size_t l = 0, r = 0; merged.size() < rows.size();) {
    const bool takes_right = l == left.size() || (r < right.size() && before(right[r], left[l]));
    merged.push_back(takes_right ? right[r++] : left[l++]);
  }
  std::ranges::move(merged, rows.begin());
}

// Sorts each line along the dimension by the comparator. Its arguments are the elements of two rows a and b: a[0],
// b[0], a[1], b[1], ...
Literal EvaluateSort(const HloInstruction& sort, std::span<Literal> operands, Evaluation& evaluation) {
  const std::int64_t d = sort.Int64s("dimensions")[0];
  const ScalarCall comparator(sort.Computation("to_apply"), evaluation);
  LimitCheck check;
  const auto before = [&](const Row& a, const Row& b) {
    check();
    Row pairs;
    for (std::size_t i = 0; i < a.size(); ++i) pairs.insert(pairs.end(), {a[i], b[i]});
    return IntegerOf(comparator(pairs)[0]) != 0;
  };
  Outputs result(sort.shape, operands);
  Index lines = operands[0].shape().dimensions();
  const std::int64_t size = std::exchange(lines[d], 1);
  ForEachIndex(lines, [&](Index index) {
    std::vector<Row> rows;
    for (index[d] = 0; index[d] < size; ++index[d]) rows.push_back(RowAt(operands, index));
    MergeSort(rows, before);
    for (index[d] = 0; index[d] < size; ++index[d]) result.Set(index, rows[index[d]]);
  });
  return std::move(result).Take();
}

void FitSort(HloInstruction& sort) { EqualizeOperands(sort, 0, sort.operands.size()); }

}  // namespace

const Op op_sort = {
    .name = "sort",
    .meaning = "Operands ordered together along one dimension by a comparator.",
    .syntax =
        {
            .attributes = {OneDimension("dimensions"), Flag("is_stable"),
                           Required("to_apply", AttributeKind::kComputation)},
        },
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferSort,
        },
    .evaluation = {.evaluate = EvaluateSort, .fit_run_time_sizes = FitSort},
};

}  // namespace assay
