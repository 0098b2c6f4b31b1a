// Values for inputs and elided constants of a module.
#pragma once

#include <cstdint>

#include "interpreter/types/literal.h"

namespace assay {

// Fills an array, or each leaf of a tuple, with moderate values that depend only on the seed and the element's
// row-major number. With mix(z) the output function of SplitMix64 and r(i) = mix(seed + (i + 1) * golden):
//   pred           the top bit of r
//   integers       r mod 17 - 8 (unsigned: r mod 17), modulo 2^width for narrower types
//   floats         (r >> 11) * 2^-52 - 1, that is [-1, 1), rounded once; the magnitude for formats without a sign
//   complex        the real part from r(2 i), the imaginary part from r(2 i + 1)
// Leaf k of a tuple uses seed + k. docs/formats.md#seeded-values has the same in Python.
void FillWithSeed(Literal& literal, std::uint64_t seed);

}  // namespace assay
