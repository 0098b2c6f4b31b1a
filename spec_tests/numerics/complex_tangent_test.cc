// tan and tanh of complex numbers with a part so small that MPC would work at thousands of bits.
#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

struct Tangent {
  const ComplexUnary& function;
  ComplexDouble operand;
  ComplexDouble result;  // from mpmath with 3000 bits, rounded once
};

const Tangent kTangents[] = {
    {kComplexTan, {0x1p-10, 0x1p-1060}, {0x1.0000055555777p-10, 0x1p-1060}},
    {kComplexTan, {-0x1p-10, 0x1p-1060}, {-0x1.0000055555777p-10, 0x1p-1060}},
    {kComplexTan, {0x1p-1000, 350}, {0, 1}},
    {kComplexTan, {0x1p-1000, -350}, {0, -1}},
    {kComplexTanh, {0x1p-1060, 1.5}, {0x0.000000031f667p-1022, 0x1.c33ed50b88777p+3}},
    {kComplexTanh, {-0x1p-1060, 1.5}, {-0x0.000000031f667p-1022, 0x1.c33ed50b88777p+3}},
    {kComplexTanh, {0x1p-1060, 0x1p-700}, {0x1p-1060, 0x1p-700}},
    {kComplexTanh, {20, -0x1p-1000}, {1, -0x0.000000004e5e5p-1022}},
};

TEST_CASE("tan and tanh of a complex number with a tiny part are rounded once") {
  const FloatFormat& f64 = FloatFormatOf(F64);
  for (const auto& [function, operand, result] : kTangents) {
    INFO(operand.real() << " " << operand.imag());
    const ComplexBits got = function.exact(f64, operand);
    CHECK(ToDouble(f64, got[0]) == result.real());
    CHECK(ToDouble(f64, got[1]) == result.imag());
  }
}

}  // namespace
}  // namespace assay
