// called, where the called computation is more than one op and rounds: no bound has been derived.
#include "interpreter/acceptance/rule.h"

namespace assay {
namespace {

class ComposedRule : public AcceptanceRule {
 public:
  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kWeak, "a composed reduction has no derived bound"};
  }
  std::vector<std::string> Explain(const Literal&, const Place&) override {
    return {"called: the computation rounds and is more than one op; no bound is derived, other values are WEAK"};
  }
};

}  // namespace

std::unique_ptr<AcceptanceRule> MakeComposedRule(const JudgedInstruction&) { return std::make_unique<ComposedRule>(); }

}  // namespace assay
