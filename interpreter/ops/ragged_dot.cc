#include <algorithm>
#include <optional>
#include <vector>

#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/ragged_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using namespace plain;

// Returns the dimensions of lhs for which group_sizes may differ: those before the ragged one, among the batch
// dimensions and the others of its kind.
Int64List PrefixDimensions(const HloInstruction& dot, const DotDimensions& d) {
  const RaggedMode mode = RaggedModeOf(dot, d);
  Int64List prefix = mode == RaggedMode::kBatch         ? d.lhs_batch
                     : mode == RaggedMode::kContracting ? Concatenated(d.lhs_batch, d.lhs_contracting)
                                                        : Concatenated(d.lhs_batch, d.lhs_free);
  prefix.erase(std::ranges::find(prefix, RaggedDimension(dot)), prefix.end());
  return prefix;
}

Status CheckGroupSizes(const HloInstruction& dot, const DotDimensions& d) {
  ASSAY_CHECK_OK(CheckArrayOperand(dot, 2, kIntegral, "integral"));
  const Shape& sizes = dot.operand(2).shape;
  Dimensions expected = SizesOf(dot.operand(0).shape, PrefixDimensions(dot, d));
  Dimensions found = sizes.dimensions();
  if (found.size() == 1) return {};
  if (!found.empty()) found.pop_back();
  if (!sizes.IsScalar() && found == expected) return {};
  return Illegal(dot, "group_sizes must have the dimensions [{}{}groups] or [groups], found {}",
                 JoinText(expected, ","), expected.empty() ? "" : ",", sizes.ToStringWithoutLayout());
}

Result<Shape> InferRaggedDot(const HloInstruction& dot) {
  ASSAY_TRY(const Shape dense, InferDot(dot));
  const DotDimensions d = DotDimensionsOf(dot);
  const auto ragged = dot.Int64s("lhs_ragged_dims");
  if (ragged.size() != 1) {
    return Illegal(dot, "lhs_ragged_dims must have exactly one dimension, found {}", ragged.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(dot, "lhs_ragged_dims", ragged, dot.operand(0).shape.rank()));
  ASSAY_CHECK_OK(CheckGroupSizes(dot, d));
  const std::int64_t groups = dot.operand(2).shape.dimensions().back();
  const auto group_dims = dot.Int64s("rhs_group_dims");
  const RaggedMode mode = RaggedModeOf(dot, d);
  const std::size_t expected = mode == RaggedMode::kFree ? 1 : 0;
  if (group_dims.size() != expected) {
    return Illegal(dot, "rhs_group_dims must have {} dimension{} where the ragged dimension is {}, found {}", expected,
                   expected == 1 ? "" : "s", mode == RaggedMode::kFree ? "free" : "not free", group_dims.size());
  }
  if (mode == RaggedMode::kBatch) return dense;
  Shape result = dense;
  if (mode == RaggedMode::kContracting) {
    Dimensions sizes = dense.dimensions();
    sizes.insert(sizes.begin(), groups);
    return ShapeUtil::MakeShape(dense.element_type(), sizes);
  }
  const auto group_dim = std::ranges::find(d.rhs_free, group_dims[0]);
  if (group_dim == d.rhs_free.end() || dot.operand(1).shape.dimensions(group_dims[0]) != groups) {
    return Illegal(dot, "rhs_group_dims must be a free dimension of rhs of size {}, found {} of {}", groups,
                   group_dims[0], dot.operand(1).shape.ToStringWithoutLayout());
  }
  Dimensions sizes = dense.dimensions();
  sizes.erase(sizes.end() - (d.rhs_free.end() - group_dim));
  return ShapeUtil::MakeShape(dense.element_type(), sizes);
}

// Returns the group that contains the index `lhs`; nullopt past the last group. Group g holds as many indices of the
// ragged dimension as its size, from the end of group g - 1.
std::optional<std::int64_t> GroupOf(const HloInstruction& dot, const DotDimensions& d, const Index& lhs,
                                    const Literal& group_sizes) {
  std::int64_t place = lhs[RaggedDimension(dot)];  // counted from the start of the group
  Index at = group_sizes.shape().rank() == 1 ? Index() : Entries(lhs, PrefixDimensions(dot, d));
  at.push_back(0);
  for (std::int64_t& group = at.back(); group < group_sizes.shape().dimensions().back(); ++group) {
    const std::int64_t size = std::max<std::int64_t>(0, IntegerOf(At(group_sizes, at)));
    if (place < size) return group;
    place -= size;
  }
  return std::nullopt;
}

// free:        result[b, i, j]    = sum over k of lhs[b, i, k] * rhs[g, b, k, j], g the group of i
// contracting: result[g, b, i, j] = sum over the k in group g of lhs[b, i, k] * rhs[b, k, j]
// batch:       result[b, i, j]    = sum over k of lhs[b, i, k] * rhs[b, k, j]
Literal EvaluateRaggedDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  const Literal &lhs = operands[0], &rhs = operands[1];
  DotDimensions d = DotDimensionsOf(dot);
  const RaggedMode mode = RaggedModeOf(dot, d);
  if (mode == RaggedMode::kFree) {
    const std::int64_t group_dimension = dot.Int64s("rhs_group_dims")[0];
    std::erase(d.rhs_free, group_dimension);
    d.rhs_batch.insert(d.rhs_batch.begin(), group_dimension);
  }
  Outputs result(dot.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const bool is_contracting = mode == RaggedMode::kContracting;
    const DotIndex at = d.Split(is_contracting ? Index(index.begin() + 1, index.end()) : index);
    Sum sum(dot.shape.element_type());
    ForEachIndex(Entries(lhs.shape().dimensions(), d.lhs_contracting), [&](const Index& k) {
      const Index left = d.LhsIndex(at.batch, at.lhs_free, k);
      const auto group = GroupOf(dot, d, left, operands[2]);
      if (is_contracting && group != index[0]) return;
      if (mode == RaggedMode::kFree && !group) return;
      const Index right =
          d.RhsIndex(mode == RaggedMode::kFree ? Concatenated({*group}, at.batch) : at.batch, k, at.rhs_free);
      sum.AddProduct(At(lhs, left), At(rhs, right));
    });
    result.Set(index, sum.Rounded());
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_ragged_dot = {
    .name = "ragged-dot",
    .meaning = "A dot with one ragged dimension, split into groups of given sizes.",
    .syntax =
        {
            .attributes = {DimensionList("lhs_batch_dims"),
                           Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("rhs_batch_dims"),
                           Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("lhs_ragged_dims"), DimensionList("rhs_group_dims"), OperandPrecision()},
        },
    .legality = {.arity = Exactly(3), .types = kArrays, .allows_mixed_precision = true, .infer = InferRaggedDot},
    .evaluation = {.evaluate = EvaluateRaggedDot, .fit_run_time_sizes = EqualizeDotOperands},
};

}  // namespace assay
