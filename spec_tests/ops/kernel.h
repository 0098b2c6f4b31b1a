// Element-wise ops alone: one instruction on parameters, with its kernel run on given elements.
#pragma once

#include <cstdint>
#include <vector>

#include "spec_tests/ops/graph.h"

namespace assay::testing {

using Attributes = std::vector<Attribute>;

// Runs the kernel of an op on arrays of n elements each. The result type is `result`, or the type that the op infers.
Literal RunOp(const Op& op, const std::vector<Literal>& operands, const Attributes& attributes = {},
              PrimitiveType result = PRIMITIVE_TYPE_INVALID);

// Returns a rank-1 array from bit patterns, one for each element (for a complex type, one for each part).
Literal FromBits(PrimitiveType type, const std::vector<std::uint64_t>& bits);

std::vector<std::uint64_t> ToBits(const Literal& literal);

// Returns a rank-1 array of integers, each taken modulo 2^width.
Literal Integers(PrimitiveType type, const std::vector<std::int64_t>& values);

std::vector<std::int64_t> ToIntegers(const Literal& literal);

// Returns a rank-1 array of real numbers, each rounded to the type.
Literal Reals(PrimitiveType type, const std::vector<double>& values);

}  // namespace assay::testing
