#include "interpreter/ops/common/dot_rules.h"

#include <algorithm>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

Int64List AttributeList(const HloInstruction& dot, AttributeName name) {
  const auto list = dot.Int64s(name);
  return Int64List(list.begin(), list.end());
}

// Checks that the dimensions paired by lhs and rhs have equal sizes, or one of them is unbounded.
Status CheckDimensionPairs(const HloInstruction& dot, std::string_view what, std::span<const std::int64_t> lhs,
                           std::span<const std::int64_t> rhs) {
  const Shape& a = dot.operand(0).shape;
  const Shape& b = dot.operand(1).shape;
  if (lhs.size() != rhs.size()) {
    return Illegal(dot, "lhs and rhs must have the same number of {} dimensions, found {} and {}", what, lhs.size(),
                   rhs.size());
  }
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    if (a.is_unbounded_dynamic_dimension(lhs[i]) || b.is_unbounded_dynamic_dimension(rhs[i])) continue;
    if (a.dimensions(lhs[i]) == b.dimensions(rhs[i])) continue;
    return Illegal(dot, "{} dimensions must have equal sizes, found dimension {} of {} and dimension {} of {}", what,
                   lhs[i], a.ToStringWithoutLayout(), rhs[i], b.ToStringWithoutLayout());
  }
  return {};
}

Int64List Others(std::int64_t rank, const Int64List& a, const Int64List& b) {
  Int64List others;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (std::ranges::count(a, d) == 0 && std::ranges::count(b, d) == 0) others.push_back(d);
  }
  return others;
}

// Entries of an index, and their dimensions.
struct Part {
  const Dimensions& entries;
  const Int64List& dimensions;
};

Dimensions IndexWith(std::initializer_list<Part> parts) {
  std::size_t rank = 0;
  for (const Part& part : parts) rank += part.dimensions.size();
  Dimensions index(rank);
  for (const Part& part : parts) plain::Place(part.entries, part.dimensions, index);
  return index;
}

}  // namespace

DotDimensions DotDimensionsOf(const HloInstruction& dot) {
  DotDimensions d;
  d.lhs_batch = AttributeList(dot, "lhs_batch_dims");
  d.rhs_batch = AttributeList(dot, "rhs_batch_dims");
  d.lhs_contracting = AttributeList(dot, "lhs_contracting_dims");
  d.rhs_contracting = AttributeList(dot, "rhs_contracting_dims");
  d.lhs_free = Others(dot.operand(0).shape.rank(), d.lhs_batch, d.lhs_contracting);
  d.rhs_free = Others(dot.operand(1).shape.rank(), d.rhs_batch, d.rhs_contracting);
  return d;
}

PrimitiveType ProductType(PrimitiveType lhs, PrimitiveType rhs) {
  const auto precision = [](PrimitiveType type) {
    return std::pair(IsComplexType(type) ? 2 : IsFloatingPointType(type) ? 1 : 0, BitWidth(type));
  };
  return precision(rhs) > precision(lhs) ? rhs : lhs;
}

DotIndex DotDimensions::Split(const Dimensions& result) const {
  const auto lhs = result.begin() + std::ssize(lhs_batch), rhs = lhs + std::ssize(lhs_free);
  return {.batch = {result.begin(), lhs}, .lhs_free = {lhs, rhs}, .rhs_free = {rhs, result.end()}};
}

Dimensions DotDimensions::LhsIndex(const Dimensions& batch, const Dimensions& free,
                                   const Dimensions& contracting) const {
  return IndexWith({{batch, lhs_batch}, {free, lhs_free}, {contracting, lhs_contracting}});
}

Dimensions DotDimensions::RhsIndex(const Dimensions& batch, const Dimensions& contracting,
                                   const Dimensions& free) const {
  return IndexWith({{batch, rhs_batch}, {contracting, rhs_contracting}, {free, rhs_free}});
}

Result<Shape> InferDot(const HloInstruction& dot) {
  ASSAY_CHECK_OK(CheckArrayOperand(dot, 0));
  ASSAY_CHECK_OK(CheckArrayOperand(dot, 1));
  const DotDimensions d = DotDimensionsOf(dot);
  const Shape& lhs = dot.operand(0).shape;
  const Shape& rhs = dot.operand(1).shape;
  ASSAY_CHECK_OK(CheckDimensionNumbers(dot, "lhs_batch_dims + lhs_contracting_dims",
                                       Concatenated(d.lhs_batch, d.lhs_contracting), lhs.rank()));
  ASSAY_CHECK_OK(CheckDimensionNumbers(dot, "rhs_batch_dims + rhs_contracting_dims",
                                       Concatenated(d.rhs_batch, d.rhs_contracting), rhs.rank()));
  ASSAY_CHECK_OK(CheckDimensionPairs(dot, "contracting", d.lhs_contracting, d.rhs_contracting));
  ASSAY_CHECK_OK(CheckDimensionPairs(dot, "batch", d.lhs_batch, d.rhs_batch));
  Dimensions sizes;
  std::vector<bool> is_dynamic;
  const auto add = [&](const Shape& shape, const Int64List& dimensions) {
    for (std::int64_t i : dimensions) {
      sizes.push_back(shape.dimensions(i));
      is_dynamic.push_back(shape.is_dynamic_dimension(i));
    }
  };
  add(lhs, d.lhs_batch);
  add(lhs, d.lhs_free);
  add(rhs, d.rhs_free);
  const PrimitiveType type =
      dot.shape.IsArray() ? dot.shape.element_type() : ProductType(lhs.element_type(), rhs.element_type());
  return ShapeUtil::MakeShape(type, std::move(sizes), std::move(is_dynamic));
}

Status CheckLacks(const HloInstruction& product, AttributeName attribute) {
  if (!product.Has(attribute)) return {};
  return Error{ErrorCode::kUnsupported,
               fmt::format("{} with {} is not evaluated: only dense operands are", product.op->name, attribute.text()),
               product.location};
}

Status CheckOperandsAreDense(const HloInstruction& dot) {
  ASSAY_CHECK_OK(CheckLacks(dot, "sparsity_config"));
  return CheckLacks(dot, "block_scaling_config");
}

void EqualizeDotOperands(HloInstruction& dot) {
  const DotDimensions d = DotDimensionsOf(dot);
  for (std::size_t i = 0; i < d.lhs_batch.size(); ++i) Equalize(dot, 0, d.lhs_batch[i], 1, d.rhs_batch[i]);
  for (std::size_t i = 0; i < d.lhs_contracting.size(); ++i) {
    Equalize(dot, 0, d.lhs_contracting[i], 1, d.rhs_contracting[i]);
  }
}

Dimensions SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  Dimensions sizes;
  for (std::int64_t d : dimensions) sizes.push_back(shape.dimensions(d));
  return sizes;
}

std::int64_t SizeOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  return Product(SizesOf(shape, dimensions));
}

Int64List Concatenated(const Int64List& a, const Int64List& b, const Int64List& c) {
  Int64List all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

}  // namespace assay
