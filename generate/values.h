// Values drawn at random, by the kind of trouble that they make.
#pragma once

#include <span>
#include <string_view>

#include "generate/random.h"
#include "interpreter/types/literal.h"

namespace assay::generate {

// How the elements of an array are spread. Each class has a meaning for every element type; the parts of complex
// numbers are drawn like real ones.
enum class EdgeClass {
  kNormal,         // around 0, in moderate numbers
  kAnyBits,        // any bit pattern
  kSpecials,       // zeros, infinities, NaNs, the largest, the least normal, subnormals; ends of the range
  kWide,           // exponents far apart
  kPositive,       // in [1, 2); integers from 1 to 8
  kCancelling,     // each second one nearly the negative of the one before
  kTies,           // halfway between two numbers of a narrower type or two integers, or just beside
  kTiny,           // where numbers become subnormal
  kHuge,           // where sums overflow
  kSmallIntegers,  // from -8 to 8
  kBoundaries,     // powers of two at which integer types end, and their neighbours
  kConstant,       // one number all over
  kDistinct,       // no two alike, as long as the type has others
  kSorted,         // ascending or descending
};
std::span<const EdgeClass> AllEdgeClasses();
// "any-bits"
std::string_view EdgeClassName(EdgeClass edge_class);

// A value of a shape; of a tuple all arrays are of the class.
Literal DrawValue(Random& random, const Shape& shape, EdgeClass edge_class);

// A number that the type has, as a scalar.
Literal ScalarOf(PrimitiveType type, double number);

// Integers that are to point into something: most are in [0, limit), some are the first or the last of it, some lie
// outside, by one or by far. The limit of an element is that of its place along `dimension`; one limit is for all.
Literal DrawIndices(Random& random, const Shape& shape, std::span<const std::int64_t> limits,
                    std::int64_t dimension = 0);
inline Literal DrawIndices(Random& random, const Shape& shape, std::int64_t limit) {
  return DrawIndices(random, shape, {&limit, 1});
}

// Integers from `least` to `most`, and nothing else: run-time sizes, counts.
Literal DrawIntegers(Random& random, const Shape& shape, std::int64_t least, std::int64_t most);

// Square matrices in the last two dimensions that are positive definite but for the rounding: B B^H + I, B normal.
Literal DrawPositiveDefinite(Random& random, const Shape& shape);

}  // namespace assay::generate
