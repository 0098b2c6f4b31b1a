// The numbers of a float format at which an implementation is most likely to go wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"

namespace assay {

// Zeros, ones, the largest numbers, the least and the largest subnormal ones, the least normal ones, infinities, each
// with both signs, and a NaN: what of it the format has.
std::vector<std::uint64_t> SpecialPatterns(const FloatFormat& format);

}  // namespace assay
