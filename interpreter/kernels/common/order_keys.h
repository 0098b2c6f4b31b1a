// Unsigned integers that have the order of a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Return keys in the order of the elements, equal for equal elements; nullopt for complex numbers.
//
// IEEE comparison (-0 equals +0). Returns nullopt for floats if one of them is a NaN.
std::optional<std::vector<std::uint64_t>> KeysOfValues(const Literal& array);
// Total order: -NaN, -inf, ..., -0, +0, ..., +inf, +NaN; NaNs of IEEE formats by payload. For integers the same as
// KeysOfValues.
std::optional<std::vector<std::uint64_t>> KeysOfTotalOrder(const Literal& array);

// True if the stored elements, taken as integers, have the total order: integers as they are, floats as sign and
// magnitude.
bool HasBitOrder(PrimitiveType type);

}  // namespace assay
