// Conversion between any two array element types, rounded once. docs/numerics.md#conversions
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Converts `count` elements, each StorageBytes of its type:
//   integer -> integer      modulo 2^width of the target
//   real    -> integer      towards zero, then to the nearest end of the target's range; NaN becomes 0
//   any     -> float        the exact value, rounded once
//   any     -> pred         whether the value differs from zero (NaN does)
//   complex -> real, int    the imaginary part is dropped
//   other   -> complex      the imaginary part is +0
// A conversion of a type to itself copies the bits. `in` and `out` do not overlap.
void Convert(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t count);

// Loads integers as 64 bits, sign-extended if signed; pred loads as 0 or 1.
void LoadIntegers(PrimitiveType type, const std::byte* in, std::uint64_t* out, std::int64_t count);
// Stores integers modulo 2^width, in the form of a Literal (types narrower than a byte are extended to one).
void StoreIntegers(PrimitiveType type, const std::uint64_t* in, std::byte* out, std::int64_t count);

}  // namespace assay
