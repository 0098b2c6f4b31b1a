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

// Maps operands by one function if they are real, and by another if they are complex.
template <SetImage real, ComplexImage complex>
ElementSet RealOrComplex(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation) {
  return IsComplexType(operands[0].value.element_type()) ? MapComplex(operands, value, complex)
                                                         : real(instruction, operands, value, evaluation);
}

ComplexReals ComplexProduct(std::span<const ComplexReals> x);
// A divisor that may be zero leaves everything open, as do the pole of a logarithm or of a reciprocal root, and a power
// of e that may be too large or too small for the type.
ComplexReals ComplexQuotient(std::span<const ComplexReals> x);
ComplexReals ComplexExponential(std::span<const ComplexReals> x);
ComplexReals ComplexExponentialMinusOne(std::span<const ComplexReals> x);
ComplexReals ComplexLogarithm(std::span<const ComplexReals> x);
ComplexReals ComplexLogarithmPlusOne(std::span<const ComplexReals> x);
ComplexReals ComplexLogistic(std::span<const ComplexReals> x);
ComplexReals ComplexPower(std::span<const ComplexReals> x);
ComplexReals ComplexSign(std::span<const ComplexReals> x);
ComplexReals ComplexCosh(std::span<const ComplexReals> x);
ComplexReals ComplexSinh(std::span<const ComplexReals> x);
ComplexReals ComplexTanh(std::span<const ComplexReals> x);
ComplexReals ComplexCosine(std::span<const ComplexReals> x);
ComplexReals ComplexSine(std::span<const ComplexReals> x);
ComplexReals ComplexTan(std::span<const ComplexReals> x);
ComplexReals ComplexRoot(std::span<const ComplexReals> x);
ComplexReals ComplexReciprocalRoot(std::span<const ComplexReals> x);
// Returns the modulus as the first part.
ComplexReals Modulus(std::span<const ComplexReals> x);

}  // namespace assay
