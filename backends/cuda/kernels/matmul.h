// Dots that are products of matrices as libraries know them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "interpreter/hlo/module.h"
#include "interpreter/types/primitive_type.h"

namespace assay::cuda {

// result[b, i, j] = sum over p of lhs[b, i, p] * rhs[b, p, j], row-major without gaps; a transposed operand lies in
// memory as lhs[b, p, i] or rhs[b, j, p].
struct Matmul {
  PrimitiveType operand_type = PRIMITIVE_TYPE_INVALID;
  PrimitiveType result_type = PRIMITIVE_TYPE_INVALID;
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  bool lhs_is_transposed = false, rhs_is_transposed = false;

  auto operator<=>(const Matmul&) const = default;
};

// Nothing for a dot whose operands do not lie like that, that has no elements or no terms, or that asks for an
// algorithm.
std::optional<Matmul> MatmulOf(const HloInstruction& dot);

}  // namespace assay::cuda
