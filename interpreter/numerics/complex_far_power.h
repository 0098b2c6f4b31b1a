// Complex powers far beyond every format: their parts are zeros and infinities, so only the signs have to be computed.
// MPC does not end if the magnitude lies at the edge of its own range, as that of 2^(-2^62) does.
// docs/numerics.md#complex
#pragma once

#include <optional>

#include "interpreter/numerics/complex.h"

namespace assay {

// True if |base^exponent| is certainly above e^(2^20) or below e^(-2^20). base != 0, and all parts are finite.
bool IsFarPower(ComplexDouble base, ComplexDouble exponent);

// The operands of a power.
struct Power {
  ComplexDouble base, exponent;
};

// Returns a power of smaller operands, also beyond every format, with parts of the same signs and the same zeros, if
// base^exponent lies on an axis; nullopt otherwise. Requires IsFarPower.
std::optional<Power> SmallerPowerOnAxis(ComplexDouble base, ComplexDouble exponent);

// Returns base^exponent. Requires IsFarPower, and a power that is on no axis.
ComplexBits FarPower(const FloatFormat& part, ComplexDouble base, ComplexDouble exponent);

}  // namespace assay
