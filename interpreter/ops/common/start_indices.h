// Start indices that are known only at run time: those of dynamic-slice, dynamic-update-slice, gather and scatter.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// An element of an integral array; numbers of u64 past the range of int64 count as its largest.
std::int64_t StartIndexAt(const Literal& indices, std::int64_t offset);

// The operands from `first` on give one start index for each of `rank` dimensions: as many integral scalars of one
// type, or one integral vector of that length.
Status CheckStartIndices(const HloInstruction& instruction, std::size_t first, std::int64_t rank);

// clamp(start, 0, dimension - size) for each dimension, from the operands that CheckStartIndices accepted.
Dimensions ClampedStarts(std::span<const Literal> indices, const Dimensions& dimensions,
                         std::span<const std::int64_t> sizes);

}  // namespace assay
