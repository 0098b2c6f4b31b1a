// Machine code of comparisons and of the ops that read predicates.
#pragma once

#include <span>
#include <string_view>

#include "backends/simd/loops/vector_code.h"
#include "interpreter/hlo/op.h"

namespace assay::simd {

// Emits a comparison by the order of numbers, not by the total order.
void EmitCompare(VectorCode& code, const HloInstruction& compare, const Vectors& out, std::span<const Vectors> in);
void EmitSelect(VectorCode& code, const HloInstruction& select, const Vectors& out, std::span<const Vectors> in);

// Sets all bits of the elements for which a relation holds. The relation of integers is EQ or GT.
void EmitMask(VectorCode& code, PrimitiveType type, std::string_view relation, const Vec& out, const Vec& a,
              const Vec& b);

// Widens the predicates, 0 or 1, for register k of elements of 4 or 8 bytes.
void EmitPredicates(VectorCode& code, int bytes, const Vectors& predicates, std::size_t k, const Vec& out);

}  // namespace assay::simd
