// Blocks of elements in machine integers and doubles, vectorized. Functions have an error bound; MPFR computes the
// results that it leaves undecided.
#include <cmath>

#include "interpreter/kernels/common/element_wise_kernels.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

constexpr OpKernel kElementWiseKernels[] = {
    {.op = &op_abs, .kernel = NumberKernel<[](auto a) { return Abs(a); }, ComplexAbs>},
    {.op = &op_acos, .kernel = FunctionKernel<&kAcos, &kComplexAcos>},
    {.op = &op_acosh, .kernel = FunctionKernel<&kAcosh, &kComplexAcosh>},
    {.op = &op_add, .kernel = NumberKernel<[](auto a, auto b) { return a + b; }>},
    {.op = &op_and, .kernel = IntegerKernel<[](auto a, auto b) { return a & b; }>},
    {.op = &op_asin, .kernel = FunctionKernel<&kAsin, &kComplexAsin>},
    {.op = &op_asinh, .kernel = FunctionKernel<&kAsinh, &kComplexAsinh>},
    {.op = &op_atan, .kernel = FunctionKernel<&kAtan, &kComplexAtan>},
    {.op = &op_atan2, .kernel = FunctionKernel<&kAtan2, &kComplexAtan2>},
    {.op = &op_atanh, .kernel = FunctionKernel<&kAtanh, &kComplexAtanh>},
    {.op = &op_cbrt, .kernel = FunctionKernel<&kCbrt>},
    {.op = &op_ceil, .kernel = RealKernel<[](auto a) { return std::ceil(a); }>},
    {.op = &op_cosh, .kernel = FunctionKernel<&kCosh, &kComplexCosh>},
    {.op = &op_cosine, .kernel = FunctionKernel<&kCos, &kComplexCos>},
    {.op = &op_count_leading_zeros, .kernel = IntegerKernel<[](auto a) { return CountLeadingZeros(a); }>},
    {.op = &op_divide, .kernel = NumberKernel<[](auto a, auto b) { return a / b; }, ComplexDivide>},
    {.op = &op_erf, .kernel = FunctionKernel<&kErf>},
    {.op = &op_exponential, .kernel = FunctionKernel<&kExp, &kComplexExp>},
    {.op = &op_exponential_minus_one, .kernel = FunctionKernel<&kExpm1, &kComplexExpm1>},
    {.op = &op_floor, .kernel = RealKernel<[](auto a) { return std::floor(a); }>},
    {.op = &op_is_finite, .kernel = RealKernel<[](auto a) { return std::isfinite(a); }>},
    {.op = &op_log, .kernel = FunctionKernel<&kLog, &kComplexLog>},
    {.op = &op_log_plus_one, .kernel = FunctionKernel<&kLog1p, &kComplexLog1p>},
    {.op = &op_logistic, .kernel = FunctionKernel<&kLogistic, &kComplexLogistic>},
    {.op = &op_maximum, .kernel = NumberKernel<[](auto a, auto b) { return Maximum(a, b); }>},
    {.op = &op_minimum, .kernel = NumberKernel<[](auto a, auto b) { return Minimum(a, b); }>},
    {.op = &op_mulhi, .kernel = IntegerKernel<[](auto a, auto b) { return MultiplyHigh(a, b); }>},
    {.op = &op_multiply, .kernel = NumberKernel<[](auto a, auto b) { return a * b; }, ComplexMultiply>},
    {.op = &op_negate, .kernel = NumberKernel<[](auto a) { return -a; }>},
    {.op = &op_not, .kernel = IntegerKernel<[](auto a) { return ~a; }>},
    {.op = &op_or, .kernel = IntegerKernel<[](auto a, auto b) { return a | b; }>},
    {.op = &op_popcnt, .kernel = IntegerKernel<[](auto a) { return PopulationCount(a); }>},
    {.op = &op_power,
     .kernel =
         [](const HloInstruction& power) {
           return IsIntegralType(power.shape.element_type())
                      ? IntegerKernel<[](auto a, auto b) { return Power(a, b); }>(power)
                      : FunctionKernel<&kPow, &kComplexPow>(power);
         }},
    {.op = &op_remainder, .kernel = NumberKernel<[](auto a, auto b) { return Remainder(a, b); }>},
    {.op = &op_round_nearest_afz, .kernel = RealKernel<[](auto a) { return std::round(a); }>},
    {.op = &op_round_nearest_even, .kernel = RealKernel<[](auto a) { return std::nearbyint(a); }>},
    {.op = &op_rsqrt, .kernel = FunctionKernel<&kRsqrt, &kComplexRsqrt>},
    {.op = &op_shift_left, .kernel = IntegerKernel<[](auto a, auto b) { return ShiftLeft(a, b); }>},
    {.op = &op_shift_right_arithmetic,
     .kernel = IntegerKernel<[](auto a, auto b) { return ShiftRightArithmetic(a, b); }>},
    {.op = &op_shift_right_logical, .kernel = IntegerKernel<[](auto a, auto b) { return ShiftRightLogical(a, b); }>},
    {.op = &op_sign, .kernel = NumberKernel<[](auto a) { return Sign(a); }, &kComplexSign>},
    {.op = &op_sine, .kernel = FunctionKernel<&kSin, &kComplexSin>},
    {.op = &op_sinh, .kernel = FunctionKernel<&kSinh, &kComplexSinh>},
    {.op = &op_sqrt, .kernel = RealKernel<[](auto a) { return std::sqrt(a); }, &kComplexSqrt>},
    {.op = &op_subtract, .kernel = NumberKernel<[](auto a, auto b) { return a - b; }>},
    {.op = &op_tan, .kernel = FunctionKernel<&kTan, &kComplexTan>},
    {.op = &op_tanh, .kernel = FunctionKernel<&kTanh, &kComplexTanh>},
    {.op = &op_xor, .kernel = IntegerKernel<[](auto a, auto b) { return a ^ b; }>},
};

}  // namespace

std::span<const OpKernel> ElementWiseKernels() { return kElementWiseKernels; }

}  // namespace assay
