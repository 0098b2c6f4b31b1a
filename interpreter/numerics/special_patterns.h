// The numbers of a float format at which implementations most often fail.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"

namespace assay {

// Returns zeros, ones, the largest numbers, the least and the largest subnormals, the least normals, infinities, each
// with both signs, and a NaN, as far as the format has them.
std::vector<std::uint64_t> SpecialPatterns(const FloatFormat& format);

}  // namespace assay
