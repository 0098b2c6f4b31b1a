// Passes over the parts of complex numbers, before and after a transform.
#pragma once

#include <cstdint>

namespace assay::simd {

// Returns the largest magnitude of n numbers; infinity or NaN if one of them is not finite.
float LargestMagnitude(const float* numbers, std::int64_t n);
double LargestMagnitude(const double* numbers, std::int64_t n);

// Divides n numbers by the divisor.
void DivideAll(float* numbers, std::int64_t n, float divisor);
void DivideAll(double* numbers, std::int64_t n, double divisor);

}  // namespace assay::simd
