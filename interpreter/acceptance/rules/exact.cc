// exact: the wanted bits, or any NaN if a NaN is wanted.
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"

namespace assay {
namespace {

class ExactRule : public AcceptanceRule {
 public:
  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kFail, "the operation is exact"};
  }
  std::vector<std::string> Explain(const Literal&, const Place&) override {
    return {"exact: only these bits; if it is a NaN, any NaN"};
  }
  Reals Widen(const Reals& exact, const Literal&, const Place&, int) override { return exact; }
};

// Adds the error of one omitted rounding, as contraction and excess precision cause.
void DisturbExact(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  if (AcceptanceOf(judged.instruction).folded != Acceptance::kExact) disturbance.Add(result, 1);
}

}  // namespace

const Rule rule_exact = {
    .name = "exact",
    .make = MakeJudge<ExactRule>,
    .disturb = DisturbExact,
    .noise = "none",
};

}  // namespace assay
