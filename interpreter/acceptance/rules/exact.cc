// exact: the wanted bits, or a NaN where a NaN is wanted.
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
};

}  // namespace

std::unique_ptr<AcceptanceRule> MakeExactRule(const JudgedInstruction&) { return std::make_unique<ExactRule>(); }

}  // namespace assay
