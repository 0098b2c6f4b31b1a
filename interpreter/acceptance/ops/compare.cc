#include <cmath>
#include <string_view>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/compare_rules.h"

namespace assay {
namespace {

// Returns the possible results of the comparison, by the positions of the intervals.
Reals ComparisonOfIntervals(const HloInstruction& compare, std::span<const Reals> x) {
  const Reals undecided = {0, 1, false};
  const bool may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  const bool is_complex = IsComplexType(compare.operand(0).shape.element_type());
  if (is_complex || (may_be_nan && IsTotalOrder(compare))) return undecided;
  const std::string_view direction = compare.String("direction");
  const double if_unordered = direction == "NE" ? 1 : 0;
  if (x[0].IsEmpty() || x[1].IsEmpty()) return {if_unordered, if_unordered, false};
  if (compare.operands[0] == compare.operands[1]) {  // only NaN differs from itself
    const double if_ordered = direction == "NE" || direction == "LT" || direction == "GT" ? 0 : 1;
    return may_be_nan ? undecided : Reals{if_ordered, if_ordered, false};
  }
  const bool is_disjoint = x[0].high < x[1].low || x[1].high < x[0].low;
  // Both sides are the same number. The total order distinguishes zeros; integers beyond 2^53 are known only rounded.
  const bool is_one = !may_be_nan && x[0].low == x[1].high && x[0].high == x[1].low && std::fabs(x[0].low) < 0x1p53 &&
                      (x[0].low != 0 || !IsTotalOrder(compare));
  if (is_one && (direction == "EQ" || direction == "NE")) {
    const double answer = direction == "EQ" ? 1 : 0;
    return {answer, answer, false};
  }
  if (direction == "EQ") return {0, is_disjoint ? 0.0 : 1.0, false};
  if (direction == "NE") return {is_disjoint ? 1.0 : 0.0, 1, false};
  const bool is_less = direction == "LT" || direction == "LE";
  const Reals& a = is_less ? x[0] : x[1];
  const Reals& b = is_less ? x[1] : x[0];
  // Compares a < b or a <= b. Zeros of either sign have equal numbers here, but differ in the total order.
  const bool is_strict = direction == "LT" || direction == "GT";
  const bool holds = is_strict || IsTotalOrder(compare) ? a.high < b.low : a.high <= b.low;
  const bool fails = is_strict && !IsTotalOrder(compare) ? a.low >= b.high : a.low > b.high;
  if (fails) return {0, 0, false};
  return {holds && !may_be_nan ? 1.0 : 0.0, 1, false};
}

}  // namespace

const OpAcceptance acceptance_compare = {.op = &op_compare, .image = ByElement<ComparisonOfIntervals>};

}  // namespace assay
