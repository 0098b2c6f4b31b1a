// Inverse complex functions where one part is next to nothing beside the other. MPC works there at the precision of the
// smaller part, thousands of bits for f64; their series need two terms. docs/numerics.md#complex
#pragma once

#include "interpreter/numerics/complex.h"

namespace assay {

// Whether `minor`, not zero, is so small beside 1 and the distance of `major` from 1 that the first terms of the series
// are the function but for a relative error of 2^-290.
bool IsNearAxis(double major, double minor);

// For IsNearAxis(a, b) of z = a + ib.
ComplexBits AcosNearAxis(const FloatFormat& part, ComplexDouble z);
ComplexBits AcoshNearAxis(const FloatFormat& part, ComplexDouble z);
ComplexBits AsinNearAxis(const FloatFormat& part, ComplexDouble z);
// For IsNearAxis(b, a).
ComplexBits AsinhNearAxis(const FloatFormat& part, ComplexDouble z);

// Whether z is its own arc tangent to the last place of f64: z - z^3/3 + ..., each part of which is that of z but for a
// relative error of |z|^2.
bool IsTiny(ComplexDouble z);

}  // namespace assay
