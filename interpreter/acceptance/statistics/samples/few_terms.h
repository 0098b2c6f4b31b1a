// The errors of sums of few terms, or in a coarse accumulator, in a sample.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/types/literal.h"

namespace assay {

// Sums of fewer terms have few orders: they err up to their bounds. Those of more are added by real algorithms.
inline constexpr std::int64_t kFewTerms = 16;

// Returns the largest error of each sum of an array, in f64: not that of the largest number, which may be in another
// sum. Returns nullopt if a sum has more terms, if they have errors of their own, or if nothing is known of them.
std::optional<Literal> ErrorsOfFewTerms(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result);

// Returns the largest error of each sum of an array whose accumulator cuts more than roundings of f32 do, in f64;
// nullopt for others, or if nothing is known of their terms. Cuts have one direction, so that they add up.
std::optional<Literal> ErrorsOfCutSums(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result);

// Returns the error of rounding one partial sum of each sum of an array, in f64: by chance no sampled order may round
// the sum of an element, and yet another one does. Returns nullopt for others, or if nothing is known of their terms.
std::optional<Literal> ErrorsOfOneRounding(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result);

// True for a sum, a product or a conversion of real numbers that rounds nothing in any order: all of its terms are
// multiples of one power of two, and few enough of it. Numbers that count, such as those of a router, are so, and an
// iota of whole numbers.
bool RoundsNothing(const JudgedInstruction& judged, const Literal& result);

// Returns the number of terms that an element of a sum adds; 64 if it is unknown.
double NumberOfTerms(const JudgedInstruction& judged);

}  // namespace assay
