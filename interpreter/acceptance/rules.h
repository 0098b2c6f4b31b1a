// Which rule an instruction's result is judged by, and the bounds that the rules need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"

namespace assay {

struct Rule {
  Acceptance acceptance = Acceptance::kExact;
  double ulp = 0;
};

// The rule of the op's record under a profile. Ops that call a computation take the rule of what they call: a fold by
// one op that rounds is a sum or a product, a computation that never rounds is exact in every order.
Rule RuleOf(const HloInstruction& instruction, const Profile& profile);

double RealValue(RealElement element);
double UnitRoundoff(PrimitiveType float_type);       // 2^-precision
double SmallestSubnormal(PrimitiveType float_type);  // spacing below the smallest normal number
double LargestFinite(PrimitiveType float_type);

struct SumBound {
  double magnitude = 0;  // sum of the terms' magnitudes
  double allowance = 0;  // the largest legal distance from the exact sum rounded once
};

// For a sum of n terms in any order and with an accumulator of the result type or better, |got - exact| <= n u
// sum|terms| (Jeannerod and Rump 2013), plus the final rounding of both and the underflow of products. The sum of
// magnitudes and n come from running the instruction itself on absolute values and on ones, in f64.
class SumBounds {
 public:
  SumBounds(Literal magnitudes, Literal counts) : magnitudes_(std::move(magnitudes)), counts_(std::move(counts)) {}
  SumBound At(std::span<const std::int64_t> tuple_index, std::int64_t offset, PrimitiveType type) const;

 private:
  Literal magnitudes_;
  Literal counts_;
};

std::optional<SumBounds> SumBoundsOf(const HloInstruction& instruction, std::span<const Literal> operands);

// A legal order: a permutation of the operands' rows that the comparator leaves as it is.
Judgement JudgeOrder(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& got);

// The properties that the target of a custom call names.
Judgement JudgeProperties(const HloInstruction& custom_call, std::span<const Literal> operands, const Literal& want,
                          const Literal& got);

}  // namespace assay
