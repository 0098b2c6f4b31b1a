#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// The arithmetic of matrices: real ones in f64, others in complex.
const std::string_view kTextOfMatrices = R"(
inline f64 minus_product(f64 a, f64 b, f64 c) { return a - b * c; }
inline f64 quotient_of(f64 a, f64 b) { return a / b; }
inline f64 conjugate(f64 a) { return a; }
inline f64 real_part(f64 a) { return a; }
inline f64 without_imaginary(f64 a) { return a; }
inline f64 of_real(f64 a, f64) { return a; }
)";

const std::string_view kTextOfComplexMatrices = R"(
inline complex minus_product(complex a, complex b, complex c) { return complex_difference(a, complex_product(b, c)); }
inline complex quotient_of(complex a, complex b) { return complex_quotient(a, b); }
inline complex quotient_of(complex a, f64 b) { return complex{a.real / b, a.imag / b}; }
inline complex conjugate(complex a) { return complex{a.real, -a.imag}; }
inline f64 real_part(complex a) { return a.real; }
inline complex without_imaginary(complex a) { return complex{a.real, 0}; }
inline complex of_real(f64 a, complex) { return complex{a, 0}; }
)";

}  // namespace assay::cuda
