#include "backends/cuda/kernels/matmul.h"

#include <algorithm>
#include <span>

#include "interpreter/hlo/op.h"

namespace assay::cuda {
namespace {

using DimensionList = std::span<const std::int64_t>;

// The layout of an operand: batch dimensions, then either the free or the contracting dimensions, then the others.
struct Lie {
  std::int64_t batch = 1, free = 1, contracting = 1;
  bool has_contracting_last = true;
};

// Returns the layout of an operand; nullopt if its dimensions are in another order. Dimensions of size 1 may be
// anywhere.
std::optional<Lie> LieOf(const Shape& shape, DimensionList batch, DimensionList contracting) {
  Int64List free;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (std::ranges::count(batch, d) + std::ranges::count(contracting, d) == 0) free.push_back(d);
  }
  const auto lies = [&](DimensionList second, DimensionList third) {
    std::int64_t last = -1;
    for (const DimensionList part : {batch, second, third}) {
      for (const std::int64_t d : part) {
        if (shape.dimensions(d) == 1) continue;
        if (d < last) return false;
        last = d;
      }
    }
    return true;
  };
  const auto size = [&](DimensionList part) {
    std::int64_t product = 1;
    for (const std::int64_t d : part) product *= shape.dimensions(d);
    return product;
  };
  const bool has_contracting_last = lies(free, contracting);
  if (!has_contracting_last && !lies(contracting, free)) return std::nullopt;
  return Lie{size(batch), size(free), size(contracting), has_contracting_last};
}

}  // namespace

std::optional<Matmul> MatmulOf(const HloInstruction& dot) {
  const Shape& lhs = dot.operand(0).shape;
  const Shape& rhs = dot.operand(1).shape;
  const bool has_algorithm = dot.Has("algorithm") && dot.String("algorithm") != "dot_unset";
  if (dot.operands.size() != 2 || has_algorithm || lhs.element_type() != rhs.element_type()) return std::nullopt;
  const auto of_lhs = LieOf(lhs, dot.Int64s("lhs_batch_dims"), dot.Int64s("lhs_contracting_dims"));
  const auto of_rhs = LieOf(rhs, dot.Int64s("rhs_batch_dims"), dot.Int64s("rhs_contracting_dims"));
  if (!of_lhs || !of_rhs || ShapeUtil::ElementsIn(dot.shape) == 0 || of_lhs->contracting == 0) return std::nullopt;
  return Matmul{.operand_type = lhs.element_type(),
                .result_type = dot.shape.element_type(),
                .batch = of_lhs->batch,
                .m = of_lhs->free,
                .n = of_rhs->free,
                .k = of_lhs->contracting,
                .lhs_is_transposed = !of_lhs->has_contracting_last,
                .rhs_is_transposed = of_rhs->has_contracting_last};
}

}  // namespace assay::cuda
