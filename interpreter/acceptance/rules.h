// Which rule an instruction's result is judged by, and the bounds that the rules need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The `result_accuracy` that an instruction asks for.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double ulps = 0;
};

struct Rule {
  Acceptance acceptance = Acceptance::kExact;
  Allowance allowance;                 // Acceptance::kUlp
  std::optional<Tolerance> tolerance;  // takes the place of the allowance
  // Beyond these, and up to the allowance, nothing decides: result_accuracy={mode=highest} has no number.
  std::optional<Allowance> highest;
};

struct ElementVerdict {
  Verdict verdict = Verdict::kExact;
  std::string_view reason;
  double share = 0;
};

// The rule of the op's record under a profile. Ops that call a computation take the rule of what they call: a fold by
// one op that rounds is a sum or a product, a computation that never rounds is exact in every order. The instruction's
// own result_accuracy overrides the profile.
Rule RuleOf(const HloInstruction& instruction, const Profile& profile);

// Acceptance::kUlp: a function within its allowance.
ElementVerdict JudgeUlps(const Rule& rule, const Literal& want, const Literal& got, std::int64_t offset);

// Acceptance::kDerived: no farther off than `bound`.
ElementVerdict JudgeDerived(double bound, const Literal& want, const Literal& got, std::int64_t offset);

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

// The properties that the op names, or the target of a custom call.
Judgement JudgeProperties(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                          const Literal& got);

}  // namespace assay
