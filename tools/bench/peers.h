// The element-wise functions of other libraries: glibc's libm, which does not round correctly, and MPFR and MPC, which
// do. For timing only.
#pragma once

#include <mpc.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

// Computes out[i] = f(a[i], b[i]). Functions of one operand ignore b.
template <class T>
using ArrayFunction = void (*)(const T* a, const T* b, T* out, std::int64_t count);

// The functions of the libraries for one op. Null: the library has no such function.
struct PeerFunctions {
  std::string_view op;
  double low, high;  // the range of the operands, or of their parts
  ArrayFunction<float> f32 = nullptr;
  ArrayFunction<double> f64 = nullptr;
  ArrayFunction<std::complex<float>> c64 = nullptr;
  ArrayFunction<std::complex<double>> c128 = nullptr;
  int (*mpfr)(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) = nullptr;
  int (*mpc)(mpc_ptr result, mpc_srcptr a, mpc_srcptr b) = nullptr;
};

// Returns the functions, sorted by the name of the op.
std::span<const PeerFunctions> AllPeerFunctions();

}  // namespace assay
