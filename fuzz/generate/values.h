// Random values, classified by the kind of error that they provoke.
#pragma once

#include <span>
#include <string_view>

#include "fuzz/generate/random.h"
#include "interpreter/types/literal.h"

namespace assay::generate {

// The distribution of the elements of an array. Each class is defined for every element type; the parts of complex
// numbers are drawn like real ones.
enum class EdgeClass {
  kNormal,         // around 0, in moderate numbers
  kAnyBits,        // any bit pattern
  kSpecials,       // zeros, infinities, NaNs, the largest, the least normal, subnormals; ends of the range
  kWide,           // widely different exponents
  kPositive,       // in [1, 2); integers from 1 to 8
  kCancelling,     // each second one is nearly the negative of the previous one
  kShort,          // of few bits, as numbers of a narrower type: their products and sums round seldom
  kSparse,         // mostly zeros
  kDominated,      // a few of them far larger than all others, the first one too
  kTies,           // halfway between two numbers of a narrower type or two integers, or next to that
  kTiny,           // where numbers become subnormal
  kHuge,           // where sums overflow
  kSmallIntegers,  // from -8 to 8
  kBoundaries,     // powers of two at which integer types end, and their neighbours
  kConstant,       // a single number
  kDistinct,       // pairwise different, as far as the type allows
  kSorted,         // ascending or descending
};
std::span<const EdgeClass> AllEdgeClasses();
// Returns "any-bits".
std::string_view EdgeClassName(EdgeClass edge_class);

// Draws a value of a shape; all arrays of a tuple are of the class.
Literal DrawValue(Random& random, const Shape& shape, EdgeClass edge_class);

// Returns a number of the type, as a scalar.
Literal ScalarOf(PrimitiveType type, double number);

// Draws indices: most are in [0, limit), some are the first or the last of this range, and some are out of range, by
// one or by far. The limit of an element is that of its index along `dimension`; a single limit applies to all.
Literal DrawIndices(Random& random, const Shape& shape, std::span<const std::int64_t> limits,
                    std::int64_t dimension = 0);
inline Literal DrawIndices(Random& random, const Shape& shape, std::int64_t limit) {
  return DrawIndices(random, shape, {&limit, 1});
}

// Draws integers from `least` to `most` only: run-time sizes, counts.
Literal DrawIntegers(Random& random, const Shape& shape, std::int64_t least, std::int64_t most);

// Draws square matrices in the last two dimensions, positive definite except for rounding: B B^H + I, B normal.
Literal DrawPositiveDefinite(Random& random, const Shape& shape);

}  // namespace assay::generate
