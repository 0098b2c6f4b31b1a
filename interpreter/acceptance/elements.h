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

// Number of real components of one element: 2 for complex types, else 1.
int ComponentsOf(PrimitiveType type);
RealElement ComponentAt(const Literal& array, std::int64_t component);

// A float or complex type.
bool IsReal(PrimitiveType type);
// Equal bits, or both NaN, in every component.
bool SameElement(const Literal& a, const Literal& b, std::int64_t offset);
// The distance of two elements: of complex ones, that of the parts farther apart; infinite to a NaN.
double WorstUlps(const Literal& a, const Literal& b, std::int64_t offset);

bool IsNan(RealElement element);
bool IsSubnormal(RealElement element);
bool IsZero(RealElement element);
bool HasSign(RealElement element);  // the sign bit is set
// Steps between two numbers of a format along the line of its finite numbers and infinities; -0 and +0 are one point.
double UlpDistance(RealElement a, RealElement b);

// The element in hex and decimal: "x3f800000 (1)"; integers in decimal.
std::string DescribeElement(const Literal& array, std::int64_t offset);

// The array with every subnormal replaced by the zero of its sign.
Literal WithSubnormalsFlushed(const Literal& value);

}  // namespace assay
