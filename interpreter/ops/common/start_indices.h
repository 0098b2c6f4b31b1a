// Start indices that are known only at run time: those of dynamic-slice, dynamic-update-slice, gather and scatter.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns an element of an integral array. u64 numbers beyond int64 are clamped.
std::int64_t StartIndexAt(const Literal& indices, std::int64_t offset);

// Checks that the operands from `first` on hold one start index for each of `rank` dimensions: as many integral scalars
// of one type, or one integral vector of that length.
Status CheckStartIndices(const HloInstruction& instruction, std::size_t first, std::int64_t rank);

// Returns clamp(start, 0, dimension - size) for each dimension, from operands that CheckStartIndices accepted.
Dimensions ClampedStarts(std::span<const Literal> indices, const Dimensions& dimensions,
                         std::span<const std::int64_t> sizes);

}  // namespace assay
