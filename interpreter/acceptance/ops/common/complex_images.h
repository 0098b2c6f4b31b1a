// Maps sets of complex numbers to sets of exact results.
#pragma once

#include <array>
#include <span>

#include "interpreter/acceptance/ops/common/images.h"

namespace assay {

// The intervals of both parts of a complex number.
using ComplexReals = std::array<Reals, 2>;

// Maps the operands of an element-wise op of complex operands by a function of intervals that are finite.
using ComplexImage = ComplexReals (*)(std::span<const ComplexReals>);
ElementSet MapComplex(std::span<const ValueSet> operands, const Literal& value, ComplexImage image);

ComplexReals ComplexProduct(std::span<const ComplexReals> x);
// A divisor that may be zero leaves everything open.
ComplexReals ComplexQuotient(std::span<const ComplexReals> x);
// Returns the modulus as the first part.
ComplexReals Modulus(std::span<const ComplexReals> x);

}  // namespace assay
