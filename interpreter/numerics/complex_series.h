// Inverse complex functions for arguments far from zero, and for those with one part negligible beside the other. There
// MPC works at thousands of bits for f64; their series need two terms. docs/numerics.md#complex
#pragma once

#include "interpreter/numerics/complex.h"

namespace assay {

// True if neither part is zero, and either z = major + i minor is so large, or `minor` so small beside 1 and the
// distance of `major` from 1, that the first terms of the series have a relative error of at most 2^-290.
bool IsFarOrNearAxis(double major, double minor);

// For z = a + ib with IsFarOrNearAxis(a, b).
ComplexBits AcosBySeries(const FloatFormat& part, ComplexDouble z);
ComplexBits AcoshBySeries(const FloatFormat& part, ComplexDouble z);
ComplexBits AsinBySeries(const FloatFormat& part, ComplexDouble z);
// For z = a + ib with IsFarOrNearAxis(b, a).
ComplexBits AsinhBySeries(const FloatFormat& part, ComplexDouble z);

// True if z equals its own arc tangent to the last place of f64: in z - z^3/3 + ..., each part has a relative error of
// |z|^2.
bool IsTiny(ComplexDouble z);

}  // namespace assay
