// What an op's record says of how the results of a backend are judged (docs/verdicts.md): the rule, and what the rule
// asks of an instruction, for no rule knows the attributes of an op.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

struct HloComputation;

// One for each name in interpreter/acceptance/meson.build; interpreter/acceptance/rules/ has a file for each.
enum class Acceptance {
#define ASSAY_RULE(name, enumerator) k##enumerator,
#include "interpreter/hlo/rule_list.inc"
#undef ASSAY_RULE
};

// The values that a real function takes.
struct FunctionRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// A property that defines a result whose bits are free: A = Q R, for instance.
struct Property {
  std::string_view name;
  double share = 0;  // how much of its allowance the result uses; above 1, or NaN, it does not have the property
};

struct PropertyReport {
  std::vector<Property> properties;
  std::string_view open;  // not empty: nothing decides this result, and this is why
};

// How a sum of products may be computed other than in the operands' type: operands rounded to a narrower type, or split
// into several numbers of one.
struct SumAlgorithm {
  std::string_view name;
  double operand_error = 0;  // of an operand, relative to it
  double accumulator_roundoff = 0;
  double products = 1;  // added for each product of two operands
};

// A Fourier transform over the last dimensions.
struct DiscreteTransform {
  std::span<const std::int64_t> lengths;
  bool is_inverse = false;
};

// Rows along a dimension, ordered by a computation whose parameters 2i and 2i + 1 are elements of operand i.
struct RowOrder {
  std::int64_t dimension = 0;
  bool is_stable = false;
  const HloComputation* comparator = nullptr;
};

// Operands 0 and 1 are the ends of the interval, the upper one left out; or the mean and the deviation.
enum class Distribution { kUniform, kNormal };

}  // namespace assay
