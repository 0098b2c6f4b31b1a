// statistical: random numbers, judged by the distribution that the instruction draws from.
#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/statistics/distribution.h"

namespace assay {
namespace {

// Returns the distance of a number from the one below it, or less.
double StepBelow(PrimitiveType type, double number) {
  const double unit = UnitInTheLastPlace(type, number);
  return number > 0 && IsPowerOfTwo(number) ? unit / 2 : unit;
}

class StatisticalRule : public AcceptanceRule {
 public:
  explicit StatisticalRule(const JudgedInstruction& judged) : judged_(judged) {}

  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kLegal, "random numbers"};  // the array is judged as a whole
  }

  std::vector<std::string> Explain(const Literal&, const Place&) override {
    return {
        "statistical: the whole array must be in the range of its distribution, else FAIL, and pass the tests of "
        "Kolmogorov and Smirnov (floats) or Pearson (integers), else SUSPECT, with false alarms below 1e-9 "
        "(docs/bounds.md#the-distribution-of-random-numbers)"};
  }

  // Uniform numbers are in the interval [a, b) that the operands name.
  Reals Widen(const Reals&, const Literal& want, const Place&, int) override {
    const Reals any = AnyOf(want.element_type());
    const auto distribution = AcceptanceOf(judged_.instruction).Fact<DistributionFunction>()(judged_.instruction);
    if (distribution != Distribution::kUniform || want.element_type() == PRED) return any;
    const double low = NumberAt(judged_.operands[0], 0), high = NumberAt(judged_.operands[1], 0);
    const double last = high - (IsIntegralType(want.element_type()) ? 1 : StepBelow(want.element_type(), high));
    return low < high ? OutwardBeyondDoubles(want.element_type(), {low, last, false}) : any;
  }

  // Judges the arrays of one device, or of several, one after the other.
  void JudgeWhole(const Literal&, const Literal& got, Judgement& judgement) override {
    const std::vector<Literal> arrays = got.shape().IsTuple() ? got.elements() : std::vector<Literal>{got};
    judgement.verdict = Verdict::kLegal;
    judgement.reason = "random numbers";
    judgement.worst.share = 0;
    const std::size_t count = judged_.instruction.operands.size();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const DistributionReport report =
          JudgeDistribution(AcceptanceOf(judged_.instruction).Fact<DistributionFunction>()(judged_.instruction),
                            judged_.operands.subspan(i * count, count), arrays[i]);
      judgement.worst.share = std::max(judgement.worst.share, report.share);
      const Verdict verdict = report.is_proof ? Verdict::kFail : Verdict::kSuspect;
      if (report.fault.empty() || judgement.verdict >= verdict) continue;
      judgement.verdict = verdict;
      judgement.reason = report.fault;
    }
  }

 private:
  const JudgedInstruction& judged_;
};

void DisturbStatistical(const JudgedInstruction&, Disturbance& disturbance, Literal&) { disturbance.SeeChoice(); }

}  // namespace

const Rule rule_statistical = {
    .name = "statistical",
    .make = MakeJudge<StatisticalRule>,
    .disturb = DisturbStatistical,
    .noise = "other numbers",
};

}  // namespace assay
