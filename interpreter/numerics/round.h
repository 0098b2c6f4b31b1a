// Conversion of a real number to the bits of a format, and back. This is the one place of the interpreter where
// precision is lost: every value is computed exactly, or with enough precision to decide how it rounds, and then passes
// through Round (or through StoreReals, which spec_tests/numerics proves equal to it).
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <cstdint>

#include "interpreter/types/float_format.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

__extension__ typedef unsigned __int128 uint128;

// Rounds (-1)^negative * significand * 2^exponent to nearest, ties to the even significand, with gradual underflow and
// the format's overflow rule (FloatFormat::overflow_bits). `sticky` means that the true magnitude is slightly larger,
// by less than the format can resolve: the significand then has at least two bits below the format's last place, or is
// zero.
//
// f8e8m0fnu has neither zero nor sign: zero and every negative number round to NaN, and a positive number below 2^-127
// rounds to 2^-127, as in ml_dtypes.
std::uint64_t Round(const FloatFormat& format, bool negative, uint128 significand, int exponent, bool sticky);

// Rounds a double. Infinities follow the overflow rule; a NaN stays a quiet NaN with its sign and as many leading bits
// of its payload as the format has.
std::uint64_t RoundDouble(const FloatFormat& format, double value);

// Rounds the exact sum high + low once.
std::uint64_t RoundDoubleDouble(const FloatFormat& format, double high, double low);

// Rounds a number that MPFR has rounded to `value` with the given ternary result. `value` must have at least two bits
// more than the format, unless the ternary result is zero.
std::uint64_t RoundMpfr(const FloatFormat& format, mpfr_srcptr value, int ternary);

// Returns the exact value of a pattern; for a NaN, a quiet NaN with its sign and payload.
double ToDouble(const FloatFormat& format, std::uint64_t bits);

// Loads and stores whole arrays of a floating type, one element every StorageBytes(type) bytes in the machine's byte
// order. StoreReals rounds each number once.
void LoadReals(PrimitiveType type, const std::byte* in, double* out, std::int64_t count);
void StoreReals(PrimitiveType type, const double* in, std::byte* out, std::int64_t count);

}  // namespace assay
