// One element of a discrete Fourier transform as a direct sum in double words: for the few elements whose rounding a
// transform in doubles leaves undecided.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/numerics/lanes.h"

namespace assay {

class RootTable;

// Returns element k of the transform with these roots, which must be in double words. There are as many numbers as
// roots; their magnitudes must be below 2^512.
lanes::ComplexOf<lanes::WordOf<double>> TransformElement(std::span<const double> real,
                                                         std::span<const double> imaginary, const RootTable& roots,
                                                         std::int64_t k);

// Each part of an element of n numbers is off by less than this times the sum of the magnitudes of their parts, plus
// 2^-1000 for underflow.
double TransformElementError(std::int64_t n);

}  // namespace assay
