#include "tools/bench/peers.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

template <auto function, class T>
void OverArrays(const T* a, const T* b, T* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = function(a[i], b[i]);
}

template <auto real>
constexpr PeerFunctions Real(PeerFunctions functions) {
  functions.f32 = OverArrays<real, float>;
  functions.f64 = OverArrays<real, double>;
  return functions;
}

template <auto function>
constexpr PeerFunctions RealAndComplex(PeerFunctions functions) {
  functions = Real<function>(functions);
  functions.c64 = OverArrays<function, std::complex<float>>;
  functions.c128 = OverArrays<function, std::complex<double>>;
  return functions;
}

template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
int One(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) {
  return function(result, a, MPFR_RNDN);
}
template <int (*function)(mpc_ptr, mpc_srcptr, mpc_rnd_t)>
int One(mpc_ptr result, mpc_srcptr a, mpc_srcptr) {
  return function(result, a, MPC_RNDNN);
}
template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
int Two(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  return function(result, a, b, MPFR_RNDN);
}
template <int (*function)(mpc_ptr, mpc_srcptr, mpc_srcptr, mpc_rnd_t)>
int Two(mpc_ptr result, mpc_srcptr a, mpc_srcptr b) {
  return function(result, a, b, MPC_RNDNN);
}

// Functions that MPFR has as macros, or with other parameters.
int Absolute(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_abs(result, a, MPFR_RNDN); }
int Absolute(mpc_ptr result, mpc_srcptr a, mpc_srcptr) { return mpc_abs(mpc_realref(result), a, MPFR_RNDN); }
int Ceil(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_ceil(result, a); }
int Floor(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_floor(result, a); }
int RoundAway(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_round(result, a); }
int RoundEven(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_roundeven(result, a); }
int Sign(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr) { return mpfr_set_si(result, mpfr_sgn(a), MPFR_RNDN); }

constexpr auto kLogistic = [](auto x, auto) { return decltype(x)(1) / (decltype(x)(1) + std::exp(-x)); };
constexpr auto kRsqrt = [](auto x, auto) { return decltype(x)(1) / std::sqrt(x); };
constexpr auto kSign = [](auto x, auto) { return static_cast<decltype(x)>((x > 0) - (x < 0)); };

#define ASSAY_UNARY(function) [](auto x, auto) { return std::function(x); }
#define ASSAY_BINARY(function) [](auto x, auto y) { return std::function(x, y); }
#define ASSAY_OPERATOR(symbol) [](auto x, auto y) { return x symbol y; }

