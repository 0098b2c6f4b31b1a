#include "interpreter/ops/common/sparse_operands.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/sparsity_text.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/types/shape.h"

namespace assay {
namespace {

std::optional<TensorSparsity> SparsityOf(const HloInstruction& product, std::size_t operand) {
  if (!product.Has("sparsity_config")) return std::nullopt;
  const SparsityConfig sparsity = SparsityOfText(product.String("sparsity_config"));
  return operand == 0 ? sparsity.lhs : sparsity.rhs;
}

Status CheckSparsity(const HloInstruction& product, std::size_t operand, const TensorSparsity& sparsity) {
  const Shape& shape = product.operand(operand).shape;
  if (sparsity.kept != 1 || sparsity.block < 1 || sparsity.stride > 1) {
    return Illegal(product, "sparsity_config must be 1xN with a stride of 1, found {}x{} with a stride of {}",
                   sparsity.kept, sparsity.block, sparsity.stride);
  }
  if (!shape.IsFixedArray()) {
    return Illegal(product, "a sparse operand must have static sizes, found {}", shape.ToStringWithoutLayout());
  }
  if (sparsity.dimension < 0 || sparsity.dimension >= shape.rank()) {
    return Illegal(product, "the dimension of sparsity_config must be in [0, {}), found {}", shape.rank(),
                   sparsity.dimension);
  }
  const std::int64_t stored = shape.dimensions(sparsity.dimension);
  if (stored > std::numeric_limits<std::int64_t>::max() / sparsity.block) {
    return Illegal(product, "{} blocks of {} elements have no size of 63 bits", stored, sparsity.block);
  }
  if (sparsity.index == 0) return {};
  if (sparsity.index < 2 || sparsity.index >= std::ssize(product.operands)) {
    return Illegal(product, "idx of sparsity_config must be an operand in [2, {}), found {}", product.operands.size(),
                   sparsity.index);
  }
  const Shape& places = product.operand(sparsity.index).shape;
  if (places.IsArray() && IsIntegralType(places.element_type()) && ShapeUtil::SameDimensions(places, shape)) return {};
  return Illegal(product, "operand {} must have an integer for each element of operand {}, found {} for {}",
                 sparsity.index, operand, places.ToStringWithoutLayout(), shape.ToStringWithoutLayout());
}

Literal Materialized(const HloInstruction& product, const TensorSparsity& sparsity, const Literal& stored,
                     const Literal& places, Shape shape) {
  plain::Outputs dense(shape);
  plain::ForEachIndex(stored.shape().dimensions(), [&](plain::Index index) {
    const std::int64_t place = plain::IntegerOf(plain::At(places, index));
    if (place < 0 || place >= sparsity.block) {
      throw EvaluationError{{ErrorCode::kInput,
                             fmt::format("{}: a place of sparsity_config must be in [0, {}), found {}", product.name,
                                         sparsity.block, place),
                             product.location}};
    }
    const plain::Element element = plain::At(stored, index);
    index[sparsity.dimension] = index[sparsity.dimension] * sparsity.block + place;
    dense.Set(index, element);
  });
  return std::move(dense).Take();
}

}  // namespace

Result<Shape> DenseShape(const HloInstruction& product, std::size_t operand) {
  Shape shape = product.operand(operand).shape;
  if (const std::optional<TensorSparsity> sparsity = SparsityOf(product, operand)) {
    ASSAY_CHECK_OK(CheckSparsity(product, operand, *sparsity));
    shape.set_dimensions(sparsity->dimension, shape.dimensions(sparsity->dimension) * sparsity->block);
  }
  return shape;
}

Status CheckSparseIsEvaluated(const HloInstruction& product) {
  for (const std::size_t operand : {0, 1}) {
    const std::optional<TensorSparsity> sparsity = SparsityOf(product, operand);
    if (!sparsity || sparsity->index != 0) continue;
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} with sparsity_config is evaluated only with idx=N, the number of the operand that has "
                             "the places of the stored elements",
                             product.op->name),
                 product.location};
  }
  return {};
}

void MaterializeSparse(const HloInstruction& product, std::span<Literal> operands) {
  for (const std::size_t operand : {0, 1}) {
    const std::optional<TensorSparsity> sparsity = SparsityOf(product, operand);
    if (!sparsity) continue;
    operands[operand] = Materialized(product, *sparsity, operands[operand], operands[sparsity->index],
                                     DenseShape(product, operand).value());
  }
}

}  // namespace assay
