// A product of matrices or a convolution, with the steps that a library call applies to the result before rounding: the
// value, and a bound of a backend's error.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/common/matrix_properties.h"
#include "interpreter/custom_calls/activation.h"
#include "interpreter/custom_calls/stand_in.h"

namespace assay {

struct PostOp {
  enum class Kind {
    kScale,     // times `factor`
    kAdd,       // plus `factor` times an operand of the call
    kMultiply,  // times an operand
    kDivide,    // by an operand
    kActivate,
    kSaturate,  // no farther from zero than the largest finite number of the result's type
  };
  Kind kind = Kind::kScale;
  std::complex<double> factor = 1;
  int operand = -1;
  Int64List dimensions = {};  // the result's dimension of each dimension of the operand
  Activation activation = {};
};

// For each element, as f64: a bound of its error, and the sum of the magnitudes of its terms.
struct ErrorBounds {
  std::vector<double> error;
  std::vector<double> magnitude;
};

// A result beside the last one: the value after some of the steps, or its largest magnitude as f32.
struct EarlierResult {
  std::size_t steps = 0;
  bool is_largest = false;
};

struct PostProcessedProduct {
  StandIn product;                 // a dot or convolution of operands 0 and 1
  std::vector<PostOp> steps = {};  // in this order
  std::optional<SumAlgorithm> algorithm = {};
  std::vector<EarlierResult> earlier = {};                  // the results of the call after the first one
  std::function<Literal(const Literal&)> arrange_rhs = {};  // puts the elements of operand 1 into the product's order

  // Returns the value after the first `count` steps, rounded once to `type`. Without steps the product is exact and
  // rounded once; with steps the intermediate numbers are f64 or c128.
  Literal Value(std::span<const Literal> operands, PrimitiveType type, std::size_t count) const;
  Literal Value(std::span<const Literal> operands, PrimitiveType type) const {
    return Value(operands, type, steps.size());
  }
  // Returns error bounds; empty for integers, which are exact.
  ErrorBounds Bounds(std::span<const Literal> operands, PrimitiveType type, std::size_t count) const;
  ErrorBounds Bounds(std::span<const Literal> operands, PrimitiveType type) const {
    return Bounds(operands, type, steps.size());
  }

  // Checks that the operand of each step is a real number or an array with dimensions that fit the result.
  Status Check(const HloInstruction& call, PrimitiveType type) const;

  Literal Multiply(PrimitiveType type, const Literal& lhs, const Literal& rhs) const;
};

// Returns the largest magnitude of all elements, as f32, and its bounds, which are those of all elements together.
Literal GreatestMagnitude(const Literal& array);
ErrorBounds Largest(const ErrorBounds& each);

inline constexpr std::string_view kLargestWithinRoundings = "the largest magnitude is within its rounding errors";
inline constexpr std::string_view kEarlierWithinRoundings =
    "each element before the activation is within its rounding errors";
inline constexpr std::string_view kWithinRoundings = "each element is within its rounding errors";

// Adds the property `name`: every element of `got` is within its bound of the exact value, plus one rounding. Integers
// are equal.
void JudgeElements(std::string_view name, const Literal& want, const Literal& got, const ErrorBounds& bounds,
                   Properties& properties);
// Adds the property `name`: the two are equal, bit for bit.
void JudgeEqual(std::string_view name, const Literal& want, const Literal& got, Properties& properties);

// Returns the unit roundoff of the sums of a product whose result has this type. Libraries accumulate narrower types in
// f32.
double SumRoundoff(PrimitiveType type);
// Returns the magnitudes of real or complex numbers, as f64.
Literal Magnitudes(const Literal& array);

}  // namespace assay