constexpr PeerFunctions kFunctions[] = {
    RealAndComplex<ASSAY_UNARY(abs)>({.op = "abs", .low = -9, .high = 9, .mpfr = Absolute, .mpc = Absolute}),
    RealAndComplex<ASSAY_UNARY(acos)>(
        {.op = "acos", .low = -1, .high = 1, .mpfr = One<mpfr_acos>, .mpc = One<mpc_acos>}),
    RealAndComplex<ASSAY_UNARY(acosh)>(
        {.op = "acosh", .low = 1, .high = 9, .mpfr = One<mpfr_acosh>, .mpc = One<mpc_acosh>}),
    RealAndComplex<ASSAY_OPERATOR(+)>({.op = "add", .low = -9, .high = 9, .mpfr = Two<mpfr_add>, .mpc = Two<mpc_add>}),
    RealAndComplex<ASSAY_UNARY(asin)>(
        {.op = "asin", .low = -1, .high = 1, .mpfr = One<mpfr_asin>, .mpc = One<mpc_asin>}),
    RealAndComplex<ASSAY_UNARY(asinh)>(
        {.op = "asinh", .low = -9, .high = 9, .mpfr = One<mpfr_asinh>, .mpc = One<mpc_asinh>}),
    RealAndComplex<ASSAY_UNARY(atan)>(
        {.op = "atan", .low = -9, .high = 9, .mpfr = One<mpfr_atan>, .mpc = One<mpc_atan>}),
    Real<ASSAY_BINARY(atan2)>({.op = "atan2", .low = -9, .high = 9, .mpfr = Two<mpfr_atan2>}),
    RealAndComplex<ASSAY_UNARY(atanh)>(
        {.op = "atanh", .low = -1, .high = 1, .mpfr = One<mpfr_atanh>, .mpc = One<mpc_atanh>}),
    Real<ASSAY_UNARY(cbrt)>({.op = "cbrt", .low = -9, .high = 9, .mpfr = One<mpfr_cbrt>}),
    Real<ASSAY_UNARY(ceil)>({.op = "ceil", .low = -99, .high = 99, .mpfr = Ceil}),
    RealAndComplex<ASSAY_UNARY(cosh)>(
        {.op = "cosh", .low = -9, .high = 9, .mpfr = One<mpfr_cosh>, .mpc = One<mpc_cosh>}),
    RealAndComplex<ASSAY_UNARY(cos)>(
        {.op = "cosine", .low = -9, .high = 9, .mpfr = One<mpfr_cos>, .mpc = One<mpc_cos>}),
    RealAndComplex<ASSAY_OPERATOR(/)>(
        {.op = "divide", .low = 0.1, .high = 9, .mpfr = Two<mpfr_div>, .mpc = Two<mpc_div>}),
    Real<ASSAY_UNARY(erf)>({.op = "erf", .low = -4, .high = 4, .mpfr = One<mpfr_erf>}),
    RealAndComplex<ASSAY_UNARY(exp)>(
        {.op = "exponential", .low = -9, .high = 9, .mpfr = One<mpfr_exp>, .mpc = One<mpc_exp>}),
    Real<ASSAY_UNARY(expm1)>({.op = "exponential-minus-one", .low = -1, .high = 1, .mpfr = One<mpfr_expm1>}),
    Real<ASSAY_UNARY(floor)>({.op = "floor", .low = -99, .high = 99, .mpfr = Floor}),
    RealAndComplex<ASSAY_UNARY(log)>({.op = "log", .low = 0.1, .high = 9, .mpfr = One<mpfr_log>, .mpc = One<mpc_log>}),
    Real<ASSAY_UNARY(log1p)>({.op = "log-plus-one", .low = -0.9, .high = 1, .mpfr = One<mpfr_log1p>}),
    RealAndComplex<kLogistic>({.op = "logistic", .low = -9, .high = 9}),
    Real<ASSAY_BINARY(fmax)>({.op = "maximum", .low = -9, .high = 9, .mpfr = Two<mpfr_max>}),
    Real<ASSAY_BINARY(fmin)>({.op = "minimum", .low = -9, .high = 9, .mpfr = Two<mpfr_min>}),
    RealAndComplex<ASSAY_OPERATOR(*)>(
        {.op = "multiply", .low = -9, .high = 9, .mpfr = Two<mpfr_mul>, .mpc = Two<mpc_mul>}),
    RealAndComplex<[](auto x, auto) { return -x; }>(
        {.op = "negate", .low = -9, .high = 9, .mpfr = One<mpfr_neg>, .mpc = One<mpc_neg>}),
    RealAndComplex<ASSAY_BINARY(pow)>(
        {.op = "power", .low = 0.1, .high = 3, .mpfr = Two<mpfr_pow>, .mpc = Two<mpc_pow>}),
    Real<ASSAY_BINARY(fmod)>({.op = "remainder", .low = 0.1, .high = 99, .mpfr = Two<mpfr_fmod>}),
    Real<ASSAY_UNARY(round)>({.op = "round-nearest-afz", .low = -99, .high = 99, .mpfr = RoundAway}),
    Real<ASSAY_UNARY(nearbyint)>({.op = "round-nearest-even", .low = -99, .high = 99, .mpfr = RoundEven}),
    RealAndComplex<kRsqrt>({.op = "rsqrt", .low = 0.1, .high = 9, .mpfr = One<mpfr_rec_sqrt>}),
    Real<kSign>({.op = "sign", .low = -9, .high = 9, .mpfr = Sign}),
    RealAndComplex<ASSAY_UNARY(sin)>({.op = "sine", .low = -9, .high = 9, .mpfr = One<mpfr_sin>, .mpc = One<mpc_sin>}),
    RealAndComplex<ASSAY_UNARY(sinh)>(
        {.op = "sinh", .low = -9, .high = 9, .mpfr = One<mpfr_sinh>, .mpc = One<mpc_sinh>}),
    RealAndComplex<ASSAY_UNARY(sqrt)>(
        {.op = "sqrt", .low = 0.1, .high = 9, .mpfr = One<mpfr_sqrt>, .mpc = One<mpc_sqrt>}),
    RealAndComplex<ASSAY_OPERATOR(-)>(
        {.op = "subtract", .low = -9, .high = 9, .mpfr = Two<mpfr_sub>, .mpc = Two<mpc_sub>}),
    RealAndComplex<ASSAY_UNARY(tan)>({.op = "tan", .low = -9, .high = 9, .mpfr = One<mpfr_tan>, .mpc = One<mpc_tan>}),
    RealAndComplex<ASSAY_UNARY(tanh)>(
        {.op = "tanh", .low = -9, .high = 9, .mpfr = One<mpfr_tanh>, .mpc = One<mpc_tanh>}),
};

#undef ASSAY_UNARY
#undef ASSAY_BINARY
#undef ASSAY_OPERATOR

}  // namespace

std::span<const PeerFunctions> AllPeerFunctions() { return kFunctions; }

}  // namespace assay
