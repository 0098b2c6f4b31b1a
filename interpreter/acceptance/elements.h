// Single elements as bits and numbers.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

// A real component of an array: element `offset` of a float array, or part 0 or 1 of a complex one.
struct RealElement {
  PrimitiveType type;  // a float type
  std::uint64_t bits;
};

RealElement ComponentAt(const Literal& array, std::int64_t component);

// Every component of an element is finite.
bool IsFiniteElement(const Literal& array, std::int64_t offset);
// Every component has equal bits, or is NaN in both, or a zero in both.
bool DifferBySignOfZero(const Literal& a, const Literal& b, std::int64_t offset);
// Equal bits, or both NaN, in every component.
bool SameElement(const Literal& a, const Literal& b, std::int64_t offset);
// The distance of two elements: of complex ones, that of the parts farther apart; infinite to a NaN.
double WorstUlps(const Literal& a, const Literal& b, std::int64_t offset);

double RealValue(RealElement element);
double UnitRoundoff(PrimitiveType float_type);       // 2^-precision
double SmallestSubnormal(PrimitiveType float_type);  // spacing below the smallest normal number
double LeastNormal(PrimitiveType float_type);
double LargestFinite(PrimitiveType float_type);
// The unit in the last place of the format's number nearest to x from below in magnitude: that of its binade.
double UnitInTheLastPlace(PrimitiveType float_type, double x);
// What is beyond the largest finite number, where an infinity, or a NaN in formats without one, counts as a number: the
// next power of two or the next step.
double FirstBeyond(PrimitiveType float_type);

bool IsNan(RealElement element);
bool IsSubnormal(RealElement element);
// Hardware that takes subnormal numbers for zeros does so in the formats that it computes in: those of 16 bits and
// more.
bool MayBeFlushed(PrimitiveType float_type);
bool IsZero(RealElement element);
bool HasSign(RealElement element);  // the sign bit is set
// Steps between two numbers of a format along the line of its finite numbers and infinities; -0 and +0 are one point.
double UlpDistance(RealElement a, RealElement b);
// So many steps up, or down where negative, along that line; never past its ends.
RealElement StepsFrom(RealElement value, std::int64_t steps);

// The element in hex and decimal: "x3f800000 (1)"; integers in decimal.
std::string DescribeReal(RealElement element);
std::string DescribeElement(const Literal& array, std::int64_t offset);

// The array with every subnormal replaced by the zero of its sign.
Literal WithSubnormalsFlushed(const Literal& value);

}  // namespace assay
