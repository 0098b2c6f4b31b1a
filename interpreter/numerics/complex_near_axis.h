// Inverse complex functions for arguments with one part negligible beside the other. There MPC works at the precision
// of the smaller part, thousands of bits for f64; their series need two terms. docs/numerics.md#complex
#pragma once

#include "interpreter/numerics/complex.h"

namespace assay {

// True if `minor` is not zero, and so small beside 1 and the distance of `major` from 1 that the first terms of the
// series have a relative error of at most 2^-290.
bool IsNearAxis(double major, double minor);

// For z = a + ib with IsNearAxis(a, b).
ComplexBits AcosNearAxis(const FloatFormat& part, ComplexDouble z);
ComplexBits AcoshNearAxis(const FloatFormat& part, ComplexDouble z);
ComplexBits AsinNearAxis(const FloatFormat& part, ComplexDouble z);
// For z = a + ib with IsNearAxis(b, a).
ComplexBits AsinhNearAxis(const FloatFormat& part, ComplexDouble z);

// True if z equals its own arc tangent to the last place of f64: in z - z^3/3 + ..., each part has a relative error of
// |z|^2.
bool IsTiny(ComplexDouble z);

}  // namespace assay
