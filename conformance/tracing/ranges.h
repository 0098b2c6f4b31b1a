// The ranges of the numbers that each instruction of a module computes, and how they fit other float types.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

// The numbers that would change their kind if they were rounded to a float type. NaN and infinities do not count.
struct TypeFit {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  std::int64_t overflows = 0;   // become an infinity, NaN or the largest number
  std::int64_t subnormals = 0;  // become subnormal, and were not zero
  std::int64_t zeros = 0;       // become zero, and were not

  std::int64_t outside() const { return overflows + subnormals + zeros; }
};

// The numbers of all floating arrays of an instruction's results, parts of complex numbers each by itself.
struct ValueRange {
  const HloInstruction* instruction = nullptr;
  std::int64_t executions = 0;
  std::int64_t numbers = 0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  // The extremes of the finite numbers; least > largest if there are none.
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double least_magnitude = std::numeric_limits<double>::infinity();  // of those that are not zero
  std::vector<TypeFit> fits;                                         // for each type that was asked for
};

// Evaluates a module once for each list of arguments. Returns the ranges of the entry's parameters, the constants that
// are used and the instructions that compute, in the order of their first execution; those without floating arrays are
// left out. `types` are float types with a zero. The steps within a reduction or a product are not seen.
// Errors: those of Evaluate.
Result<std::vector<ValueRange>> FindRanges(const HloModule& module, std::span<const DeviceValues> runs,
                                           std::span<const PrimitiveType> types, const EvaluationLimits& limits);

}  // namespace assay
