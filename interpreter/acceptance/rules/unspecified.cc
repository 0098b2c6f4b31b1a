// unspecified: the specification leaves the value open.
#include "interpreter/acceptance/rule.h"

namespace assay {
namespace {

class UnspecifiedRule : public AcceptanceRule {
 public:
  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kSpecGap, "the specification leaves the value open"};
  }
  std::vector<std::string> Explain(const Literal&, const Place&) override {
    return {"unspecified: the specification leaves the value open; another one is SPEC-GAP"};
  }
};

}  // namespace

const Rule rule_unspecified = {
    .name = "unspecified",
    .make = MakeJudge<UnspecifiedRule>,
    .disturb = LeaveAlone,
    .noise = "none",
};

}  // namespace assay
