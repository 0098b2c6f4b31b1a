// Unsigned integers that order elements as a comparison does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Keys that ascend as the elements do, equal where they are equal. Complex numbers have none.
//
// IEEE comparison (-0 equals +0): none for floats if one of them is a NaN.
std::optional<std::vector<std::uint64_t>> KeysOfValues(const Literal& array);
// Total order: -NaN, -inf, ..., -0, +0, ..., +inf, +NaN; for IEEE formats by payload within the NaNs. For integers the
// same as KeysOfValues.
std::optional<std::vector<std::uint64_t>> KeysOfTotalOrder(const Literal& array);

}  // namespace assay
