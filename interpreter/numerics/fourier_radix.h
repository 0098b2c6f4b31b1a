// The steps of a quick transform, and the bound on its error.
#pragma once

#include <cstdint>

namespace assay {

// Up to this length, direct summation is as fast as a convolution.
inline constexpr std::int64_t kLargestQuickPrime = 61;

// Returns the factor by which a transform of n numbers is split: 4 if it divides n, else the least prime factor.
std::int64_t RadixOf(std::int64_t n);

// Returns the length of the convolution that transforms a longer prime.
std::int64_t ConvolutionSize(std::int64_t prime);

// Returns the error of a transform in units of the sum of the magnitudes of its n numbers: of 2^-53 for doubles, and of
// 2^-101 for double words.
double TransformUnits(std::int64_t n, bool in_words);

}  // namespace assay
