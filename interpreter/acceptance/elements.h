// Single elements of arrays as bits and as numbers.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

// A real component of an array: an element of a float array, or part 0 or 1 of a complex element.
struct RealElement {
  PrimitiveType type;  // a float type
  std::uint64_t bits;
};

RealElement ComponentAt(const Literal& array, std::int64_t component);

// True if every component of an element is finite.
bool IsFiniteElement(const Literal& array, std::int64_t offset);
// True if every component has equal bits or is NaN in both.
bool SameElement(const Literal& a, const Literal& b, std::int64_t offset);
// Returns the distance of two elements; infinite to a NaN. For complex elements it is that of the parts farther apart.
double WorstUlps(const Literal& a, const Literal& b, std::int64_t offset);

double RealValue(RealElement element);
double UnitRoundoff(PrimitiveType float_type);       // 2^-precision
double SmallestSubnormal(PrimitiveType float_type);  // spacing below the smallest normal number
double LeastNormal(PrimitiveType float_type);
double LargestFinite(PrimitiveType float_type);
// Returns the unit in the last place of x: the spacing of the format's numbers in the binade of x.
double UnitInTheLastPlace(PrimitiveType float_type, double x);
// Returns the number after the largest finite one: the next power of two, or the next step of the significand. An
// infinity counts as this number; so does a NaN in formats without infinities.
double FirstBeyond(PrimitiveType float_type);
// Returns the number that an infinity becomes: the largest one in a format that has neither infinities nor NaNs.
double InfinityOf(PrimitiveType float_type);

bool IsNan(RealElement element);
bool IsSubnormal(RealElement element);
// True if hardware may flush subnormal numbers of the type to zero: it computes in formats of 16 bits or more.
bool MayBeFlushed(PrimitiveType float_type);
// True if hardware may flush the reciprocal of a number.
bool HasSubnormalReciprocal(PrimitiveType float_type, double number);
bool IsZero(RealElement element);
bool HasSign(RealElement element);  // the sign bit is set
// Counts the steps between two numbers on the line of the format's finite numbers and infinities; -0 and +0 coincide.
double UlpDistance(RealElement a, RealElement b);

// Formats an element in hex and decimal: "x3f800000 (1)"; an integer in decimal only.
std::string DescribeReal(RealElement element);
std::string DescribeElement(const Literal& array, std::int64_t offset);

// True if an array has numbers that hardware may flush to zero: subnormal ones, or the least normal one, which may be a
// subnormal result that is rounded up.
bool HasSubnormals(const Literal& array);
// Returns the array with every subnormal replaced by the zero of its sign, and on demand the least normal number, too.
Literal WithSubnormalsFlushed(const Literal& value, bool is_least_normal_flushed = false);
// Returns the array with every -0 replaced by 0.
Literal WithPositiveZeros(const Literal& value);

}  // namespace assay
