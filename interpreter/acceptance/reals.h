// Intervals of real numbers against float formats, and how far sets reach.
#pragma once

#include <functional>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// Both ends rounded to a format, as numbers.
Reals Rounded(const FloatFormat& format, const Reals& x);
// True if two intervals hold the same numbers; all empty ones are the same.
bool Same(const Reals& a, const Reals& b);
// The numbers whose rounding to a format gives `value`.
Reals BeforeRounding(PrimitiveType type, double value);

// The components of an array of f64 or c128.
std::span<const double> ComponentsIn(const Literal& numbers);
// True if `holds` is true of all components of an array, which it is given as numbers, block by block, until it is
// false.
bool AllBlocks(const Literal& array, const std::function<bool(std::span<const double>)>& holds);
// Component i of an array as a number, of any type.
double NumberAt(const Literal& array, std::int64_t component);
// The largest finite magnitude among the reference's numbers.
double LargestValue(const Literal& value);
// The widest interval.
double LargestWidth(const ValueSet& set);
// Largest magnitudes, for the bounds of what is open; the values themselves where all are decided.
Literal ReachOf(const ValueSet& set);
// The largest magnitude among the finite ends of each element: a sum that rounds is monotone in its terms, so that its
// errors at an end come from the terms' own ends there. Infinite where no end is finite.
Literal FiniteReachOf(const ValueSet& set);
// Numbers that may be subnormal, those that rounded up to the least normal one included. What is open may be.
bool HasSubnormals(const Literal& value, const OpenElements* image);

}  // namespace assay
