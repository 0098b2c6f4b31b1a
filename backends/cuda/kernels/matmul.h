// Dots that are matrix products of a library.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "interpreter/hlo/module.h"
#include "interpreter/types/primitive_type.h"

namespace assay::cuda {

// The product result[b, i, j] = sum over p of lhs[b, i, p] * rhs[b, p, j] of row-major arrays without gaps. A
// transposed operand has the layout lhs[b, p, i] or rhs[b, j, p].
struct Matmul {
  PrimitiveType operand_type = PRIMITIVE_TYPE_INVALID;
  PrimitiveType result_type = PRIMITIVE_TYPE_INVALID;
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  bool lhs_is_transposed = false, rhs_is_transposed = false;

  auto operator<=>(const Matmul&) const = default;
};

// Returns the product of a dot; nullopt if its operands have other layouts, if it has no elements or no terms, or if it
// asks for an algorithm.
std::optional<Matmul> MatmulOf(const HloInstruction& dot);

}  // namespace assay::cuda
