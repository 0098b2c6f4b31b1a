#include "interpreter/hlo/broadcasting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

Error Illegal(std::string message) { return Error{ErrorCode::kIllegal, std::move(message)}; }

std::string Text(const Shape& shape) { return shape.ToStringWithoutLayout(); }

std::vector<std::int64_t> Identity(std::int64_t rank) {
  std::vector<std::int64_t> dimensions(rank);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

bool IsDegenerate(const Shape& shape, std::int64_t dimension) { return shape.dimensions(dimension) == 1; }

bool AreCompatible(const Shape& lhs, std::int64_t i, const Shape& rhs, std::int64_t j) {
  return lhs.dimensions(i) == rhs.dimensions(j) || IsDegenerate(lhs, i) || IsDegenerate(rhs, j) ||
         lhs.is_unbounded_dynamic_dimension(i) || rhs.is_unbounded_dynamic_dimension(j);
}

Status CheckBroadcastDimensions(const Shape& lower, const Shape& higher,
                                std::span<const std::int64_t> broadcast_dimensions) {
  const auto count = static_cast<std::int64_t>(broadcast_dimensions.size());
  if (count == 0) {
    return Illegal(fmt::format("operands of different ranks need broadcast_dimensions, found {} and {}", Text(lower),
                               Text(higher)));
  }
  if (count != lower.rank()) {
    return Illegal(
        fmt::format("broadcast_dimensions must have one entry for each dimension of the lower-rank operand "
                    "{}: expected {}, found {}",
                    Text(lower), lower.rank(), count));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t match = broadcast_dimensions[i];
    if (match < 0 || match >= higher.rank()) {
      return Illegal(
          fmt::format("broadcast dimension {} is not a dimension of the higher-rank operand {}", match, Text(higher)));
    }
    if (i > 0 && match <= broadcast_dimensions[i - 1]) {
      return Illegal(fmt::format("broadcast_dimensions must be strictly increasing, found {{{}}}",
                                 JoinText(broadcast_dimensions, ",")));
    }
    if (!AreCompatible(lower, i, higher, match)) {
      return Illegal(
          fmt::format("dimension {} of {} is matched to dimension {} of {}: sizes must be equal or one of "
                      "them 1, found {} and {}",
                      i, Text(lower), match, Text(higher), lower.dimensions(i), higher.dimensions(match)));
    }
  }
  return {};
}

// Step one ("InDim") for the lower-rank operand.
Shape BroadcastUp(const Shape& lower, const Shape& higher, std::span<const std::int64_t> broadcast_dimensions) {
  std::vector<bool> is_dynamic;
  for (std::int64_t i = 0; i < higher.rank(); ++i) is_dynamic.push_back(higher.is_dynamic_dimension(i));
  Dimensions dimensions = higher.dimensions();
  for (std::int64_t i = 0; i < lower.rank(); ++i) {
    dimensions[broadcast_dimensions[i]] = lower.dimensions(i);
    is_dynamic[broadcast_dimensions[i]] = lower.is_dynamic_dimension(i);
  }
  return ShapeUtil::MakeShape(lower.element_type(), std::move(dimensions), std::move(is_dynamic));
}

// Step two: takes the size that is not degenerate from each pair. For positive sizes that is the maximum, as in XLA,
// Broadcasting; 1 with 0 results in 0, because the empty operand has no element to pair.
Result<Shape> CombineDegenerate(const Shape& lhs, const Shape& rhs) {
  Shape result = lhs;
  result.set_layout(LayoutUtil::GetDefaultLayoutForRank(lhs.rank()));
  for (std::int64_t i = 0; i < lhs.rank(); ++i) {
    if (!AreCompatible(lhs, i, rhs, i)) {
      return Illegal(
          fmt::format("dimension {} of {} and {} is not compatible: sizes must be equal or one of them 1, "
                      "found {} and {}",
                      i, Text(lhs), Text(rhs), lhs.dimensions(i), rhs.dimensions(i)));
    }
    const bool takes_rhs = IsDegenerate(lhs, i) || (lhs.is_unbounded_dynamic_dimension(i) && !IsDegenerate(rhs, i));
    const bool same_size = lhs.dimensions(i) == rhs.dimensions(i);
    const Shape& source = takes_rhs ? rhs : lhs;
    const bool is_dynamic =
        same_size ? lhs.is_dynamic_dimension(i) || rhs.is_dynamic_dimension(i) : source.is_dynamic_dimension(i);
    result.set_dimensions(i, source.dimensions(i));
    result.set_dynamic_dimension(i, is_dynamic);
  }
  return result;
}

void FindDegenerateDimensions(BroadcastOperand& operand, const Shape& result) {
  for (std::int64_t i = 0; i < result.rank(); ++i) {
    if (IsDegenerate(operand.in_dim_shape, i) && !IsDegenerate(result, i)) operand.degenerate_dimensions.push_back(i);
  }
}

}  // namespace

