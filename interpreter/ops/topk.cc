#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferTopk(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  Shape values = instruction.operand(0).shape;
  values.set_default_layout();
  const std::int64_t k = instruction.Int64("k");
  if (values.rank() == 0) {
    return Illegal(instruction, "operand 0 must have a last dimension, found {}", values.ToStringWithoutLayout());
  }
  const std::int64_t last = values.rank() - 1;
  if (k < 0 || k > values.dimensions(last)) {
    return Illegal(instruction, "k must be in [0, {}], the size of the last dimension, found {}",
                   values.dimensions(last), k);
  }
  values.set_dimensions(last, k);
  values.set_dynamic_dimension(last, false);
  const Shape indices = ShapeUtil::ChangeElementType(values, S32);
  return ShapeUtil::MakeTupleShape({std::move(values), indices});
}

// Returns the first k elements of each line along the last dimension in descending or ascending order, and their
// indices. Equal elements are in the order of their indices.
Literal EvaluateTopk(const HloInstruction& topk, std::span<Literal> operands, Evaluation&) {
  const Index bounds = operands[0].shape().dimensions(), lines(bounds.begin(), bounds.end() - 1);
  const bool largest = topk.Bool("largest");
  LimitCheck check;
  Outputs result(topk.shape);
  ForEachIndex(lines, [&](Index index) {
    index.push_back(0);
    std::vector<Element> line;
    for (; index.back() < bounds.back(); ++index.back()) line.push_back(At(operands[0], index));
    Index order(line.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int64_t i, std::int64_t j) {
      check();
      return largest ? IsLess(line[j], line[i]) : IsLess(line[i], line[j]);
    });
    for (std::int64_t m = 0; m < topk.Int64("k"); ++m) {
      index.back() = m;
      result.Set(index, {line[order[m]], Integer(order[m])});
    }
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_topk = {
    .name = "topk",
    .meaning = "The k largest or smallest elements of the last dimension in total order, and their indices.",
    .syntax =
        {
            .attributes = {Required("k", AttributeKind::kInt64), Printed("largest", AttributeKind::kBool, true),
                           // XLA's parser reads a text without it as true; an absent field of a message is false.
                           AttributeSpec{.name = "is_stable",
                                         .kind = AttributeKind::kBool,
                                         .print = PrintRule::kIfNotDefault,
                                         .default_value = true}},
        },
    .legality = {.arity = Exactly(1), .types = kPred | kIntegral | kFloats, .infer = InferTopk},
    .evaluation = {.evaluate = EvaluateTopk},
};

}  // namespace assay