Result<BroadcastPlan> PlanBroadcast(const Shape& lhs, const Shape& rhs,
                                    std::span<const std::int64_t> broadcast_dimensions) {
  if (!lhs.IsArray() || !rhs.IsArray()) {
    return Illegal(fmt::format("only arrays can be broadcast, found {} and {}", Text(lhs), Text(rhs)));
  }
  BroadcastPlan plan;
  plan.lhs = {lhs, Identity(lhs.rank()), {}};
  plan.rhs = {rhs, Identity(rhs.rank()), {}};
  if (lhs.rank() != rhs.rank()) {
    const bool lhs_is_lower = lhs.rank() < rhs.rank();
    const Shape& lower = lhs_is_lower ? lhs : rhs;
    const Shape& higher = lhs_is_lower ? rhs : lhs;
    if (!lower.IsScalar() || !broadcast_dimensions.empty()) {
      ASSAY_CHECK_OK(CheckBroadcastDimensions(lower, higher, broadcast_dimensions));
    }
    BroadcastOperand& operand = lhs_is_lower ? plan.lhs : plan.rhs;
    operand.in_dim_shape = BroadcastUp(lower, higher, broadcast_dimensions);
    operand.broadcast_dimensions.assign(broadcast_dimensions.begin(), broadcast_dimensions.end());
  } else if (!broadcast_dimensions.empty() && !std::ranges::equal(broadcast_dimensions, Identity(lhs.rank()))) {
    return Illegal(
        fmt::format("broadcast_dimensions of operands of equal rank must be empty or the identity, found "
                    "{{{}}} for {} and {}",
                    JoinText(broadcast_dimensions, ","), Text(lhs), Text(rhs)));
  }
  ASSAY_TRY(plan.result, CombineDegenerate(plan.lhs.in_dim_shape, plan.rhs.in_dim_shape));
  plan.result.set_element_type(lhs.element_type());
  FindDegenerateDimensions(plan.lhs, plan.result);
  FindDegenerateDimensions(plan.rhs, plan.result);
  return plan;
}

Literal BroadcastInDim(const Literal& operand, std::span<const std::int64_t> broadcast_dimensions,
                       const Dimensions& result) {
  const std::vector<std::int64_t> strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<std::int64_t> operand_strides(result.size(), 0);
  for (std::size_t i = 0; i < broadcast_dimensions.size(); ++i) {
    if (!IsDegenerate(operand.shape(), i)) operand_strides[broadcast_dimensions[i]] = strides[i];
  }
  Literal broadcast = Literal::Uninitialized(ShapeUtil::MakeShape(operand.element_type(), result));
  const int bytes = StorageBytes(operand.element_type());
  std::byte* out = broadcast.mutable_data();
  StridedWalk<1>(result, {operand_strides}).ForEach({0}, [&](const std::int64_t(&offsets)[1]) {
    std::memcpy(out, operand.data() + offsets[0] * bytes, bytes);
    out += bytes;
  });
  return broadcast;
}

}  // namespace assay
